import NIOConcurrencyHelpers
import NIOCore
import NetworkAddress

/// Which DNS server of each bearer answered when the first one did not. It is asked first for a
/// while, so that a dead server costs its second only once, not with each new name.
final class ServerMemory: Sendable {
  /// Time until the network's own order is tried again. Answers do not extend it.
  static let age = TimeAmount.minutes(10)

  private struct Entry {
    let interface: BoundInterface
    let server: IPAddress
    let until: NIODeadline
  }

  /// Few bearers ever have an entry. A dictionary's type would also cost a start more than all of
  /// them.
  private let entries = NIOLockedValueBox<[Entry]>([])
  private let now: @Sendable () -> NIODeadline

  init(now: @escaping @Sendable () -> NIODeadline = { .now() }) { self.now = now }

  /// All servers of a bearer, in the order in which they are asked.
  func servers(of interface: BoundInterface) -> [IPAddress] {
    let known = entries.withLockedValue { entries in entries.first { $0.interface == interface } }
    guard let known, known.until > now() else { return interface.dnsServers }
    return [known.server] + interface.dnsServers.filter { $0 != known.server }
  }

  /// A server answered.
  func answered(_ server: IPAddress, over interface: BoundInterface) {
    guard interface.dnsServers.contains(server) else { return }
    let now = now()
    entries.withLockedValue { entries in
      let place = entries.firstIndex { $0.interface == interface }
      if let place, entries[place].server == server, entries[place].until > now { return }
      if let place { entries.remove(at: place) }
      guard server != interface.dnsServers.first else { return }
      entries.append(Entry(interface: interface, server: server, until: now + Self.age))
    }
  }

  /// Forgets what is known of an interface's servers.
  func forget(interface index: Int32) {
    entries.withLockedValue { $0.removeAll { $0.interface.index == index } }
  }
}
