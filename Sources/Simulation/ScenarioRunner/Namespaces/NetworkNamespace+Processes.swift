import CLinux
import Glibc

/// The processes that are left in a namespace, such as what a person's shell had in the background.
extension NetworkNamespace {
  /// How long a process may take to end after SIGTERM, and after SIGKILL.
  private static let patience = Duration.seconds(2)

  /// Ends every process in the namespace, with SIGKILL those that do not end by SIGTERM. The
  /// namespace of this process itself is left alone.
  func endProcesses() async {
    _ = try? await run {
      // Its thread is in the namespace; the process as a whole is not.
      guard let here = Self.identity("/proc/thread-self/ns/net"), here != Self.identity("/proc/self/ns/net") else {
        return
      }
      // A process that is starting another one at this moment is followed by a second look.
      for signal in [SIGTERM, SIGKILL, SIGKILL] { Self.end(Self.processes(in: here), with: signal) }
    }
  }

  /// Descriptors of processes: an id might belong to another process by now.
  private static func processes(in namespace: UInt64) -> [Int32] {
    guard let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    var found: [Int32] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard let id = pid_t(name) else { continue }
      let descriptor = pidfd_open(id, 0)
      guard descriptor >= 0 else { continue }
      // After the descriptor, so that it is this process's.
      if identity("/proc/\(id)/ns/net") == namespace { found.append(descriptor) } else { close(descriptor) }
    }
    return found
  }

  /// Sends a signal, and waits until all have ended, for as long as the patience lasts.
  private static func end(_ processes: [Int32], with signal: Int32) {
    for process in processes { _ = pidfd_send_signal(process, signal, nil, 0) }
    let deadline = ContinuousClock.now + patience
    var left = processes
    while !left.isEmpty, ContinuousClock.now < deadline {
      var polls = left.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&polls, nfds_t(polls.count), Int32((deadline - .now) / .milliseconds(1)) + 1) > 0 else { break }
      left = polls.filter { $0.revents == 0 }.map(\.fd)
    }
    for process in processes { close(process) }
  }

  /// What tells one namespace from another.
  private static func identity(_ path: String) -> UInt64? {
    var facts = stat()
    return stat(path, &facts) == 0 ? UInt64(facts.st_ino) : nil
  }
}
