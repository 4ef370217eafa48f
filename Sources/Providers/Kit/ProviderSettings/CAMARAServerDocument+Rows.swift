extension CAMARAServerDocument {
  /// The rows of this part.
  ///
  /// - Parameter hasFrontEnd: whether something else may tell the addresses.
  package static func serverRows(hasFrontEnd: Bool) -> [SettingsKeyRow] {
    let root = "the https URL under which the APIs are"
    let token = "the https URL where tokens are given"
    return [
      hasFrontEnd ? .asked("root", root) : .required("root", root),
      hasFrontEnd ? .asked("tokenEndpoint", token) : .required("tokenEndpoint", token),
      .asked(
        "authorizationEndpoint", "the https URL of authorizations; needed for everything that goes over the bearer"),
      .asked("redirectURI", "as registered; it is never fetched, unless redirectIsBackend is true"),
      .required("clientID", "client id of the registration"),
      .asked(
        "clientAuthentication", "secretBasic, secretPost, privateKey or none", standard: "by the credential that exists"
      ),
      .secret("client-secret", "the client's secret, for secretBasic and secretPost"),
      .secret("client-key", "the client's private key (PEM), for privateKey; or the shared key of HS256"),
      .key("keyAlgorithm", "RS256, PS256, ES256 or HS256", standard: "RS256"),
      .key("keyID", "id of the key (kid)"),
      .key("assertionAudience", "audience of the client's assertion", standard: "the token endpoint"),
      .key("assertionSeconds", "how long an assertion is valid, 1 to 300", standard: "240"),
      .key(
        "redirectIsBackend", "whether the redirect URI belongs to the backend, which exchanges the code",
        standard: "false"),
      .key("purpose", "a term of the Data Privacy Vocabulary", standard: "FraudPreventionAndDetection"),
      .key("pkce", "whether the code is tied to the request (RFC 7636)", standard: "true"),
      .key("promptNone", "whether the server is told to show no page", standard: "true"),
      .key("route", "host or bearer: the network for tokens and the APIs", standard: "host"),
      .key("authorizationSeconds", "time of an authorization, 1 to 300", standard: "60"),
    ]
  }
}
