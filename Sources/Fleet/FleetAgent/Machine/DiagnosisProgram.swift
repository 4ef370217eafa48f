import CLinux
import DetachedThread
import Glibc
import LimitClock
import OutsideNumber

/// The program that writes a report for a maintainer, masked, with this user's rights.
package struct DiagnosisProgram: Hashable, Sendable {
  package var path: String
  package var arguments: [String]
  /// Largest report in bytes.
  package var mostBytes = 1 << 20
  /// It is ended after this time.
  package var limit = Duration.seconds(120)

  package init(_ path: String, _ arguments: [String]) {
    self.path = path
    self.arguments = arguments
  }

  package static let modemctl = DiagnosisProgram("/usr/bin/modemctl", ["diagnose", "--output", "-"])

  /// What it writes.
  ///
  /// - Throws: `MachineFailure`.
  func run(_ clock: LimitClock) async throws -> [UInt8] {
    try await withCheckedThrowingContinuation { continuation in
      let isStarted = DetachedThread.start { continuation.resume(with: Result { try output(clock) }) }
      if !isStarted { continuation.resume(throwing: MachineFailure.failed("no thread can be started for the report")) }
    }
  }

  private func output(_ clock: LimitClock) throws -> [UInt8] {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw failure(errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let started = start(output: ends[1])
    close(ends[1])
    let process = try started.get()
    let result = Result { try read(ends[0], until: clock.now + limit, clock) }
    // Whatever it has started ends with it.
    if case .failure = result { kill(-process, SIGKILL) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let bytes = try result.get()
    guard !bytes.isEmpty else { throw MachineFailure.failed("\(path) wrote no report") }
    return bytes
  }

  private func read(_ descriptor: Int32, until end: LimitClock.Instant, _ clock: LimitClock) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let left = end - clock.now
      guard left > .zero else { throw MachineFailure.timedOut("the report took too long, and was ended") }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&waiting, 1, Int32(clamping: left.bounded.millisecondsRoundedUp))
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { continue }
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(errno) }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
      guard bytes.count <= mostBytes else {
        throw MachineFailure("org.modemd.Fleet.ReplyTooLarge", "the report has more than \(mostBytes) bytes")
      }
    }
  }

  /// Starts it in a process group of its own, without this process's files and environment.
  private func start(output: Int32) -> Result<pid_t, MachineFailure> {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var error = clinux_spawn_without_files(&actions)
    guard error == 0 else { return .failure(failure(error)) }
    posix_spawnattr_setpgroup(&attributes, 0)
    error = clinux_spawn_with_usual_signals(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    guard error == 0 else { return .failure(failure(error)) }
    let words = ([path] + arguments).map { (word: String) -> UnsafeMutablePointer<CChar>? in strdup(word) }
    let environment = ["PATH=/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL=C.UTF-8"].map {
      (word: String) -> UnsafeMutablePointer<CChar>? in strdup(word)
    }
    defer { for word in words + environment { free(word) } }
    var process: pid_t = 0
    error = posix_spawn(&process, path, &actions, &attributes, words + [nil], environment + [nil])
    return error == 0 ? .success(process) : .failure(failure(error))
  }

  private func failure(_ number: Int32) -> MachineFailure {
    .failed("\(path) cannot be run: \(String(cString: strerror(number)))")
  }
}
