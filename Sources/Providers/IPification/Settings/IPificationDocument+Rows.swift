import ProviderSettings

extension IPificationDocument {
  package static let rows: [SettingsKeyRow] = [
    .required("clientID", "client id of the registration"),
    .required("redirectURI", "as registered: scheme://path with a scheme of its own in lower case, or https"),
    .secret("client-secret", "the client's secret, if this machine exchanges codes; leave it out with a backend"),
    .asked("backend", "URL of the application's backend, which gets the code and answers with the claims"),
    .asked("host", "production, stage, a region by two letters such as id, or an https URL", standard: "production"),
    .key("redirectIsBackend", "whether the redirect URI belongs to the backend and is fetched once", standard: "false"),
    .key("tokenHost", "host for token and user information", standard: "that of host"),
    .key("realm", "the realm in all paths", standard: "ipification"),
    .key("paths.coverage", "replaces the whole path of coverage"),
    .key("paths.authorization", "replaces the whole path of authorization"),
    .key("paths.token", "replaces the whole path of the token endpoint"),
    .key("paths.userinfo", "replaces the whole path of user information"),
    .key(
      "scope", "words of the scope; ip:phone tells the number, ip:mobile_id a hash of SIM and device",
      standard: "[\"openid\", \"ip:phone_verify\"]"),
    .key("sendsConsent", "whether the user's consent is sent", standard: "true"),
    .key("consentID", "the id of that consent", standard: "ipconsent001eng"),
    .key("locales", "languages (ui_locales)", standard: "[]"),
    .key("channels", "channels to continue in messages", standard: "[]"),
    .key("statePrefix", "what stands before a random state", standard: "modemd-"),
    .key("sendsNetwork", "whether MCC and MNC of the SIM are sent", standard: "true"),
    .key("checksCoverage", "whether Verify asks for coverage first", standard: "true"),
    .key("assumesCoverage", "whether the stage's coverage call is used that always says yes", standard: "false"),
    .key("cookies", "whether cookies are kept along the chain", standard: "true"),
    .key("cleartext", "any, or known: the hosts that may be reached in the clear", standard: "any"),
    .key("cleartextDomains", "instead of cleartext: a list of those hosts"),
    .key("family", "ipv4 or ipv6 alone", standard: "what the bearer has"),
    .key(
      "route", "host or bearer: the network for token, user information, an address's coverage and the backend",
      standard: "host"),
    .key("claims", "userinfo or idToken: where the answer is read", standard: "userinfo"),
    .key("authorizationSeconds", "time of an authorization, 1 to 300", standard: "60"),
    .key("coverageSeconds", "time of a coverage call, 1 to 300", standard: "25"),
  ]
}
