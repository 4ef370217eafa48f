import ProviderSettings

extension TruIDDocument {
  package static let rows: [SettingsKeyRow] = [
    .asked(
      "clientID", "The client id of the project, if modemd itself makes the checks. Leave it out with a backend.",
      example: "6f2a"),
    .secret("client-secret", "The project's secret.", with: "clientID"),
    .asked(
      "backend.url",
      "The http or https URL of an app's backend with the paths of tru.ID's dev server, which makes the checks.",
      example: "https://app.example"),
    .asked("backend.user", "The user at that backend, if it wants one.", example: "gate"),
    .secret("backend-password", "The password of backend.user.", with: "backend.user"),
    .asked("region", "The residency of the data: eu, in or us.", standard: "eu", example: "us"),
    .asked(
      "version",
      "v0.1: the chain ends without a result, and the result is requested. v0.2: it ends with a code that is exchanged for the result.",
      standard: "v0.1", example: "v0.2"),
    .key(
      "api", "An https URL to use instead of the region's.", standard: "https://REGION.api.tru.id",
      example: "https://eu.api.tru.id"),
    .key(
      "backend.resultForm", "Where the result's id stands, which is tried first: path or query.",
      standard: "path for subscriberCheck, else query", example: "path"),
    .key(
      "backend.exchange", "How a code is exchanged, which is tried first: post or get.", standard: "post",
      example: "get"),
    .key(
      "backend.route", "The network for the backend's calls: host or bearer.", standard: "that of route",
      example: "host"),
    .key(
      "backend.traceparent",
      "Whether that backend is told of the call's trace (W3C Trace Context), over the machine's own network.",
      standard: "false", example: "true"),
    .key(
      "way", "Who makes the calls, if both are configured: backend or api.", standard: "backend, if there is one",
      example: "backend"),
    .key(
      "route", "The network for calls whose source address proves nothing: host or bearer.", standard: "host",
      example: "bearer"),
    .key(
      "product", "What org.modemd.Verify requests: phoneCheck or subscriberCheck.", standard: "phoneCheck",
      example: "subscriberCheck"),
    .key(
      "redirect.url",
      "The URL that checks redirect to, sent as redirect_url. It is needed with v0.2, and never fetched, unless redirect.fetch is true.",
      example: "https://app.example/back"),
    .key(
      "redirect.fetch",
      "Whether that URL belongs to the backend, which is then fetched over the bearer and exchanges the code.",
      standard: "false", example: "true"),
    .key(
      "redirect.signature",
      "What the redirect's signature must be: dated (present and at most 300 s old), or verified (also made by a key of the provider).",
      standard: "dated", example: "dated"),
    .key(
      "callback", "An https URL, sent as callback_url to the API. modemd itself accepts no callbacks.",
      example: "https://app.example/callback"),
    .key(
      "checkDomains", "Domains of check URLs, and of hosts that may get a coverage token.",
      standard: "[\"api.tru.id\"], and always the origin of api", example: "[\"api.tru.id\"]"),
    .key(
      "sendsAddress",
      "Whether modemd first finds out the bearer's public address and sends it (phone_ip), so that tru.ID refuses early.",
      standard: "false", example: "true"),
    .key(
      "publicCoverage", "Whether coverage is asked by the old call without a token.", standard: "false", example: "true"
    ),
    .key(
      "sdkHeaders", "Whether the SDK's fields and the SIM's network go with the first request over the bearer.",
      standard: "false", example: "true"),
    .key("sandbox", "Whether the sandbox is asked (x-tru-mode: sandbox).", standard: "false", example: "true"),
    .key(
      "patienceSeconds", "How long to wait for a result after the chain's end, in seconds, 1 to 120.", standard: "30",
      example: "60"),
  ]
}
