import ArgumentParser
import Glibc

/// Attacks a Varlink socket as some user of the machine, or asks like an honest one meanwhile. For
/// tests and benchmarks.
@main
struct ModemdAttack: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modemd-attack", abstract: "Attacks a Varlink socket as some user of the machine.",
    subcommands: [Attack.self, Ask.self])
}

/// Who does it: the program is started by root and becomes this user before it connects.
struct Identity: ParsableArguments {
  @Option(help: "Number of the user.") var uid: UInt32 = 0
  @Option(help: "Number of the only group.") var gid: UInt32 = 0

  func become() throws {
    var files = rlimit(rlim_cur: 16_384, rlim_max: 16_384)
    if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) != 0,
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0
    {
      files.rlim_cur = files.rlim_max
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
    }
    guard uid != 0 || gid != 0 else { return }
    guard setgroups(0, nil) == 0, setgid(gid) == 0, setuid(uid) == 0 else {
      throw ValidationError("cannot become user \(uid) with group \(gid); start it as root")
    }
  }
}

struct Attack: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Attacks until it is ended; says `begun` when it is under way.")

  @OptionGroup var identity: Identity
  @Option(help: "Path of the socket.") var socket: String
  @Argument(help: "The attack.") var kind: AttackKind
  @Option(help: "Connections at one time.") var connections = 64
  @Option(help: "Method of the calls.") var method = "org.modemd.Check.Open"
  @Option(help: "Bytes of a call, about.") var bytes = 1_000_000
  @Option(help: "Seconds; 0 for until it is ended.") var seconds = 0.0

  func run() throws {
    try identity.become()
    signal(SIGPIPE, SIG_IGN)
    var attacker = Attacker(path: socket, kind: kind, connections: connections, method: method, bytes: bytes)
    let start = milliseconds()
    var isTold = false
    var last = start
    while seconds == 0 || milliseconds() - start < seconds * 1000 {
      attacker.step()
      if attacker.hasBegun, !isTold {
        isTold = true
        say("begun")
      }
      guard isTold, milliseconds() - last > 500 else { continue }
      last = milliseconds()
      say("made \(attacker.made) closed \(attacker.closed)")
    }
  }
}

struct Ask: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Calls a method again and again, each time on a connection of its own or on one, and prints the times.")

  @OptionGroup var identity: Identity
  @Option(help: "Path of the socket.") var socket: String
  @Option(help: "Method to call.") var method = "org.modemd.Modem.List"
  @Option(help: "How often.") var count = 20
  @Option(help: "Milliseconds between two calls.") var pause = 5.0
  @Flag(help: "All calls on one connection.") var stays = false

  func run() throws {
    try identity.become()
    var times: [Double] = []
    var connection: Int32?
    for _ in 0..<count {
      let start = milliseconds()
      let open = try connection ?? connect()
      try ask(open)
      times.append(milliseconds() - start)
      if stays { connection = open } else { close(open) }
      usleep(UInt32(pause * 1000))
    }
    times.sort()
    // A time for each call: what is made of them is the caller's.
    for time in times { say("\(time)") }
  }

  private func connect() throws -> Int32 {
    let start = milliseconds()
    // The queue of the kernel may be full for a moment.
    while milliseconds() - start < 10_000 {
      if let descriptor = Socket.connect(socket) { return descriptor }
      guard errno == EAGAIN else { break }
      usleep(1000)
    }
    throw ValidationError("cannot connect to \(socket): \(String(cString: strerror(errno)))")
  }

  private func ask(_ descriptor: Int32) throws {
    let call = Array(#"{"method":"\#(method)"}"#.utf8) + [0]
    guard Socket.send(descriptor, call[...]) == call.count else { throw ValidationError("the call was not sent") }
    var reply: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while reply.last != 0 {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, 20_000) == 1 else { throw ValidationError("no reply within 20 s") }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { throw ValidationError("the connection was closed") }
      reply += buffer[..<count]
    }
    let text = String(decoding: reply.dropLast(), as: UTF8.self)
    guard !text.contains(#""error":"#) else { throw ValidationError("answered with \(text)") }
  }
}

/// Of a clock that only goes forward.
func milliseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
}

/// A line on standard output, at once.
func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(1, bytes, bytes.count)
}
