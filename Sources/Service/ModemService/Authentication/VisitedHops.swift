import AuthCore
import RedirectChain
import Synchronization

/// What is remembered of a chain's hops for its flow.
final class VisitedHops: Sendable {
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

  /// The address family of the first hop.
  var family: ChainHop.Family? { state.withLock { $0.family } }

  /// The requested URLs, in order.
  var urls: [Secret] { state.withLock { $0.urls } }
}
