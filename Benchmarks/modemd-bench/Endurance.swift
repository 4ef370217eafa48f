import ArgumentParser
import BenchmarkFigures
import Glibc

/// Many chains over one bearer, one behind the other, and what has grown meanwhile.
struct Endurance: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "What many chains over one bearer leave in the daemons and in the kernel.",
    discussion: """
      The chains go as fast as they can; 16,000 in an hour are 4.4 in a second. What is compared is a first picture, after \
      the chains of --warm-up, and a second one at the end, each when the connections that wait for another request have \
      ended. The command ends with an error when anything has grown beyond its bound.
      """)

  @Option(help: "Path of the service's socket.") var socket: String
  @Option(help: "Path of the port's socket.") var port: String
  @Option(help: "The check URL.") var url: String
  @Option(help: "How many chains.") var total = 16_000
  @Option(help: "How many at once.") var atOnce = 16
  @Option(help: "How many before the first picture.") var warmUp = 1000
  @Option(help: "Most kilobytes by which a daemon may grow.") var growth = 1024.0
  @Option(help: "Most threads that a daemon's pools may have more.") var moreThreads = 4
  @Option(help: "Most seconds until connections have ended.") var rest = 20
  @Option(help: "File to append JSON to.") var json: String?

  /// What is there at one moment.
  private struct Picture {
    /// Kilobytes that belong to no file, open files and threads, by daemon.
    var memory: [String: Double] = [:]
    var files: [String: Int] = [:]
    var threads: [String: Int] = [:]
    /// Sockets, neighbours and routes of this network namespace.
    var kernel: [String: Int] = [:]
  }

  func validate() throws {
    guard (1...1000).contains(atOnce), warmUp > 0, total > 0, (0...600).contains(rest) else {
      throw ValidationError("--at-once is 1 to 1000, --rest 0 to 600, --warm-up and --total are above 0")
    }
  }

  func run() throws {
    let daemons = [
      "modemd": try VarlinkConnection(path: socket).peer(), "modemd-port": try VarlinkConnection(path: port).peer(),
    ]
    try chains(warmUp)
    let before = try picture(of: daemons, atMost: nil)
    let start = now()
    try chains(total)
    let seconds = (now() - start) / 1000
    let after = try picture(of: daemons, atMost: before)
    let name = "checks-\(total)"
    var figures = [Figure("\(name)-rate", Double(total) / seconds, "1/s", .atLeast(16_000 / 3600))]
    var problems: [String] = []
    for daemon in daemons.keys.sorted() {
      let grown = (after.memory[daemon] ?? 0) - (before.memory[daemon] ?? 0)
      figures += [
        Figure("\(name)-\(daemon)-memory", after.memory[daemon] ?? 0, "kB", one: before.memory[daemon]),
        Figure("\(name)-\(daemon)-growth", grown, "kB", .atMost(growth)),
        Figure(
          "\(name)-\(daemon)-more-files", Double((after.files[daemon] ?? 0) - (before.files[daemon] ?? 0)), "files"),
        Figure(
          "\(name)-\(daemon)-more-threads", Double((after.threads[daemon] ?? 0) - (before.threads[daemon] ?? 0)),
          "threads"),
      ]
      if grown > growth { problems.append("\(daemon) grew by \(grown) kB") }
      if after.files[daemon] ?? 0 > before.files[daemon] ?? 0 { problems.append("\(daemon) has more open files") }
      if after.threads[daemon] ?? 0 > (before.threads[daemon] ?? 0) + moreThreads {
        problems.append("\(daemon) has more threads")
      }
    }
    for kind in before.kernel.keys.sorted() {
      let more = (after.kernel[kind] ?? 0) - (before.kernel[kind] ?? 0)
      figures.append(Figure("\(name)-more-\(kind)", Double(more), kind))
      if more > 0 { problems.append("the kernel has \(more) more \(kind)") }
    }
    try FigureOutput(jsonPath: json).write(figures)
    guard problems.isEmpty else { throw BenchmarkError(problems.joined(separator: "; ")) }
  }

  /// Makes so many chains: each connection sends its next call when it has the reply to the last.
  private func chains(_ count: Int) throws {
    let frame = try CheckCall.frame("org.modemd.Check.Open", CheckCall.Open(url: url), more: false)
    var connections: [VarlinkConnection] = []
    for _ in 0..<min(atOnce, count) { connections.append(try VarlinkConnection(path: socket)) }
    var polled = connections.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    for connection in connections { try connection.send(frame) }
    var (sent, ended) = (connections.count, 0)
    while ended < count {
      let ready = poll(&polled, nfds_t(polled.count), 60_000)
      if ready < 0 && errno == EINTR { continue }
      guard ready > 0 else { throw BenchmarkError("no chain ended within 60 s") }
      for index in polled.indices where polled[index].revents != 0 {
        _ = try CheckCall.reply(on: connections[index])
        ended += 1
        if sent < count {
          try connections[index].send(frame)
          sent += 1
        }
      }
    }
  }

  /// Takes a picture, at the latest after `rest` seconds, and before when nothing is more than in
  /// another one.
  private func picture(of daemons: [String: pid_t], atMost other: Picture?) throws -> Picture {
    var picture = Picture()
    for second in 0...rest {
      picture = Picture()
      for (daemon, process) in daemons {
        picture.memory[daemon] = try residentMegabytes(of: process, field: "RssAnon") * 1024
        picture.files[daemon] = ProcessCost(process: process).openFiles()
        picture.threads[daemon] = try ProcessCost(process: process).threads()
      }
      for (kind, files) in [
        ("TCP-sockets", ["tcp", "tcp6"]), ("UDP-sockets", ["udp", "udp6"]), ("neighbours", ["arp"]),
        ("routes", ["route", "ipv6_route"]),
      ] {
        picture.kernel[kind] = try files.reduce(0) { try $0 + Self.entries(in: "/proc/net/\($1)") }
      }
      if let other, second > 0, picture.files.allSatisfy({ $0.value <= other.files[$0.key] ?? 0 }),
        picture.kernel.allSatisfy({ $0.value <= other.kernel[$0.key] ?? 0 })
      {
        break
      }
      if second < rest { sleep(1) }
    }
    return picture
  }

  /// How many lines there are; connections that wait for their end (TIME_WAIT, 06) do not count.
  private static func entries(in path: String) throws -> Int {
    guard let file = fopen(path, "re") else { throw BenchmarkError.system("no \(path)") }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 1024)
    var count = 0
    while fgets(&line, Int32(line.count), file) != nil {
      let bytes: [UInt8] = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      let fields = String(decoding: bytes, as: UTF8.self).split { $0.isWhitespace }
      if fields.count < 4 || fields[3] != "06" { count += 1 }
    }
    return count
  }
}
