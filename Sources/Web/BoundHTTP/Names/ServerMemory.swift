import NIOConcurrencyHelpers
import NIOCore
import NetworkAddress

/// Which DNS server of each bearer answered when the first one did not. It is asked first for a
/// while, so that a dead server costs its second only once, not with each new name.
final class ServerMemory: Sendable {
  /// Time until the network's own order is tried again. Answers do not extend it.
  static let age = TimeAmount.minutes(10)

  private struct Entry {
    let server: IPAddress
    let until: NIODeadline
  }

  private let entries = NIOLockedValueBox<[BoundInterface: Entry]>([:])
  private let now: @Sendable () -> NIODeadline

  init(now: @escaping @Sendable () -> NIODeadline = { .now() }) { self.now = now }

  /// All servers of a bearer, in the order in which they are asked.
  func servers(of interface: BoundInterface) -> [IPAddress] {
    let known = entries.withLockedValue { $0[interface] }
    guard let known, known.until > now() else { return interface.dnsServers }
    return [known.server] + interface.dnsServers.filter { $0 != known.server }
  }

  /// A server answered.
  func answered(_ server: IPAddress, over interface: BoundInterface) {
    guard interface.dnsServers.contains(server) else { return }
    let now = now()
    entries.withLockedValue { entries in
      if server == interface.dnsServers.first { return entries[interface] = nil }
      if let known = entries[interface], known.server == server, known.until > now { return }
      entries[interface] = Entry(server: server, until: now + Self.age)
    }
  }

  /// Forgets what is known of an interface's servers.
  func forget(interface index: Int32) {
    entries.withLockedValue { entries in entries = entries.filter { $0.key.index != index } }
  }
}
