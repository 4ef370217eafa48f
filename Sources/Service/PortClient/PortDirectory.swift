import Glibc
import JournalLog
import LimitClock
import Logging
import ModemModel
import ModemService

/// Finds the ports: each announces itself by its socket in one folder. Each port is followed until
/// its socket is gone.
package struct PortDirectory: Sendable {
  private let path: String
  private let registry: ModemRegistry
  private let messages: MessageService?
  private let logger: Logger
  private let now: @Sendable () -> Timestamp
  private let clock: LimitClock
  private let observer: (any ServiceObserver)?

  /// - Parameters:
  ///   - path: the folder, as in /run/modemd/ports.
  ///   - messages: receives the ports' short messages; nil if not needed.
  ///   - now: the wall clock, for the time of a fault.
  ///   - clock: for the waits between two attempts to reach a port.
  ///   - observer: hears which ports answer, and which modems do not.
  package init(
    path: String, registry: ModemRegistry, messages: MessageService? = nil, now: @escaping @Sendable () -> Timestamp,
    clock: LimitClock = .machine, observer: (any ServiceObserver)? = nil, logger: Logger
  ) {
    self.observer = observer
    self.path = path
    self.registry = registry
    self.messages = messages
    self.now = now
    self.clock = clock
    self.logger = logger
  }

  /// Follows the folder and its ports until the task is cancelled.
  package func run() async throws {
    let changes = try FolderChanges.watch(path)
    var followers: [String: Task<Void, Never>] = [:]
    defer { for follower in followers.values { follower.cancel() } }
    for await change in changes {
      let (present, gone) = look(at: change, followers.keys)
      for name in present where followers[name] == nil { followers[name] = follow(name) }
      for name in gone {
        guard let follower = followers.removeValue(forKey: name) else { continue }
        follower.cancel()
        await follower.value
        registry.remove(name)
        await messages?.remove(name)
        logger.event(.portGone, level: .warning, "port \(name) is gone")
      }
    }
  }

  /// The ports that are there, and the names of those that are not, among the changed ones.
  private func look(at change: FolderChanges.Change, _ known: some Sequence<String>) -> (Set<String>, Set<String>) {
    switch change {
    case .all:
      let names = socketNames()
      return (names, Set(known).subtracting(names))
    case .names(let names):
      let present = names.filter(isPort)
      return (present, names.subtracting(present))
    }
  }

  private func follow(_ name: String) -> Task<Void, Never> {
    let link = PortLink(name: name, path: "\(path)/\(name)", observer: observer)
    let watcher = PortWatcher(link: link, registry: registry, now: now, logger: logger, clock: clock)
    let reader = messages.map { MessageWatcher(link: link, messages: $0, logger: logger, clock: clock) }
    return Task {
      async let state: Void = watcher.run()
      await reader?.run()
      await state
    }
  }

  private func isPort(_ name: String) -> Bool {
    var status = stat()
    return !name.contains(".") && lstat("\(path)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }

  // A dot marks a socket that is still being made.
  private func socketNames() -> Set<String> {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: Set<String> = []
    while let entry = readdir(folder) {
      let isSocket = entry.pointee.d_type == UInt8(DT_SOCK)
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if isSocket, !name.contains(".") { names.insert(name) }
    }
    return names
  }
}
