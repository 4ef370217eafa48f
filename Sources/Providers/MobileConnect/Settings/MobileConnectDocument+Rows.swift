import ProviderSettings

extension MobileConnectDocument {
  package static let rows: [SettingsKeyRow] = operatorRows + requestRows + discoveryRows + otherModeRows

  private static let operatorRows: [SettingsKeyRow] = [
    .asked(
      "issuer", "The operator's https URL, with /.well-known/openid-configuration below it.",
      example: "https://operator.example"),
    .asked(
      "clientID", "The client id at the operator. A discovery service gives one for each operator.",
      standard: "by discovery", example: "app-1"),
    .secret("client-secret", "The secret of clientID.", with: "clientID"),
    .asked(
      "redirectURI", "The redirect URI of the registration. It is never fetched.", example: "https://app.example/back"),
    .asked(
      "discovery.url", "Instead of issuer: the https URL of a discovery service.",
      example: "https://discover.exchange.example/v2/discovery"),
    .asked("discovery.clientID", "The client id at the discovery service.", example: "app-1"),
    .secret("discovery-secret", "The secret of discovery.clientID.", with: "discovery.clientID"),
    .key(
      "clientCredential",
      "A credential's name instead of client-secret, for an override whose operator has another secret.",
      standard: "client-secret", example: "client-secret-26201"),
    .key(
      "endpoints.authorization", "Instead of issuer: the operator's https URL of authorizations.",
      standard: "that of metadata", example: "https://operator.example/authorize"),
    .key(
      "endpoints.token", "The https URL of tokens.", standard: "that of metadata",
      example: "https://operator.example/token"),
    .key(
      "endpoints.userinfo", "The https URL of user information.", standard: "that of metadata",
      example: "https://operator.example/userinfo"),
    .key(
      "endpoints.premiuminfo", "The https URL of premium information.", standard: "that of metadata",
      example: "https://operator.example/premiuminfo"),
    .key(
      "endpoints.revoke", "The https URL where tokens are revoked.", standard: "that of metadata",
      example: "https://operator.example/revoke"),
    .key(
      "endpoints.refresh", "The https URL where tokens are renewed.", standard: "that of endpoints.token",
      example: "https://operator.example/token"),
    .key(
      "endpoints.jwks", "The https URL of the operator's keys.", standard: "that of metadata",
      example: "https://operator.example/jwks"),
    .key(
      "endpoints.metadata", "The https URL of the operator's metadata, which names the others.",
      example: "https://operator.example/.well-known/openid-configuration"),
    .key(
      "endpoints.issuer", "The issuer of ID tokens.", standard: "that of metadata", example: "https://operator.example"),
    .key(
      "operatorDomains", "Domains, with the names below them, of endpoints that discovery or metadata names.",
      standard: "the domain of what names them", example: "[\"operator.example\"]"),
    .key("network", "Whose codes tell the operator: home or serving.", standard: "home", example: "serving"),
  ]

  private static let requestRows: [SettingsKeyRow] = [
    .asked("scope", "The words of the scope.", standard: "[\"openid\"]", example: "[\"openid\", \"mc_authn\"]"),
    .key("acr", "The levels of assurance.", standard: "[\"2\"]", example: "[\"3\", \"2\"]"),
    .key(
      "version", "The version of the profile.",
      standard: "the newest that is also in the operator's mc_version, or 1.1", example: "mc_v2.3"),
    .key("display", "How pages are shown: page, popup, touch or wap.", standard: "page", example: "touch"),
    .key("maxAgeSeconds", "How old an authentication may be, in seconds.", standard: "3600", example: "300"),
    .key("uiLocales", "The languages of pages.", standard: "[]", example: "[\"de\"]"),
    .key("claimsLocales", "The languages of claims.", standard: "[]", example: "[\"de\"]"),
    .key(
      "clientName", "The application's name on the handset.", standard: "the name that discovery tells", example: "Gate"
    ),
    .key("sendsCorrelationID", "Whether a correlation id is sent.", standard: "true", example: "false"),
    .key(
      "sendsNumber", "Whether the SIM's own number is the login hint if a call has none.", standard: "false",
      example: "true"),
    .key("validation", "How org.modemd.Verify asks about a number: plus or plain.", standard: "plus", example: "plain"),
    .key(
      "requiresSeamless", "Whether a number counts only if the operator recognised the bearer.", standard: "true",
      example: "false"),
    .key(
      "route", "The network for the exchange, tokens, keys and information: host or bearer.", standard: "host",
      example: "bearer"),
    .key(
      "authorizationSeconds", "How long the operator may redirect, in seconds, 1 to 300.", standard: "120",
      example: "60"),
    .key("maximumRedirects", "How often the operator may redirect, 1 to 50.", standard: "24", example: "10"),
    .key(
      "handsetPauseSeconds", "The pause between redirects of a host to its own page, in seconds, 0 to 60.",
      standard: "5", example: "2"),
    .key(
      "clockSkewSeconds", "How far the operator's clock may be off, in seconds, 0 to 600.", standard: "60", example: "5"
    ),
    .key("cacheEntries", "How many operators that discovery found are kept, 1 to 10000.", standard: "64", example: "8"),
    .key(
      "cacheLeastSeconds", "How long each is kept at least, in seconds, 0 to 86400.", standard: "300", example: "60"),
  ]

