import AuthCore
import JSONTree
import RedirectChain
import Web

/// An operator's metadata (OpenID Connect Discovery, 3, with the members of Mobile Connect).
package struct MobileConnectMetadata: Hashable, Sendable {
  package var issuer: String?
  package var endpoints: [MobileConnectOperator.Relation: WebURL] = [:]
  /// `mc_version`
  package var versions: [String] = []
  package var scopes: [String] = []
  package var acrValues: [String] = []
  /// `login_hint_methods_supported`
  package var loginHintMethods: [String] = []
  /// False if the operator refuses `claims`; nil if it does not say.
  package var takesClaims: Bool?

  /// Endpoints that it names at other origins, and their places.
  var refused: [MobileConnectOperator.Relation: String] = [:]

  /// - Parameter origins: the allowed places of its endpoints.
  /// - Returns: nil for anything but an object.
  init?(_ json: JSONValue?, within origins: TrustedOrigins) {
    guard let json, case .object = json else { return nil }
    issuer = json["issuer"]?.string
    for (member, relation) in Self.members {
      guard let text = json[member]?.string else { continue }
      do throws(AnsweredURL.Fault) {
        endpoints[relation] = try AnsweredURL(text, within: origins).url
      } catch {
        refused[relation] = error.description
      }
    }
    versions = Self.words(json["mc_version"])
    scopes = Self.words(json["scopes_supported"]) + Self.words(json["mc_di_scopes_supported"])
    acrValues = Self.words(json["acr_values_supported"])
    loginHintMethods = Self.words(json["login_hint_methods_supported"] ?? json["mc_login_hint_methods_supported"])
    takesClaims = (json["mc_claims_parameter_supported"] ?? json["claims_parameter_supported"])?.looseBoolean
  }

  private static let members: [(String, MobileConnectOperator.Relation)] = [
    ("authorization_endpoint", .authorization), ("token_endpoint", .token), ("userinfo_endpoint", .userinfo),
    ("premiuminfo_endpoint", .premiuminfo), ("revocation_endpoint", .revocation), ("refresh_endpoint", .refresh),
    ("jwks_uri", .keys), ("si_authorization_endpoint", .serverInitiated),
  ]

  private static func words(_ value: JSONValue?) -> [String] {
    value?.items.compactMap(\.string) ?? value?.string?.split(separator: " ").map(String.init) ?? []
  }
}
