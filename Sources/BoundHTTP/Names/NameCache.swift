import NIOConcurrencyHelpers
import NIOCore

/// Addresses that a bearer's servers gave, as long as they said. A bearer that comes anew begins with none: its
/// interface, servers and addresses are part of the key.
final class NameCache: Sendable {
  private struct Key: Hashable {
    let interface: BoundInterface
    let name: String
  }

  private struct Entry {
    let found: NameLookup.Found
    let until: NIODeadline
  }

  private static let maximumCount = 1024
  /// Longest time for which an answer is kept, whatever it says.
  private static let maximumTTL: UInt32 = 3600
  private let entries = NIOLockedValueBox<[Key: Entry]>([:])

  func found(_ name: String, over interface: BoundInterface) -> NameLookup.Found? {
    entries.withLockedValue { entries in
      guard let entry = entries[Key(interface: interface, name: name)], entry.until > .now() else { return nil }
      return entry.found
    }
  }

  func keep(_ found: NameLookup.Found, for name: String, over interface: BoundInterface) {
    guard found.ttl > 0 else { return }
    let until = NIODeadline.now() + .seconds(Int64(min(found.ttl, Self.maximumTTL)))
    entries.withLockedValue { entries in
      if entries.count >= Self.maximumCount {
        let now = NIODeadline.now()
        entries = entries.filter { $0.value.until > now }
        if entries.count >= Self.maximumCount { entries = [:] }
      }
      entries[Key(interface: interface, name: name)] = Entry(found: found, until: until)
    }
  }

  /// Forgets everything that an interface's servers said.
  func forget(interface index: Int32) {
    entries.withLockedValue { entries in entries = entries.filter { $0.key.interface.index != index } }
  }
}
