import AuthCore
import JSONTree
import RedirectChain
import Web

/// An operator as the discovery service, its metadata or the configuration describes it.
package struct MobileConnectOperator: Hashable, Sendable {
  /// An endpoint's purpose, by the word in `rel` (GSMA Discovery, `apis.operatorid.link`).
  package enum Relation: String, Hashable, Sendable, CaseIterable {
    case authorization, token, userinfo, premiuminfo
    case revocation = "tokenrevoke"
    case refresh = "tokenrefresh"
    case keys = "jwks"
    case metadata = "openid-configuration"
    /// For the server-initiated mode; only in metadata.
    case serverInitiated = "si-authorize"
  }

  package var endpoints: [Relation: WebURL] = [:]
  /// The required issuer of ID tokens.
  package var issuer: String?
  /// The client that the operator knows; nil if it is configured.
  package var client: MobileConnectClient?
  /// The application's registered name.
  package var clientName: String?
  /// The operator's own name.
  package var name: String?
  package var country: String?
  package var currency: String?
  /// The link `scope`: the address of the list of scopes, or the scopes themselves.
  package var scope: String?
  /// The link `applicationShortName`.
  package var applicationShortName: String?
  /// Its metadata; nil before it was read, and if there is none.
  package var metadata: MobileConnectMetadata?

  /// Endpoints that an answer named at places where this operator may have none, and these places.
  /// They are not called.
  var refused: [Relation: String] = [:]

  package init() {}

  /// Reads the object `response` of a discovery answer.
  ///
  /// - Parameter origins: the allowed targets of its links.
  /// - Returns: nil for one without links.
  init?(_ response: JSONValue, within origins: OperatorOrigins) {
    let links = response["apis"]?["operatorid"]?["link"]?.items ?? []
    guard !links.isEmpty else { return nil }
    for link in links {
      guard let relation = link["rel"]?.string, let target = link["href"]?.string else { continue }
      switch relation {
      case "issuer": issuer = target
      case "scope": scope = target
      case "applicationShortName": applicationShortName = target
      // An invalid or disallowed link is reported by its name where it is needed.
      default:
        guard let known = Relation(rawValue: relation) else { continue }
        do throws(AnsweredURL.Fault) {
          endpoints[known] = try origins.link(target).url
        } catch {
          refused[known] = error.description
        }
      }
    }
    name = response["serving_operator"]?.string
    country = response["country"]?.string
    currency = response["currency"]?.string
    clientName = response["client_name"]?.string
    if let id = response["client_id"]?.string, let secret = response["client_secret"]?.string {
      client = MobileConnectClient(id: id, secret: Secret(secret))
    }
  }

  /// This operator with its metadata: endpoints there replace links.
  func with(_ metadata: MobileConnectMetadata) -> MobileConnectOperator {
    var whole = self
    whole.metadata = metadata
    whole.endpoints.merge(metadata.endpoints) { _, new in new }
    whole.refused.merge(metadata.refused) { _, new in new }
    for relation in metadata.refused.keys { whole.endpoints[relation] = nil }
    whole.issuer = metadata.issuer ?? issuer
    return whole
  }
}
