import ProviderSettings

extension TruIDDocument {
  package static let rows: [SettingsKeyRow] = [
    .asked("clientID", "of the project, if modemd itself makes the checks; leave it out with a backend"),
    .secret("client-secret", "the project's secret", with: "clientID"),
    .asked(
      "backend.url", "URL of an application's backend with the paths of tru.ID's dev server, which makes the checks"),
    .asked("backend.user", "user of the backend, if it wants one"),
    .secret("backend-password", "the password of backend.user", with: "backend.user"),
    .asked("region", "eu, in or us: https://REGION.api.tru.id", standard: "eu"),
    .asked("version", "v0.1, or v0.2: the chain ends with a code that is exchanged for the result", standard: "v0.1"),
    .key("api", "an https URL to use instead of the region's"),
    .key("backend.resultForm", "path or query: how a result is requested first", standard: "as usual for the product"),
    .key("backend.exchange", "post or get: how a code is exchanged first", standard: "post"),
    .key("backend.route", "host or bearer: the network for calls of the backend", standard: "that of route"),
    .key("way", "backend or api, if both are configured", standard: "backend"),
    .key("route", "host or bearer: the network for calls whose source address proves nothing", standard: "host"),
    .key("product", "phoneCheck or subscriberCheck: what Verify requests", standard: "phoneCheck"),
    .key("redirect.url", "with v0.2: sent as redirect_url; it is never fetched, unless redirect.fetch is true"),
    .key("redirect.fetch", "whether redirect.url belongs to the backend, which exchanges the code", standard: "false"),
    .key("redirect.signature", "dated or verified: what is required of the URL's signature", standard: "dated"),
    .key("callback", "an https URL, sent as callback_url to the API"),
    .key(
      "checkDomains", "domains of check URLs, and of hosts that may get a coverage token", standard: "[\"api.tru.id\"]"),
    .key(
      "sendsAddress", "whether the bearer's public address is sent as phone_ip, so that tru.ID refuses early",
      standard: "false"),
    .key("publicCoverage", "whether coverage uses the old call without a token", standard: "false"),
    .key("sdkHeaders", "whether the first request over the bearer has the SDK's headers", standard: "false"),
    .key("sandbox", "whether the first request over the bearer says that it is a simulation", standard: "false"),
    .key("patienceSeconds", "how long to wait for a result after the chain's end, 1 to 120", standard: "30"),
  ]
}
