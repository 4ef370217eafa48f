import ProviderSettings

extension MobileConnectDocument {
  package static let rows: [SettingsKeyRow] = operatorRows + requestRows + discoveryRows + otherModeRows

  private static let operatorRows: [SettingsKeyRow] = [
    .asked("issuer", "the operator's https URL, with /.well-known/openid-configuration below it"),
    .asked("clientID", "of the registration at the operator; a discovery service gives one for each"),
    .secret("client-secret", "the secret of clientID", with: "clientID"),
    .asked("redirectURI", "as registered; it is never fetched"),
    .asked("discovery.url", "instead of issuer: the https URL of a discovery service"),
    .asked("discovery.clientID", "of the registration at the discovery service"),
    .secret("discovery-secret", "the secret of discovery.clientID", with: "discovery.clientID"),
    .key("clientCredential", "a name to use instead of client-secret", standard: "client-secret"),
    .key("endpoints.authorization", "instead of issuer: the operator's https URL of authorizations"),
    .key("endpoints.token", "its token endpoint"),
    .key("endpoints.userinfo", "its user information"),
    .key("endpoints.premiuminfo", "its identity information"),
    .key("endpoints.revoke", "where tokens are revoked"),
    .key("endpoints.refresh", "where tokens are refreshed, if elsewhere"),
    .key("endpoints.jwks", "its key set"),
    .key("endpoints.metadata", "its metadata; the other endpoints are then optional"),
    .key("endpoints.issuer", "the issuer of its ID tokens"),
    .key("operatorDomains", "domains, with the names below them, of endpoints that discovery or metadata names"),
    .key("network", "home or serving: whose codes tell the operator", standard: "home"),
  ]

  private static let requestRows: [SettingsKeyRow] = [
    .asked("scope", "words of the scope", standard: "[\"openid\"]"),
    .key("acr", "levels of assurance", standard: "[\"2\"]"),
    .key("version", "version of the profile, such as mc_di_r2_v2.3", standard: "the newest that the operator has"),
    .key("display", "page, popup, touch or wap: how a page is shown", standard: "page"),
    .key("maxAgeSeconds", "how old an authentication may be", standard: "3600"),
    .key("uiLocales", "languages of the operator's page", standard: "[]"),
    .key("claimsLocales", "languages of the claims", standard: "[]"),
    .key("clientName", "the application's name on the handset", standard: "the name that discovery tells"),
    .key("sendsCorrelationID", "whether requests carry a correlation id", standard: "true"),
    .key("sendsNumber", "whether the SIM's own number is the login hint if a call has none", standard: "false"),
    .key("validation", "plus or plain: how Verify asks about a number", standard: "plus"),
    .key("requiresSeamless", "whether a number counts only if the operator recognised the bearer", standard: "true"),
    .key("route", "host or bearer: the network for the exchange, tokens, keys and information", standard: "host"),
    .key("authorizationSeconds", "time of an authorization, 1 to 300", standard: "120"),
    .key("maximumRedirects", "redirects of an authorization, 1 to 50", standard: "24"),
    .key("handsetPauseSeconds", "pause between redirects of a host to its own page, 0 to 60", standard: "5"),
    .key("clockSkewSeconds", "allowed difference of the clocks, 0 to 600", standard: "60"),
    .key("cacheEntries", "operators that are kept, 1 to 10000", standard: "64"),
    .key("cacheLeastSeconds", "how long an operator is kept at least, 0 to 86400", standard: "300"),
  ]

  private static let discoveryRows: [SettingsKeyRow] = [
    .key("discovery.redirectURL", "the URL registered there", standard: "redirectURI"),
    .key("discovery.ways", "what is tried, in order", standard: "[\"network\", \"number\", \"address\", \"page\"]"),
    .key(
      "discovery.networkForm", "identified or selected: which pair of parameters has the codes", standard: "identified"),
    .key("discovery.addressForm", "bearer or header: how the address is told", standard: "bearer"),
    .key("discovery.usingMobileData", "number, word or none", standard: "number"),
    .key("discovery.xRedirect", "whether X-Redirect: APP is sent", standard: "true"),
    .key("discovery.html", "whether the page comes by 302", standard: "false"),
    .key("discovery.localAddress", "whether Local-Client-IP is sent", standard: "false"),
    .key("discovery.sourceAddress", "address to send with header, if the bearer's is not public"),
    .key("discovery.sdkVersion", "a header, if the service wants it"),
    .key("discovery.clientVersion", "a header, if the service wants it"),
    .key("discovery.serverVersion", "a header, if the service wants it"),
    .key("discovery.cookies", "whether the service's cookies are kept", standard: "true"),
  ]

  private static let otherModeRows: [SettingsKeyRow] = [
    .asked("appServer.url", "https URL of an app's server with the server-side library, for the button"),
    .key("appServer.path", "path of the library", standard: "/mobile-connect/server_side_api"),
    .key("appServer.manual", "whether the server's discovery is left out", standard: "false"),
    .key(
      "appServer.sendsAddress", "whether the bearer's address is sent, if it is public",
      standard: "true with sourceAddress"),
    .key("appServer.sourceAddress", "address to send instead"),
    .key("appServer.sendsNumber", "whether the SIM's number is sent", standard: "true"),
    .key("appServer.clientVersion", "version of the client", standard: "modemd's"),
    .secret(
      "request-key", "RSA key (PEM) that signs requests of the server-initiated mode", with: "serverInitiated.keyID"),
    .key("serverInitiated.keyID", "id of the registered key that signs requests"),
    .key("serverInitiated.endpoint", "its https URL", standard: "that of the operator's metadata"),
    .key("serverInitiated.pollingEndpoint", "where the answer is polled", standard: "the token endpoint"),
    .key("serverInitiated.version", "version of the profile", standard: "mc_si_r2_v1.0"),
    .key("serverInitiated.audience", "audience of requests", standard: "the issuer"),
    .key("serverInitiated.grantType", "grant of polling", standard: "urn:openid:params:grant-type:ciba"),
    .key("serverInitiated.notificationURI", "where the operator would also send the answer"),
    .key("serverInitiated.patienceSeconds", "how long to wait for the answer, 1 to 600", standard: "120"),
    .key("serverInitiated.intervalSeconds", "pause between polls, 1 to 60", standard: "5"),
  ]
}
