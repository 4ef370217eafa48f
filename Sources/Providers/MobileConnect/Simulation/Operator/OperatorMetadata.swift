import JSONTree
import OperatorSimulator

/// What the operator publishes of itself (OpenID Connect Discovery 1.0, 3, with Mobile Connect's
/// additions).
struct OperatorMetadata: Sendable {
  let environment: MobileConnectEnvironment

  private var root: String { "https://\(environment.hosts.operator)" }

  func configuration(_ request: SimulatedRequest) -> SimulatedResponse {
    if environment.provider.word("mobileConnect.metadata") == "unavailable" {
      return MobileConnectRefusal("server_error", "as the scenario says", status: 503).response()
    }
    return .json(
      JSONValue.object([
        "issuer": .string(root), "authorization_endpoint": .string(root + "/authorize"),
        "token_endpoint": .string(root + "/token"), "userinfo_endpoint": .string(root + "/userinfo"),
        "premiuminfo_endpoint": .string(root + "/premiuminfo"), "revocation_endpoint": .string(root + "/revoke"),
        "jwks_uri": .string(root + "/jwks"), "si_authorization_endpoint": .string(root + "/si-authorize"),
        "scopes_supported": Self.texts(MobileConnectScopes.all.sorted()),
        "mc_di_scopes_supported": Self.texts(MobileConnectScopes.all.sorted().filter { $0.hasPrefix("mc_") }),
        "response_types_supported": Self.texts(["code", "mc_si_async_code"]),
        "grant_types_supported": Self.texts([
          "authorization_code", "refresh_token", "urn:openid:params:grant-type:ciba",
        ]),
        "acr_values_supported": Self.texts(["2", "3"]), "mc_version": Self.texts(environment.settings.versions),
        "subject_types_supported": Self.texts(["pairwise"]),
        "id_token_signing_alg_values_supported": Self.texts(["RS256"]),
        "token_endpoint_auth_methods_supported": Self.texts(["client_secret_basic"]),
        "login_hint_methods_supported": Self.texts(["MSISDN", "ENCR_MSISDN", "PCR"]),
        "claims_parameter_supported": .bool(true),
      ]).text)
  }

  func keySet() -> SimulatedResponse {
    guard let keys = try? environment.keys.published(keyID: environment.keyID) else {
      return SimulatedResponse(status: 500)
    }
    return .json(keys.text)
  }

  private static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}
