import Glibc
import ModemAPI
import Testing

@testable import ScenarioRunner

/// Users of this machine around a world's daemons: some attack, others ask meanwhile.
struct Siege {
  /// Who connects.
  enum User {
    case root
    /// May ask: a member of the group that the scenario names.
    case member
    /// Another one who may.
    case third
    /// May not ask.
    case outsider

    /// The group of those who may ask: Debian's `users`.
    static let groupID: gid_t = 100

    var options: [String] {
      switch self {
      case .root: []
      case .member: ["--uid", "4001", "--gid", "\(Self.groupID)"]
      case .third: ["--uid", "4003", "--gid", "\(Self.groupID)"]
      case .outsider: ["--uid", "4002", "--gid", "4002"]
      }
    }
  }

  /// Which socket is attacked.
  enum Gate {
    /// modemd's, with the rights that its unit gives it.
    case service
    /// modemd's, opened for everybody by who runs the machine.
    case openService
    /// That of the port, as a unit that is too free would leave it.
    case port
  }

  /// A scenario in which members of the group may ask.
  static let scenario = #"{ "settings": { "access": { "groups": ["users"] } } }"#

  /// The most resident memory, in MiB: modemd's and the port's. A debug build has some of its own,
  /// hence not the figures of the benchmark.
  private static let memory = (service: 160, port: 80)

  let world: World

  init() throws { world = try SharedWorld.current() }

  private var program: String { "\(world.options.programs)/modemd-attack" }

  private func open(_ gate: Gate) async -> String {
    let port = world.folder.file("ports/\(await world.portName)")
    chmod(world.folder.path, 0o711)
    chmod(world.folder.file("ports"), gate == .port ? 0o711 : 0o700)
    for socket in [world.folder.socket, port] { chown(socket, 0, User.groupID) }
    chmod(world.folder.socket, gate == .openService ? 0o666 : 0o660)
    chmod(port, 0o660)
    return gate == .port ? port : world.folder.socket
  }

  /// Attacks, and expects that root, a member and the port are served meanwhile by the processes
  /// that were there before.
  ///
  /// - Parameter body: what else holds while the attack goes on, told how the attacker fares.
  func attack(
    _ kind: String, by user: User, at gate: Gate = .service, connections: Int, bytes: Int = 1_000_000,
    method: String = "org.modemd.Check.Open", _ body: (RunningCommand) async throws -> Void = { _ in }
  ) async throws {
    let daemons = [try #require(await world.process(of: .service)), try #require(await world.process(of: .port))]
    let attack = try await begin(kind, by: user, at: gate, connections: connections, bytes: bytes, method: method)
    let result: Result<Void, any Error>
    do {
      let hasBegun = try await world.eventually { attack.output().contains("begun") || attack.process.end != nil }
      #expect(hasBegun && attack.process.end == nil, "\(attack.error())")
      try await body(attack)
      for honest in [User.root, .third] { #expect(try await isServed(honest), "\(honest) is not served") }
      #expect(try await isPortServed(), "the port does not answer")
      #expect(attack.process.end == nil, "the attack ended by itself: \(attack.error())")
      result = .success(())
    } catch {
      result = .failure(error)
    }
    attack.process.send(SIGKILL)
    _ = await attack.process.waitForEnd()
    try result.get()
    for daemon in daemons {
      #expect(daemon.end == nil, "\(daemon.name) ended with \(daemon.end.map { "\($0)" } ?? "")")
    }
    #expect(peak(daemons[0]) < Self.memory.service, "modemd had \(peak(daemons[0])) MiB")
    #expect(peak(daemons[1]) < Self.memory.port, "the port had \(peak(daemons[1])) MiB")
    // And the one who attacked is served again, when he asks like others.
    if gate == .service, case .member = user { #expect(try await world.eventually { try await isServed(.member) }) }
  }

  /// Begins an attack, which goes on until its process is ended.
  func begin(
    _ kind: String, by user: User, at gate: Gate = .service, connections: Int, bytes: Int = 1_000_000,
    method: String = "org.modemd.Check.Open"
  ) async throws -> RunningCommand {
    let socket = await open(gate)
    return try await world.begin(
      [program, "attack", kind, "--socket", socket, "--connections", "\(connections)", "--bytes", "\(bytes)"]
        + ["--method", method] + user.options)
  }

  /// Whether a user gets answers from modemd.
  func isServed(_ user: User, count: Int = 5) async throws -> Bool {
    let asking = try await world.run(
      [program, "ask", "--socket", world.folder.socket, "--count", "\(count)"] + user.options)
    return asking.end == .exited(0)
  }

  /// Whether root, as modemd, gets an answer from the port.
  func isPortServed() async throws -> Bool {
    let port = world.folder.file("ports/\(await world.portName)")
    let asking = try await world.run(
      [program, "ask", "--socket", port, "--method", "org.modemd.Port.GetState", "--count", "5"])
    return asking.end == .exited(0)
  }

  /// The most memory that a process had, in MiB (VmHWM, proc(5)).
  private func peak(_ process: ChildProcess) -> Int {
    let lines = (Worlds.contents(of: "/proc/\(process.id)/status") ?? "").split(separator: "\n")
    let line = lines.first { $0.hasPrefix("VmHWM:") } ?? ""
    return (Int(line.filter(\.isNumber)) ?? .max) / 1024
  }

  /// What the attacker says last of his connections: made, and closed by the service.
  static func fate(_ attack: RunningCommand) -> (made: Int, closed: Int)? {
    let line = attack.output().split(separator: "\n").last { $0.hasPrefix("made ") }
    let numbers = (line ?? "").split(separator: " ").compactMap { Int($0) }
    return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
  }
}
