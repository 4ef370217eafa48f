import CLinux
import Glibc
import ModemModel
import ModemSimulator
import Rtnetlink
import Synchronization
import USBModem

/// A simulated world while it runs: a host with a modem and another uplink, and an operator behind
/// the modem.
///
/// Three network namespaces. In `host` the daemons run; it has `wwan0` to the operator and `lan0`
/// to the uplink. `operator` has the servers. `uplink` owns the same addresses, answers that
/// something leaked, and counts what the host sends there.
package actor World {
  /// The daemons of the host.
  package enum Daemon: String, CaseIterable, Sendable {
    case port = "modemd-port"
    case service = "modemd"
  }

  /// How a world is started.
  package struct Options: Sendable {
    /// The modem's protocol; nil for the scenario's.
    package var kind: ModemProtocol?
    /// Whether modemd-port and modemd are started.
    package var startsDaemons: Bool
    /// Whether the modem is on the kernel's virtual USB bus, and the host is this machine itself:
    /// its drivers, its udev and its systemd use the modem. For virtual machines.
    package var usesUSB: Bool
    /// Time limits of modemd-port, as its option `--limit` has them: `query=1`.
    package var limits: [String] = []
    /// Text of modemd-port's configuration; nil for none.
    package var portSettings: String?
    /// How much the daemons log, as in their option `--log-level`; nil for their default.
    package var logLevel: String?
    /// The folder of modem-simulator, modemd, modemd-port and modemctl.
    package var programs: String

    /// - Parameter programs: nil for the folder of the running program.
    package init(
      kind: ModemProtocol? = nil, startsDaemons: Bool = true, usesUSB: Bool = false, programs: String? = nil
    ) {
      self.kind = kind
      self.startsDaemons = startsDaemons
      self.usesUSB = usesUSB
      self.programs = programs ?? Programs.folder
    }
  }

  package nonisolated let scenario: Scenario
  package nonisolated let options: Options
  package nonisolated let folder: WorldFolder
  package nonisolated let modem: SimulatedModem
  /// Lets packets pass while the modem's session is up.
  package nonisolated let gate = BearerGate()

  let links: WorldLinks
  nonisolated let watches: Mutex<[UplinkWatch]>
  var pump: TunnelPump?
  /// Carries packets to the other uplink, if they take their time.
  private let uplinkPump: TunnelPump?
  var networkEnd: TunDevice?
  var usb: USBModem?
  private var session: Task<Void, Never>?
  private var udev: Task<Void, Never>?
  /// The link whose port is served.
  private(set) var servedLink: String?
  var processes: [ChildProcess] = []
  /// The commands that were started, with their words.
  private(set) var commands: [(words: [String], command: RunningCommand)] = []
  /// The modems behind the first.
  var fleet: [FleetMember] = []
  private var daemons: [Daemon: ChildProcess] = [:]
  private var isRenumbered = false
  private var control: ControlServer?

  private init(_ scenario: Scenario, _ options: Options, _ folder: WorldFolder) async throws {
    self.scenario = scenario
    self.options = options
    self.folder = folder
    modem = scenario.makeModem(kind: options.kind)
    links = WorldLinks(
      host: options.usesUSB ? try await .ofThisProcess("host") : try await .make("host"),
      network: try await .make("operator"), uplink: try await .make("uplink"))
    let ends = try await links.make(
      services: scenario.services, gateways: scenario.network.gateways, mtu: scenario.network.mtu,
      uplinkDelay: scenario.network.uplinkDelay)
    networkEnd = ends.network
    uplinkPump = ends.uplink
    let expected = scenario.expectedOnUplink
    let watch = try await links.uplink.run { try UplinkWatch(interface: "lan1", expected: expected) }
    watches = Mutex([watch])
  }

  /// Starts a world, and waits until all in it is ready.
  ///
  /// - Throws: `WorldError`; nothing is left of the world then.
  package static func start(_ scenario: Scenario, _ options: Options = Options()) async throws -> World {
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
    try WorldCertificates(in: folder.file("certificates")).make(for: scenario)
    try prepareProviders()
    control = try ControlServer.start(for: self)
    followSessions()
    try await plugIn()
    try await makeFleet()
    try await startServers(.network, in: links.network)
    try await startServers(.uplink, in: links.uplink)
    if scenario.providerHosts.contains(where: { $0.ways == .local }) { try await startServers(.host, in: links.host) }
    if options.startsDaemons {
      for daemon in Daemon.allCases { try await start(daemon) }
      followLinks()
      try await startFleetPorts()
      try await waitForModem()
    }
  }

  /// Path of the modem's control port; it does not change when the modem is plugged in again.
  package nonisolated var devicePath: String { folder.file("modem") }

  /// Gives the modem its control port and its network device, or its place on the USB bus.
  package func plugIn() async throws {
    do {
      try modem.plugIn(link: devicePath)
    } catch {
      throw WorldError(.system, "the simulated modem cannot be plugged in", cause: "\(error)")
    }
    guard options.usesUSB else { return try await restoreInterface() }
    try plugIntoUSB()
  }

  /// The gate follows the modem's sessions.
  private func followSessions() {
    session = Task { [gate, modem] in
      for await bearers in modem.bearerChanges() {
        gate.follow(bearers, isReadable: modem.snapshot.isRawIP)
      }
    }
  }

  /// Does what udev and systemd do when the modem's port returns under another name: the port's
  /// process for the old name ends, and one for the new name starts.
  private func followLinks() {
    udev = Task { [weak self, modem] in
      for await link in modem.linkChanges() {
        if let link { await self?.serve(link) }
      }
    }
  }

  private func serve(_ link: String) async {
    guard let served = servedLink, served != link else { return }
    servedLink = link
    await end(.port, with: SIGTERM)
    do {
      try await start(.port)
    } catch {
      try? folder.write("\(error)\n", to: "udev.log")
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

  /// What has left the host by its other uplink since the start. Nothing should.
  package nonisolated var leaks: LeakCount { watches.withLock { $0.map { $0.count() } }.reduce(LeakCount(), +) }

  // MARK: Daemons

  /// Starts a daemon, and waits until it answers.
  ///
  /// - Throws: `WorldError`, with the last lines of its log.
  package func start(_ daemon: Daemon) async throws {
    let program = Programs.daemon(daemon.rawValue, in: options.programs)
    let kind = options.kind ?? scenario.modem.kind
    let socket: String
    var arguments: [String]
    switch daemon {
    case .port:
      let device = servedLink ?? devicePath
      servedLink = device
      socket = folder.file("ports/\(portName)")
      let state = device == devicePath ? folder.file("state") : folder.file("state/\(portName)")
      mkdir(state, 0o700)
      arguments =
        [
          "--device", device, "--protocol", kind.rawValue, "--interface", "wwan0", "--socket", socket,
          "--state-directory", state, "--id-key", folder.file("id-key"),
        ] + options.limits.flatMap { ["--limit", $0] }
      // Not the machine's own files.
      try folder.write(options.portSettings ?? "{}", to: "modemd-port.json")
      arguments += ["--configuration", folder.file("modemd-port.json")]
    case .service:
      socket = folder.socket
      arguments = [
        "--socket", socket, "--ports", folder.file("ports"), "--state-directory", folder.file("modemd-state"),
        "--extra-roots", folder.authority, "--proxy", folder.proxy, "--metrics", folder.metrics, "--metrics-http",
        folder.metricsHTTP,
      ]
      try folder.write(scenario.settings ?? "{}", to: "modemd.json")
      arguments += ["--configuration", folder.file("modemd.json")]
      arguments += ["--providers", folder.providers]
    }
    if let level = options.logLevel { arguments += ["--log-level", level] }
    let process = try await start(
      daemon.rawValue, [program] + arguments, in: links.host,
      with: daemon == .service ? ["CREDENTIALS_DIRECTORY": folder.credentials] : portVariables)
    processes.append(process)
    daemons[daemon] = process
    try await wait(for: process, "it answers at its socket") { UnixSocket.isServed(socket) }
  }

  /// The name of the port that is served, as its socket has it.
  package var portName: String {
    guard let servedLink, servedLink != devicePath else { return "wwan0" }
    return String(servedLink.split(separator: "/").last ?? "wwan0")
  }

  /// The process of a daemon; nil before its first start.
  package func process(of daemon: Daemon) -> ChildProcess? { daemons[daemon] }

  /// Ends a daemon with a signal and waits until it is gone.
  @discardableResult
  package func end(_ daemon: Daemon, with signal: Int32 = SIGKILL) async -> ChildProcess.End? {
    guard let process = daemons[daemon] else { return nil }
    process.send(signal)
    return await process.waitForEnd()
  }

  // MARK: The bearer

  /// Gives the bearer the next addresses, or the first ones again.
  func renumber() {
    isRenumbered.toggle()
    var bearers = scenario.bearers
    if isRenumbered { bearers[0] = scenario.network.renumbered.bearer }
    modem.setBearers(bearers)
  }

  // MARK: Commands

  /// Runs a command in the host's namespace and waits for its end.
  ///
  /// - Parameter isForeground: whether it has this process's standard streams.
  /// - Returns: its end, and its output unless that went to the foreground.
  package func run(_ command: [String], isForeground: Bool = false) async throws -> CommandResult {
    let process = try await begin(command, isForeground: isForeground)
    let end = await process.process.waitForEnd()
    return CommandResult(end: end, output: process.output(), error: process.error())
  }

  /// Starts a command in the host's namespace.
  package func begin(_ command: [String], isForeground: Bool = false) async throws -> RunningCommand {
    let stem = folder.file("command-\(UInt32.random(in: 0 ... .max))")
    var streams = ChildProcess.Streams()
    streams.isForeground = isForeground
    if !isForeground { (streams.output, streams.error) = ("\(stem).out", "\(stem).err") }
    let process = try await spawn(command[0], command, in: links.host, streams)
    processes.append(process)
    let running = RunningCommand(process: process, outputPath: streams.output, errorPath: streams.error)
    commands.append((command, running))
    return running
  }

  // MARK: The end

  /// Ends everything that the world started, and removes its folder. It may be called twice.
  package func stop() async {
    let processes = processes.reversed()
    self.processes = []
    control?.stop()
    control = nil
    for process in processes where process.end == nil { await process.stop() }
    await links.host.endProcesses()
    session?.cancel()
    udev?.cancel()
    usb?.unplug()
    modem.unplug()
    pump?.stop()
    uplinkPump?.stop()
    pump = nil
    networkEnd = nil
    if options.usesUSB { try? await links.removeUplink() }
    endFleet()
    folder.remove()
  }
}
