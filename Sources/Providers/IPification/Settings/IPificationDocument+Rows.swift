import ProviderSettings

extension IPificationDocument {
  package static let rows: [SettingsKeyRow] = [
    .required("clientID", "The client id of the registration.", example: "app-1"),
    .required(
      "redirectURI", "As registered: scheme://path with a scheme of its own in lower case, or https.",
      example: "https://app.example/back"),
    .secret("client-secret", "The client's secret, if this machine exchanges codes; leave it out with a backend."),
    .asked(
      "backend", "The https URL of the app's own server, which gets the code and answers with the claims.",
      example: "https://app.example/exchange"),
    .asked(
      "host",
      "Where coverage and authorization are: production, stage, a region by two letters such as id, or an https URL.",
      standard: "production", example: "stage"),
    .key(
      "backendTraceparent",
      "Whether that server is told of the call's trace (W3C Trace Context), over the machine's own network.",
      standard: "false", example: "true"),
    .key(
      "redirectIsBackend", "Whether the redirect URI belongs to the backend, which is then fetched over the bearer.",
      standard: "false", example: "true"),
    .key(
      "tokenHost", "Where token and user information are, in the form of host.", standard: "that of host",
      example: "production"),
    .key("realm", "The realm in the paths.", standard: "ipification", example: "ipification"),
    .key(
      "paths.coverage", "Replaces the whole path of coverage.", standard: "by the realm",
      example: "/auth/realms/ipification/coverage"),
    .key(
      "paths.authorization", "Replaces the whole path of authorization.", standard: "by the realm",
      example: "/auth/realms/ipification/auth"),
    .key(
      "paths.token", "Replaces the whole path of the token endpoint.", standard: "by the realm",
      example: "/auth/realms/ipification/token"),
    .key(
      "paths.userinfo", "Replaces the whole path of user information.", standard: "by the realm",
      example: "/auth/realms/ipification/userinfo"),
    .key(
      "scope", "The scopes. ip:phone tells the number, ip:mobile_id a hash that changes with SIM or device.",
      standard: "[\"openid\", \"ip:phone_verify\"]", example: "[\"openid\", \"ip:phone\"]"),
    .key("sendsConsent", "Whether the user's consent is sent.", standard: "true", example: "false"),
    .key("consentID", "The id of that consent.", standard: "ipconsent001eng", example: "ipconsent001eng"),
    .key("locales", "The languages of pages (ui_locales).", standard: "[]", example: "[\"de\"]"),
    .key("channels", "Channels to continue in messages.", standard: "[]", example: "[\"wa\"]"),
    .key("statePrefix", "What stands before a random state.", standard: "modemd-", example: "app-"),
    .key("sendsNetwork", "Whether MCC and MNC of the SIM are sent.", standard: "true", example: "false"),
    .key("checksCoverage", "Whether org.modemd.Verify asks for coverage first.", standard: "true", example: "false"),
    .key(
      "assumesCoverage", "Whether to use the stage's coverage call that always says yes.", standard: "false",
      example: "true"),
    .key(
      "cookies", "Whether cookies are kept along the chain; some operators need them.", standard: "true",
      example: "false"),
    .key(
      "cleartext",
      "Hosts that may be reached in the clear: any, or known, the list of operators that IPification publishes.",
      standard: "any", example: "known"),
    .key(
      "cleartextDomains", "Domains that may be reached in the clear, instead of cleartext.", standard: "by cleartext",
      example: "[\"operator.example\"]"),
    .key("family", "The address family to use: ipv4 or ipv6 alone.", standard: "what the bearer has", example: "ipv4"),
    .key(
      "route", "The network for token, user information, an address's coverage and the backend: host or bearer.",
      standard: "host", example: "bearer"),
    .key("claims", "Where the answer is read: userinfo or idToken.", standard: "userinfo", example: "idToken"),
    .key(
      "authorizationSeconds", "How long an authorization may take, in seconds, 1 to 300.", standard: "60", example: "30"
    ),
    .key("coverageSeconds", "How long coverage may take, in seconds, 1 to 300.", standard: "25", example: "10"),
  ]
}
