import NIOConcurrencyHelpers
import NIOCore
import RedirectChain

/// What a bearer's servers answered about names, for as long as the answers are valid: addresses,
/// and that there are none (RFC 2308). A new bearer starts with an empty cache, because the
/// interface, servers and addresses are part of the key.
final class NameCache: Sendable {
  typealias Answer = Result<NameLookup.Found, NameLookup.Failure>

  private struct Key: Hashable {
    let interface: BoundInterface
    let name: String
    /// The only family that was asked for. An answer about one family says nothing about the other.
    let family: ChainHop.Family?
  }

  private struct Entry {
    let answer: Answer
    let until: NIODeadline
  }

  /// For one owner of chains.
  private static let maximumCount = 256
  /// Longest time in seconds for which addresses are kept, even if the servers allow more.
  private static let maximumTTL: UInt32 = 3600
  /// The same for missing addresses. It is shorter because they may appear at any time and a caller
  /// waits for them.
  private static let maximumNegativeTTL: UInt32 = 300
  private let entries = NIOLockedValueBox<[Key: Entry]>([:])
  private let now: @Sendable () -> NIODeadline

  init(now: @escaping @Sendable () -> NIODeadline = { .now() }) { self.now = now }

  /// What is known about a name in lower case; nil if it must be asked.
  ///
  /// - Parameter family: the only family that was asked for; nil if all families of the interface
  ///   were.
  func answer(_ name: String, over interface: BoundInterface, family: ChainHop.Family? = nil) -> Answer? {
    entries.withLockedValue { entries in
      guard let entry = entries[Key(interface: interface, name: name, family: family)], entry.until > now() else {
        return nil
      }
      return entry.answer
    }
  }

  func keep(_ answer: Answer, for name: String, over interface: BoundInterface, family: ChainHop.Family? = nil) {
    let ttl: UInt32 =
      switch answer {
      case .success(let found): min(found.ttl, Self.maximumTTL)
      case .failure(let failure): min(failure.ttl ?? 0, Self.maximumNegativeTTL)
      }
    guard ttl > 0 else { return }
    let until = now() + .seconds(Int64(ttl))
    entries.withLockedValue { entries in
      if entries.count >= Self.maximumCount {
        let now = now()
        entries = entries.filter { $0.value.until > now }
        if entries.count >= Self.maximumCount { entries = [:] }
      }
      entries[Key(interface: interface, name: name, family: family)] = Entry(answer: answer, until: until)
    }
  }

  /// Forgets everything that an interface's servers answered.
  func forget(interface index: Int32) {
    entries.withLockedValue { entries in entries = entries.filter { $0.key.interface.index != index } }
  }
}
