import CLinux
import Dispatch
import Glibc
import Synchronization

/// A process that a world started, known by its id until it has ended.
package final class ChildProcess: Sendable {
  /// How a process ended.
  package enum End: Hashable, Sendable, CustomStringConvertible {
    case exited(Int32)
    case signaled(Int32)

    /// As in a shell: the exit status, or 128 plus the signal.
    package var status: Int32 {
      switch self {
      case .exited(let code): code
      case .signaled(let signal): 128 + signal
      }
    }

    package var description: String {
      switch self {
      case .exited(let code): "exit status \(code)"
      case .signaled(let signal): "signal \(signal)"
      }
    }
  }

  /// Where a process writes and reads.
  package struct Streams: Sendable {
    /// Whether it shares the terminal and process group of its parent; standard input is empty
    /// otherwise.
    var isForeground = false
    /// Files for standard output and standard error, appended to; nil shares the parent's.
    var output: String?
    var error: String?
  }

  private enum State {
    case running([CheckedContinuation<End, Never>])
    case ended(End)
  }

  package let name: String
  package let id: pid_t
  private let state = Mutex(State.running([]))

  private init(name: String, id: pid_t) {
    self.name = name
    self.id = id
  }

  /// Starts a program in the network namespace of the calling thread.
  ///
  /// - Parameters:
  ///   - command: the program, a path or a name to be found in PATH, and its arguments.
  ///   - environment: all of its variables.
  /// - Throws: `WorldError` `process`.
  static func start(
    _ name: String, _ command: [String], environment: [String: String], streams: Streams
  ) throws -> ChildProcess {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if !streams.isForeground { posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) }
    for (descriptor, path) in [(Int32(1), streams.output), (2, streams.error)] {
      guard let path else { continue }
      posix_spawn_file_actions_addopen(&actions, descriptor, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    }
    // Sockets of SwiftNIO stay open when a program starts: one of a client that is long gone would
    // seem to be there still.
    clinux_spawn_without_files(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The terminal's interrupt is only for the world, which ends its processes in order.
    if !streams.isForeground { posix_spawnattr_setpgroup(&attributes, 0) }
    clinux_spawn_with_usual_signals(&attributes, streams.isForeground ? 0 : Int16(POSIX_SPAWN_SETPGROUP))
    let arguments = command.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in arguments + variables { free(word) } }
    var id: pid_t = 0
    let error = posix_spawnp(&id, command[0], &actions, &attributes, arguments, variables)
    guard error == 0 else {
      throw WorldError(.process, "cannot start \(command[0])", cause: String(cString: strerror(error)))
    }
    let process = ChildProcess(name: name, id: id)
    NetworkNamespace.startThread { process.reap() }
    return process
  }

  private func reap() {
    var information = siginfo_t()
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    let (end, waiting) = state.withLock { state -> (End, [CheckedContinuation<End, Never>]) in
      // Under the lock, so that no signal goes to another process with the same id.
      var status: Int32 = 0
      while waitpid(id, &status, 0) < 0, errno == EINTR {}
      let end: End = status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .signaled(status & 0x7f)
      guard case .running(let waiting) = state else { return (end, []) }
      state = .ended(end)
      return (end, waiting)
    }
    for continuation in waiting { continuation.resume(returning: end) }
  }

  /// How it ended; nil while it runs.
  package var end: End? {
    state.withLock { if case .ended(let end) = $0 { end } else { nil } }
  }

  /// Waits until it has ended.
  package func waitForEnd() async -> End {
    await withCheckedContinuation { continuation in
      let end: End? = state.withLock { state in
        switch state {
        case .ended(let end): return end
        case .running(let waiting):
          state = .running(waiting + [continuation])
          return nil
        }
      }
      if let end { continuation.resume(returning: end) }
    }
  }

  /// Sends a signal, unless the process has ended.
  package func send(_ signal: Int32) {
    state.withLock { if case .running = $0 { kill(id, signal) } }
  }

  /// Asks it to end with SIGTERM, and ends it with SIGKILL if it has not done so after a while.
  package func stop(within limit: Duration = .seconds(3)) async {
    send(SIGTERM)
    let insist = Task {
      try await Task.sleep(for: limit)
      send(SIGKILL)
    }
    _ = await waitForEnd()
    insist.cancel()
  }
}