  private static let discoveryRows: [SettingsKeyRow] = [
    .key(
      "discovery.redirectURL", "The redirect URL at the discovery service.", standard: "redirectURI",
      example: "https://app.example/discovered"),
    .key(
      "discovery.ways", "The ways to find the operator, in order: network, number, address, page.",
      standard: "all that have data", example: "[\"network\"]"),
    .key(
      "discovery.networkForm", "Which pair of parameters has the network's codes: identified or selected.",
      standard: "identified", example: "selected"),
    .key(
      "discovery.addressForm",
      "How the address is told: bearer (the request itself goes over it) or header (X-Source-IP).", standard: "bearer",
      example: "header"),
    .key(
      "discovery.usingMobileData", "How the use of mobile data is told: number, word or none.", standard: "number",
      example: "none"),
    .key("discovery.xRedirect", "Whether X-Redirect: APP is sent.", standard: "true", example: "false"),
    .key("discovery.html", "Whether the page comes by 302 instead of 202.", standard: "false", example: "true"),
    .key("discovery.localAddress", "Whether Local-Client-IP is sent.", standard: "false", example: "true"),
    .key("discovery.sourceAddress", "The address for X-Source-IP if the bearer's is not public.", example: "192.0.2.1"),
    .key("discovery.sdkVersion", "A header field, if the service wants it.", example: "1.0"),
    .key("discovery.clientVersion", "A header field, if the service wants it.", example: "1.0"),
    .key("discovery.serverVersion", "A header field, if the service wants it.", example: "1.0"),
    .key(
      "discovery.cookies", "Whether the service's cookies are kept; otherwise Ignore-Cookies is sent.",
      standard: "true", example: "false"),
  ]

  private static let otherModeRows: [SettingsKeyRow] = [
    .asked(
      "appServer.url", "The https URL of an app's server with the server-side library, for the button.",
      example: "https://app.example"),
    .key(
      "appServer.path", "The path of the library there.", standard: "/mobile-connect/server_side_api",
      example: "/mobile-connect"),
    .key(
      "appServer.manual", "Whether the server has the operator's endpoints itself (start_discovery_manually).",
      standard: "false", example: "true"),
    .key(
      "appServer.sendsAddress", "Whether the server is told the bearer's address, if it is public.",
      standard: "true with sourceAddress", example: "true"),
    .key("appServer.sourceAddress", "The address that it is told if the bearer's is not public.", example: "192.0.2.1"),
    .key("appServer.sendsNumber", "Whether the server is told the SIM's number.", standard: "true", example: "false"),
    .key(
      "appServer.clientVersion", "The version of the client that the server expects.", standard: "modemd-VERSION",
      example: "1.0"),
    .secret(
      "request-key", "RSA key (PEM) that signs requests of the server-initiated mode.", with: "serverInitiated.keyID"),
    .key("serverInitiated.keyID", "The id of the registered RSA key that signs requests.", example: "key-1"),
    .key(
      "serverInitiated.endpoint", "The https URL of requests of the server-initiated mode.",
      standard: "what discovery or metadata says", example: "https://operator.example/si"),
    .key(
      "serverInitiated.pollingEndpoint", "The https URL where the answer is asked for.",
      standard: "what discovery or metadata says", example: "https://operator.example/si/poll"),
    .key("serverInitiated.version", "The version of the profile.", standard: "mc_si_r2_v1.0", example: "mc_si_r2_v1.0"),
    .key(
      "serverInitiated.audience", "For whom requests are signed (aud).", standard: "the issuer",
      example: "https://operator.example"),
    .key(
      "serverInitiated.grantType", "The grant type of polling.", standard: "urn:openid:params:grant-type:ciba",
      example: "urn:openid:params:grant-type:ciba"),
    .key(
      "serverInitiated.notificationURI", "A URL where the operator tells the end. modemd itself asks.",
      example: "https://app.example/notify"),
    .key(
      "serverInitiated.patienceSeconds", "How long to wait for the end, in seconds, 1 to 600.", standard: "120",
      example: "60"),
    .key("serverInitiated.intervalSeconds", "How often to ask, in seconds, 1 to 60.", standard: "5", example: "2"),
  ]
}
