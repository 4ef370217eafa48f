import AuthCore
import JSONTree
import ModemModel
import RedirectChain
import Synchronization
import Web

/// What is kept between the calls of one provider: operators, metadata and keys, and the discovery
/// service's cookies. None of it outlives modemd.
package final class MobileConnectMemory: Sendable {
  /// How long metadata and key sets are valid.
  package static let documentTime = Duration.seconds(300)
  /// How old they may be if they cannot be read again: an hour. This limits how long a machine that
  /// is cut off from its operator accepts a key that the operator withdrew because others have it.
  package static let documentAge = Duration.seconds(3600)
  private static let documentCount = 64

  private struct Document {
    var json: JSONValue
    var since: Timestamp
  }

  private struct State {
    var operators: OperatorCache
    var documents: [WebURL: Document] = [:]
    var jars: [Jar: DiscoveryCookies] = [:]
    /// The jars, the one that was filled longest ago first.
    var order: [Jar] = []
  }

  /// A cookie holds the choice of one user of one SIM, and must not be used for another.
  private struct Jar: Hashable {
    let modem: String
    let owner: ChainRequest.Owner?
  }

  private static let jarCount = 64

  private let state: Mutex<State>

  /// - Parameters:
  ///   - capacity: of operators, at least 1.
  ///   - least: the minimum validity of a discovery service's answer.
  package init(capacity: Int = 64, least: Duration = OperatorCache.shortest) {
    state = Mutex(State(operators: OperatorCache(capacity: capacity, least: least)))
  }

  func findOperator(_ network: PLMN, at now: Timestamp) -> OperatorCache.Finding? {
    state.withLock { $0.operators.find(network, at: now) }
  }

  func keep(_ found: MobileConnectOperator, for network: PLMN, ttl: Int?, at now: Timestamp) {
    state.withLock { $0.operators.keep(found, for: network, ttl: ttl, at: now) }
  }

  /// A document that was read, and whether it is still valid; nil if it is too old for any use, or
  /// from the future.
  func document(_ url: WebURL, at now: Timestamp) -> (json: JSONValue, isFresh: Bool)? {
    state.withLock { state in
      state.documents[url].flatMap { document in
        let age = now.time(since: document.since)
        guard age >= .zero, age < Self.documentAge else { return nil }
        return (document.json, age < Self.documentTime)
      }
    }
  }

  func keep(_ json: JSONValue, of url: WebURL, at now: Timestamp) {
    state.withLock { state in
      state.documents[url] = Document(json: json, since: now)
      while state.documents.count > Self.documentCount,
        let oldest = state.documents.min(by: { $0.value.since < $1.value.since })?.key
      {
        state.documents[oldest] = nil
      }
    }
  }

  func cookies(of modem: String, _ owner: ChainRequest.Owner?) -> DiscoveryCookies {
    state.withLock { $0.jars[Jar(modem: modem, owner: owner)] ?? DiscoveryCookies() }
  }

  func keep(_ cookies: DiscoveryCookies, of modem: String, _ owner: ChainRequest.Owner?) {
    let jar = Jar(modem: modem, owner: owner)
    state.withLock { state in
      state.jars[jar] = cookies
      state.order.removeAll { $0 == jar }
      state.order.append(jar)
      while state.order.count > Self.jarCount { state.jars[state.order.removeFirst()] = nil }
    }
  }
}
