import RedirectChain
import Synchronization

/// The family of the address that a chain's first hop used.
final class FirstFamily: Sendable {
  private let family = Mutex<ChainHop.Family?>(nil)

  func note(_ hop: ChainHop) { family.withLock { $0 = $0 ?? hop.family } }

  var value: ChainHop.Family? { family.withLock { $0 } }
}
