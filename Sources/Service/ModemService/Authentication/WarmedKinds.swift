import RedirectChain
import Synchronization

/// The kinds of chains for which one flow had connections made ready, until it comes to such a
/// chain. A flow makes several calls on its way to a chain, but it needs the connections once.
final class WarmedKinds: Sendable {
  private let kinds = Mutex<Set<ChainKind>>([])

  /// - Returns: whether nothing was made ready for a chain of this kind yet.
  func insert(_ kind: ChainKind) -> Bool { kinds.withLock { $0.insert(kind).inserted } }

  /// A chain of this kind begins.
  func remove(_ kind: ChainKind) { kinds.withLock { _ = $0.remove(kind) } }
}
