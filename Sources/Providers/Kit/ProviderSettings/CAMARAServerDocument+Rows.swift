extension CAMARAServerDocument {
  /// The rows of this part.
  package static let serverRows: [SettingsKeyRow] = [
    .required(
      "root", "The https URL under which the APIs are.", unless: "frontEnd", example: "https://api.operator.example"),
    .required(
      "tokenEndpoint", "The https URL where tokens are given.", unless: "frontEnd",
      example: "https://auth.operator.example/token"),
    .asked(
      "authorizationEndpoint",
      "The https URL of authorizations. It is needed for everything that goes over the bearer.",
      example: "https://auth.operator.example/authorize"),
    .asked(
      "redirectURI", "The redirect URI of the registration. It is never fetched, unless redirectIsBackend is true.",
      example: "https://app.example/back"),
    .required("clientID", "The client id of the registration.", example: "app-1"),
    .asked(
      "clientAuthentication", "How the client proves itself: secretBasic, secretPost, privateKey or none.",
      standard: "by the credential that exists", example: "privateKey"),
    .secret("client-secret", "The client's secret, for secretBasic and secretPost."),
    .secret("client-key", "The client's private key (PEM), for privateKey; or the shared key of HS256."),
    .key(
      "keyAlgorithm", "The algorithm of privateKey: RS256, PS256, ES256, or HS256 with a shared key.",
      standard: "RS256", example: "ES256"),
    .key("keyID", "The key's id (kid).", example: "key-1"),
    .key(
      "assertionAudience", "For whom the client signs (aud).", standard: "the token endpoint",
      example: "https://auth.operator.example"),
    .key(
      "assertionSeconds", "How long the client's signature counts, in seconds, 1 to 300.", standard: "240",
      example: "60"),
    .key(
      "redirectIsBackend",
      "Whether the redirect URI belongs to the backend, which is then fetched over the bearer and answers for itself.",
      standard: "false", example: "true"),
    .key(
      "purpose", "A term of the Data Privacy Vocabulary, in letters.", standard: "FraudPreventionAndDetection",
      example: "FraudPreventionAndDetection"),
    .key(
      "pkce", "Whether the authorization is bound to its code by PKCE (RFC 7636).", standard: "true", example: "false"),
    .key("promptNone", "Whether the operator is told to ask nobody (prompt=none).", standard: "true", example: "false"),
    .key(
      "route", "The network for calls whose source address proves nothing: host or bearer.", standard: "host",
      example: "bearer"),
    .key(
      "authorizationSeconds", "How long an authorization may take, in seconds, 1 to 300.", standard: "60", example: "30"
    ),
  ]
}
