import CLinux
import Glibc
import LimitClock

/// A program that reads bytes and writes others, with a limit for its time and for what it writes.
/// It gets no variables of the environment, and what it says of errors is not shown unless that is
/// asked for.
package struct BoundedCommand {
  /// How it ended.
  package enum End: Hashable {
    case exited(Int32)
    /// A signal ended it.
    case killed(Int32)
    /// It did not end in time and was killed.
    case tooLong
    /// It wrote too much and was killed.
    case tooMuch
  }

  package enum Result: Hashable {
    /// What it wrote until its end, whatever its exit status is.
    case output([UInt8])
    /// It did not end in time and was killed.
    case tooLong
    /// It wrote too much and was killed.
    case tooMuch
  }

  private let program: String
  private let arguments: [String]
  private let seconds: Int
  private let maximumOutput: Int
  private let joinsErrors: Bool
  private let clock: LimitClock

  /// - Parameters:
  ///   - program: its path.
  ///   - seconds: the time until it is killed.
  ///   - maximumOutput: bytes.
  ///   - joinsErrors: whether what it says of errors is a part of its output.
  package init(
    _ program: String, _ arguments: [String], seconds: Int, maximumOutput: Int, joinsErrors: Bool = false,
    clock: LimitClock = .machine
  ) {
    self.clock = clock
    self.joinsErrors = joinsErrors
    self.program = program
    self.arguments = arguments
    self.seconds = seconds
    self.maximumOutput = maximumOutput
  }

  /// The path of a program.
  ///
  /// - Parameter folders: nil for those of `PATH`.
  package static func find(_ name: String, in folders: [String]? = nil) -> String? {
    let variable = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    let folders = folders ?? variable.split(separator: ":").map(String.init)
    return folders.map { "\($0)/\(name)" }.first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
  }

  /// Runs it to its end.
  ///
  /// - Parameter input: what it reads on its standard input.
  /// - Throws: `ModemctlError` where the system does not start it.
  package func run(input: [UInt8]) throws -> Result {
    let (bytes, end) = try output(input: input)
    switch end {
    case .exited, .killed: return .output(bytes)
    case .tooLong: return .tooLong
    case .tooMuch: return .tooMuch
    }
  }

  /// Runs it to its end, or to one of its limits.
  ///
  /// - Parameter input: what it reads on its standard input.
  /// - Returns: what it wrote, up to the limit, and how it ended.
  /// - Throws: `ModemctlError` where the system does not start it.
  package func output(input: [UInt8] = []) throws -> (bytes: [UInt8], end: End) {
    guard let file = tmpfile() else { throw failure(errno) }
    defer { fclose(file) }
    // A file without a name, so that neither side waits for the other.
    guard fwrite(input, 1, input.count, file) == input.count, fflush(file) == 0, fseek(file, 0, SEEK_SET) == 0 else {
      throw failure(errno)
    }
    var pipe: [Int32] = [-1, -1]
    guard Glibc.pipe(&pipe) == 0 else { throw failure(errno) }
    // The program must not get this process's end.
    _ = fcntl(pipe[0], F_SETFD, FD_CLOEXEC)
    defer { close(pipe[0]) }
    let process: pid_t
    do {
      defer { close(pipe[1]) }
      process = try start(input: fileno(file), output: pipe[1])
    }
    let deadline = clock.now + .seconds(seconds)
    let (bytes, limit) = collect(pipe[0], until: deadline)
    if limit == nil, let end = end(of: process, until: deadline) { return (bytes, end) }
    kill(process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return (bytes, limit ?? .tooLong)
  }

  /// How a program that closed its output ended; nil if it continues.
  private func end(of process: pid_t, until deadline: LimitClock.Instant) -> End? {
    var status: Int32 = 0
    while true {
      let found = waitpid(process, &status, WNOHANG)
      if found == process { return status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .killed(status & 0x7f) }
      guard found == 0 || errno == EINTR, clock.now < deadline else { return nil }
      _ = Glibc.poll(nil, 0, 2)
    }
  }

  private func start(input: Int32, output: Int32) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    if joinsErrors {
      posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    }
    // The connection to modemd too, which SwiftNIO leaves open when a program starts.
    clinux_spawn_without_files(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    clinux_spawn_with_usual_signals(&attributes, 0)
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = [strdup("LC_ALL=C"), nil]
    defer { for word in words + variables { free(word) } }
    var process = pid_t()
    let error = posix_spawn(&process, program, &actions, &attributes, &words, &variables)
    guard error == 0 else { throw failure(error) }
    return process
  }

  private func failure(_ error: Int32) -> ModemctlError {
    ModemctlError(.failed, "\(program) cannot be started: \(String(cString: strerror(error)))")
  }

  /// Reads to the end, or to one of the limits.
  private func collect(
    _ descriptor: Int32, until deadline: LimitClock.Instant
  ) -> (bytes: [UInt8], limit: End?) {
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let left = (deadline - clock.now) / .milliseconds(1)
      guard left > 0 else { return (output, .tooLong) }
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard Glibc.poll(&poll, 1, Int32(left.rounded(.up))) > 0 else { continue }
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return (output, nil) }
      output += chunk[..<count]
      guard output.count <= maximumOutput else { return (Array(output.prefix(maximumOutput)), .tooMuch) }
    }
  }
}
