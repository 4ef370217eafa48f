import ArgumentParser
import BenchmarkFigures
import Glibc

/// What other users get while one attacks: one attack after the other, each by `modemd-attack` as a
/// user of its own.
struct Siege: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Times of another user's calls, and memory of both daemons, while a user attacks.")

  /// One attack: its kind, connections and method.
  private static let attacks = [
    ("half", 235, "org.modemd.Check.Open"), ("idle", 2500, "org.modemd.Check.Open"),
    ("drip", 600, "org.modemd.Check.Open"), ("deep", 32, "org.modemd.Check.Open"),
    ("wide", 32, "org.modemd.Check.Open"), ("full", 64, "org.modemd.Check.Open"),
    ("deaf", 500, "org.modemd.Modem.List"), ("flood", 256, "org.modemd.Modem.List"),
    ("streams", 2500, "org.modemd.Modem.Watch"), ("churn", 64, "org.modemd.Modem.List"),
  ]
  private static let portAttacks = [
    ("half", 80, "org.modemd.Port.GetState"), ("idle", 300, "org.modemd.Port.GetState"),
    ("churn", 64, "org.modemd.Port.GetState"),
  ]

  @Option(help: "Path of the service's socket.") var socket: String
  @Option(help: "Path of the port's socket.") var port: String
  @Option(help: "Path of modemd-attack.") var attacker: String
  @Option(help: "Number of the group whose members may ask.") var group = 100
  @Option(help: "Calls of the other user for each attack.") var count = 400
  @Option(help: "File to append JSON to.") var json: String?

  func run() throws {
    // The listener: also where systemd made the socket, which here it did not.
    let daemons = (service: try VarlinkConnection(path: socket).peer(), port: try VarlinkConnection(path: port).peer())
    for daemon in [daemons.service, daemons.port] { try ProcessCost(process: daemon).resetPeak() }
    var figures: [Figure] = []
    var portTimes: [Double] = []
    for (kind, connections, method) in Self.attacks {
      let attack = try begin(kind, connections, method, at: socket)
      defer { end(attack) }
      let times = try ask(socket, "org.modemd.Modem.List", as: ["--uid", "4003", "--gid", "\(group)"]).sorted()
      portTimes += try ask(port, "org.modemd.Port.GetState", as: [], count: 20)
      figures.append(Figure("attack-\(kind)-p99", percentile(0.99, of: times), "ms", .atMost(50)))
    }
    for (kind, connections, method) in Self.portAttacks {
      let attack = try begin(kind, connections, method, at: port)
      defer { end(attack) }
      portTimes += try ask(port, "org.modemd.Port.GetState", as: [], count: 50)
    }
    // Another process than before would have been started anew.
    guard try VarlinkConnection(path: socket).peer() == daemons.service,
      try VarlinkConnection(path: port).peer() == daemons.port
    else { throw BenchmarkError("a daemon ended under attack") }
    figures += [
      Figure("attack-port-answer", portTimes.max() ?? .infinity, "ms", .atMost(1000)),
      Figure("attack-modemd-peak", try residentMegabytes(of: daemons.service, field: "VmHWM"), "MB", .atMost(128)),
      Figure("attack-modemd-port-peak", try residentMegabytes(of: daemons.port, field: "VmHWM"), "MB", .atMost(48)),
    ]
    try FigureOutput(jsonPath: json).write(figures)
  }

  private struct Process {
    let id: pid_t
    let output: Int32
  }

  private func begin(_ kind: String, _ connections: Int, _ method: String, at socket: String) throws -> Process {
    let attack = try start([
      attacker, "attack", kind, "--socket", socket, "--connections", "\(connections)", "--method", method, "--uid",
      "4001", "--gid", "\(group)",
    ])
    var first = [UInt8](repeating: 0, count: 6)
    guard read(attack.output, &first, first.count) == first.count else {
      throw BenchmarkError("the attack \(kind) did not begin")
    }
    return attack
  }

  private func end(_ process: Process) {
    kill(process.id, SIGKILL)
    var status: Int32 = 0
    while waitpid(process.id, &status, 0) < 0, errno == EINTR {}
    close(process.output)
  }

  /// Milliseconds of each of a user's calls, each on a connection of its own.
  private func ask(_ socket: String, _ method: String, as user: [String], count: Int? = nil) throws -> [Double] {
    let asking = try start(
      [attacker, "ask", "--socket", socket, "--method", method, "--count", "\(count ?? self.count)"] + user)
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(asking.output, &buffer, buffer.count), count > 0 { text += buffer[..<count] }
    close(asking.output)
    var status: Int32 = 0
    while waitpid(asking.id, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { throw BenchmarkError("a user who does not attack is not served (\(method))") }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { Double($0) }
  }

  /// Starts a program whose output is read here.
  private func start(_ command: [String]) throws -> Process {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw BenchmarkError.system("no pipe") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    posix_spawn_file_actions_addclose(&actions, ends[1])
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var id: pid_t = 0
    let status = posix_spawn(&id, command[0], &actions, nil, &arguments, nil)
    close(ends[1])
    guard status == 0 else {
      close(ends[0])
      throw BenchmarkError.system("cannot start \(command[0])", status)
    }
    return Process(id: id, output: ends[0])
  }
}
