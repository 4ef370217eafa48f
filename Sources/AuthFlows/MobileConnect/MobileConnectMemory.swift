import AuthCore
import JSONTree
import ModemModel
import RedirectChain
import Synchronization

/// What is kept between the calls of one provider: operators, metadata and keys, and the discovery service's cookies. Nothing of it outlives
/// modemd.
public final class MobileConnectMemory: Sendable {
  /// For how long metadata and key sets are believed.
  public static let documentTime = Duration.seconds(300)
  private static let documentCount = 64

  private struct Document {
    var json: JSONValue
    var since: Timestamp
  }

  private struct State {
    var operators: OperatorCache
    var documents: [WebURL: Document] = [:]
    /// By modem: a cookie says what one SIM's user chose.
    var cookies: [String: DiscoveryCookies] = [:]
  }

  private let state: Mutex<State>

  /// - Parameters:
  ///   - capacity: of operators, at least 1.
  ///   - least: for how long a discovery service's answer is believed at least.
  public init(capacity: Int = 64, least: Duration = OperatorCache.shortest) {
    state = Mutex(State(operators: OperatorCache(capacity: capacity, least: least)))
  }

  func findOperator(_ network: PLMN, at now: Timestamp) -> OperatorCache.Finding? {
    state.withLock { $0.operators.find(network, at: now) }
  }

  func keep(_ found: MobileConnectOperator, for network: PLMN, ttl: Int?, at now: Timestamp) {
    state.withLock { $0.operators.keep(found, for: network, ttl: ttl, at: now) }
  }

  /// A document that was read, and whether it is still believed.
  func document(_ url: WebURL, at now: Timestamp) -> (json: JSONValue, isFresh: Bool)? {
    state.withLock { state in
      state.documents[url].map { document in
        let age = now.time(since: document.since)
        return (document.json, age >= .zero && age < Self.documentTime)
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

  func cookies(of modem: String) -> DiscoveryCookies { state.withLock { $0.cookies[modem] ?? DiscoveryCookies() } }

  func keep(_ cookies: DiscoveryCookies, of modem: String) { state.withLock { $0.cookies[modem] = cookies } }
}
