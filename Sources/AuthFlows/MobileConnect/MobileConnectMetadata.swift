import JSONTree
import RedirectChain

/// An operator's metadata (OpenID Connect Discovery, 3, with the members of Mobile Connect).
public struct MobileConnectMetadata: Hashable, Sendable {
  public var issuer: String?
  public var endpoints: [MobileConnectOperator.Relation: WebURL] = [:]
  /// `mc_version`
  public var versions: [String] = []
  public var scopes: [String] = []
  public var acrValues: [String] = []
  /// `login_hint_methods_supported`
  public var loginHintMethods: [String] = []
  /// False where the operator refuses `claims`; nil where it does not say.
  public var takesClaims: Bool?

  /// - Returns: nil for what is no object.
  init?(_ json: JSONValue?) {
    guard let json, case .object = json else { return nil }
    issuer = json["issuer"]?.string
    for (member, relation) in Self.members {
      if let url = json[member]?.string.flatMap({ try? WebURL($0) }) { endpoints[relation] = url }
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
