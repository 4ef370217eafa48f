import CLinux
import Glibc
import ModemModel
import ModemSimulator
import Rtnetlink
import Synchronization

/// A simulated world while it runs: a host with a modem and another uplink, and an operator behind the modem.
///
/// Three network namespaces. In `host` the daemons run; it has `wwan0` to the operator and `lan0` to the uplink. `operator` has the
/// servers. `uplink` owns the same addresses, answers that something leaked, and counts what the host sends there.
public actor World {
  /// The daemons of the host.
  public enum Daemon: String, CaseIterable, Sendable {
    case port = "modemd-port"
    case service = "modemd"
  }

  /// How a world is started.
  public struct Options: Sendable {
    /// The modem's protocol; nil for the scenario's.
    public var kind: ModemProtocol?
    /// Whether modemd-port and modemd are started.
    public var startsDaemons = true
    /// The folder of modem-simulator, modemd, modemd-port and modemctl.
    public var programs: String

    /// - Parameter programs: nil for the folder of the running program.
    public init(kind: ModemProtocol? = nil, startsDaemons: Bool = true, programs: String? = nil) {
      self.kind = kind
      self.startsDaemons = startsDaemons
      self.programs = programs ?? Programs.folder
    }
  }

  public nonisolated let scenario: Scenario
  public nonisolated let options: Options
  public nonisolated let folder: WorldFolder
  public nonisolated let modem: SimulatedModem
  /// Lets packets pass while the modem's session is up.
  public nonisolated let gate = BearerGate()

  let links: WorldLinks
  private let watch: UplinkWatch
  private var pump: TunnelPump?
  private var networkEnd: TunDevice?
  private var session: Task<Void, Never>?
  private var processes: [ChildProcess] = []
  private var daemons: [Daemon: ChildProcess] = [:]

  private init(_ scenario: Scenario, _ options: Options, _ folder: WorldFolder) async throws {
    self.scenario = scenario
    self.options = options
    self.folder = folder
    modem = scenario.makeModem(kind: options.kind)
    links = WorldLinks(
      host: try await .make("host"), network: try await .make("operator"), uplink: try await .make("uplink"))
    let ends = try await links.make(
      services: scenario.services, gateways: scenario.network.gateways, mtu: scenario.network.mtu)
    watch = try await links.uplink.run { try UplinkWatch(interface: "lan1") }
    networkEnd = ends.network
    pump = try TunnelPump(
      host: ends.host, network: ends.network, delay: UInt64(scenario.network.delay) * 1_000_000, gate: gate)
  }

  /// Starts a world, and waits until all in it is ready.
  ///
  /// - Throws: `WorldError`; then nothing is left of it.
  public static func start(_ scenario: Scenario, _ options: Options = Options()) async throws -> World {
    let folder = try WorldFolder.make()
    let world: World
    do {
      world = try await World(scenario, options, folder)
    } catch {
      folder.remove()
      throw error
    }
    do {
      try await world.begin()
    } catch {
      await world.stop()
      throw error
    }
    return world
  }

  private func begin() async throws {
    try folder.write(scenario.text, to: "scenario.json")
    try folder.write(scenario.network.dns.map { "nameserver \($0)\n" }.joined(), to: "resolv.conf")
    try WorldCertificates(in: folder.file("certificates")).make(for: scenario.chain)
    followSessions()
    do {
      try modem.plugIn(link: devicePath)
    } catch {
      throw WorldError(.system, "the simulated modem cannot be plugged in", cause: "\(error)")
    }
    try await startServers(.network, in: links.network)
    try await startServers(.uplink, in: links.uplink)
    if options.startsDaemons {
      for daemon in Daemon.allCases { try await start(daemon) }
      try await waitForModem()
    }
  }

  /// Path of the modem's control port; it stays the same when the modem is plugged in again.
  public nonisolated var devicePath: String { folder.file("modem") }

  /// The gate follows the modem's sessions.
  private func followSessions() {
    session = Task { [gate, modem] in
      for await bearers in modem.bearerChanges() {
        gate.open(for: Set(bearers.flatMap { [$0.ipv4, $0.ipv6].compactMap { $0?.prefix.address } }))
      }
    }
  }

  private func startServers(_ role: ServerRole, in namespace: NetworkNamespace) async throws {
    let ready = folder.file("\(role.rawValue).ready")
    let process = try await start(
      role.rawValue, [Programs.simulator(in: options.programs), "serve", role.rawValue, folder.path], in: namespace)
    processes.append(process)
    try await wait(for: process, "its servers run") { access(ready, F_OK) == 0 }
  }

  // MARK: The other uplink

  /// What left the host by its other uplink since the start. Nothing should.
  public nonisolated var leaks: LeakCount { watch.count() }

  // MARK: Daemons

  /// Starts a daemon, and waits until it answers.
  ///
  /// - Throws: `WorldError`, with the last lines of its log.
  public func start(_ daemon: Daemon) async throws {
    let program = "\(options.programs)/\(daemon.rawValue)"
    let kind = options.kind ?? scenario.modem.kind
    let socket: String
    let arguments: [String]
    switch daemon {
    case .port:
      socket = folder.file("ports/wwan0")
      arguments = [
        "--device", devicePath, "--protocol", kind.rawValue, "--interface", "wwan0", "--socket", socket,
        "--state-directory", folder.file("state"),
      ]
    case .service:
      socket = folder.socket
      arguments = ["--socket", socket, "--ports", folder.file("ports"), "--extra-roots", folder.authority]
    }
    let process = try await start(daemon.rawValue, [program] + arguments, in: links.host)
    processes.append(process)
    daemons[daemon] = process
    try await wait(for: process, "it answers at its socket") { UnixSocket.isServed(socket) }
  }

  /// The process of a daemon; nil before its first start.
  public func process(of daemon: Daemon) -> ChildProcess? { daemons[daemon] }

  /// Ends a daemon with a signal and waits until it is gone.
  @discardableResult
  public func end(_ daemon: Daemon, with signal: Int32 = SIGKILL) async -> ChildProcess.End? {
    guard let process = daemons[daemon] else { return nil }
    process.send(signal)
    return await process.waitForEnd()
  }

  // MARK: The host's network

  /// Deletes `wwan0`, as when a modem is pulled out.
  public func removeInterface() async throws {
    try await links.host.run {
      let kernel = try Kernel()
      try kernel.session.delete(try kernel.link("wwan0"))
    }
    pump?.stop()
    pump = nil
  }

  /// Makes `wwan0` anew, as when a modem comes back.
  public func restoreInterface() async throws {
    guard pump == nil, let networkEnd else { return }
    let device = try await links.makeModemDevice()
    pump = try TunnelPump(
      host: device, network: networkEnd, delay: UInt64(scenario.network.delay) * 1_000_000, gate: gate)
  }

  /// Deletes the routes of every table but the machine's own two, as a careless administrator might.
  ///
  /// - Returns: how many there were.
  @discardableResult
  public func emptyTables() async throws -> Int {
    try await links.host.run {
      let session = try Kernel().session
      let own = [RT_TABLE_MAIN, RT_TABLE_LOCAL].map { UInt32($0.rawValue) }
      let routes = try session.routes().filter { !own.contains($0.table) }
      for route in routes { try session.delete(route) }
      return routes.count
    }
  }

  // MARK: Commands

  /// Runs a command in the host's namespace and waits for its end.
  ///
  /// - Parameter isForeground: whether it has this process's standard streams.
  /// - Returns: how it ended, and what it wrote, where that was not to the foreground.
  public func run(_ command: [String], isForeground: Bool = false) async throws -> CommandResult {
    let process = try await begin(command, isForeground: isForeground)
    let end = await process.process.waitForEnd()
    return CommandResult(end: end, output: process.output(), error: process.error())
  }

  /// Starts a command in the host's namespace.
  public func begin(_ command: [String], isForeground: Bool = false) async throws -> RunningCommand {
    let stem = folder.file("command-\(UInt32.random(in: 0 ... .max))")
    var streams = ChildProcess.Streams()
    streams.isForeground = isForeground
    if !isForeground { (streams.output, streams.error) = ("\(stem).out", "\(stem).err") }
    let process = try await spawn(command[0], command, in: links.host, streams)
    processes.append(process)
    return RunningCommand(process: process, outputPath: streams.output, errorPath: streams.error)
  }

  // MARK: The end

  /// Ends everything that the world started, and removes its folder. It may be called twice.
  public func stop() async {
    let processes = processes.reversed()
    self.processes = []
    for process in processes where process.end == nil { await process.stop() }
    session?.cancel()
    modem.unplug()
    pump?.stop()
    pump = nil
    networkEnd = nil
    folder.remove()
  }

  // MARK: Processes

  private func start(_ name: String, _ command: [String], in namespace: NetworkNamespace) async throws -> ChildProcess {
    var streams = ChildProcess.Streams()
    streams.output = folder.log(of: name)
    streams.error = streams.output
    return try await spawn(name, command, in: namespace, streams)
  }

  private func spawn(
    _ name: String, _ command: [String], in namespace: NetworkNamespace, _ streams: ChildProcess.Streams
  ) async throws -> ChildProcess {
    let enter = [
      Programs.simulator(in: options.programs), "enter", "--parent", "\(getpid())", "--resolver",
      folder.file("resolv.conf"), "--",
    ]
    let environment = Programs.environment.merging(variables) { $1 }
    return try await namespace.run {
      try ChildProcess.start(name, enter + command, environment: environment, streams: streams)
    }
  }

  /// What a command in the world is told of it.
  public nonisolated var variables: [String: String] {
    [
      "MODEMD_SOCKET": folder.socket, "MODEM_SIMULATOR_PTY": devicePath, "MODEM_SIMULATOR_CA": folder.authority,
      "MODEM_SIMULATOR_FOLDER": folder.path, "MODEM_SIMULATOR_CONTROL": folder.control,
      "MODEM_SIMULATOR_CHECK_URL": scenario.checks.first?.url ?? "",
      "PATH": options.programs + ":" + (Programs.environment["PATH"] ?? "/usr/bin:/bin:/usr/sbin:/sbin"),
    ]
  }

  private func wait(for process: ChildProcess, _ words: String, _ isReady: @Sendable () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(15)
    while !isReady() {
      if let end = process.end {
        throw WorldError(.process, "\(process.name) ended with \(end); \(folder.tail(of: process.name))")
      }
      guard ContinuousClock.now < deadline else {
        throw WorldError(
          .notReady, "after 15 s \(process.name) is not so far that \(words); \(folder.tail(of: process.name))")
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}
