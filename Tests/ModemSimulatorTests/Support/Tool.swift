import Glibc

/// A program of the system that the tests run against the simulator.
struct Tool {
  /// How a run ended, and everything it printed.
  struct Result {
    /// The exit status; nil when a signal ended it, or the time was up.
    let status: Int32?
    let output: String
  }

  static let mbimcli = Tool(path: "/usr/bin/mbimcli")
  static let qmicli = Tool(path: "/usr/bin/qmicli")

  let path: String

  var isInstalled: Bool { access(path, X_OK) == 0 }

  /// Runs the program and waits for its end, at most `seconds`.
  func run(_ arguments: [String], seconds: Int = 50) -> Result {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return Result(status: nil, output: "no pipe") }
    defer { close(ends[0]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
    for end in ends { posix_spawn_file_actions_addclose(&actions, end) }
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var environment: [UnsafeMutablePointer<CChar>?] = [strdup("PATH=/usr/bin:/bin"), strdup("LC_ALL=C"), nil]
    defer { for word in environment { free(word) } }
    var child = pid_t()
    let failure = posix_spawn(&child, path, &actions, nil, &words, &environment)
    close(ends[1])
    guard failure == 0 else { return Result(status: nil, output: String(cString: strerror(failure))) }
    let (output, isComplete) = Self.read(ends[0], until: Self.now() + Int64(seconds) * 1000)
    if !isComplete { kill(child, SIGKILL) }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    let hasExited = isComplete && status & 0x7f == 0
    return Result(status: hasExited ? status >> 8 & 0xff : nil, output: output)
  }

  /// Reads to the end of the stream, or to the deadline.
  private static func read(_ descriptor: Int32, until deadline: Int64) -> (output: String, isComplete: Bool) {
    var bytes: [UInt8] = []
    while true {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, Int32(clamping: max(deadline - now(), 0))) > 0 else {
        return (String(decoding: bytes, as: UTF8.self), false)
      }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return (String(decoding: bytes, as: UTF8.self), true) }
      bytes += buffer[..<count]
    }
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
