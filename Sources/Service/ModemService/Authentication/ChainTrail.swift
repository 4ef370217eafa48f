import AuthCore
import RedirectChain
import Synchronization

/// What is remembered of a chain's hops for the flow that had it walked.
final class ChainTrail: Sendable {
  private struct State {
    var family: ChainHop.Family?
    var urls: [Secret] = []
  }

  private let state = Mutex(State())

  func note(_ hop: ChainHop) {
    state.withLock { state in
      state.family = state.family ?? hop.family
      state.urls.append(Secret(hop.secrets.revealed.url))
    }
  }

  /// The family of the address that the first hop used.
  var family: ChainHop.Family? { state.withLock { $0.family } }

  /// What was asked for, in order.
  var urls: [Secret] { state.withLock { $0.urls } }
}
