import ProviderSettings

extension MIRACLDocument {
  package static let rows: [SettingsKeyRow] = [
    .required("project", "The project's id.", example: "3f0c9a5e-77b1-4d20-8c1e-5a7f30c9d2b4"),
    .asked("api", "The project's https URL.", standard: "https://api.mpin.io", example: "https://login.example"),
    .asked(
      "trustedDomains",
      "Domains, with the names below them, of links, shares and platforms. The API's origin is always trusted.",
      standard: "[\"mpin.io\"] with an API there, else none", example: "[\"mpin.io\", \"login.example\"]"),
    .asked("deviceName", "What the platform shows of this machine.", standard: "modemd", example: "gate 7"),
    .asked(
      "clientID", "The client id of the project's own backend, if this machine is that backend.", example: "backend-1"),
    .secret("client-secret", "The secret of clientID.", with: "clientID"),
    .key(
      "generation", "The form of the platform's calls: registration, or rps (older).", standard: "registration",
      example: "rps"),
    .key("route", "The network for all calls: host or bearer.", standard: "host", example: "bearer"),
    .key(
      "deviceTag", "32 hexadecimal digits in lower case that stay the same.",
      example: "0123456789abcdef0123456789abcdef"),
    .key("landing", "Whether a link's own page says where its platform is.", standard: "false", example: "true"),
    .key("projectInQuery", "Whether the project's id is in each URL too.", standard: "false", example: "true"),
    .key(
      "backend", "An https URL that has /verification and /dvs/verify instead of the API.", standard: "the API",
      example: "https://app.example"),
    .key(
      "backendTraceparent",
      "Whether that backend is told of the call's trace (W3C Trace Context), over the machine's own network.",
      standard: "false", example: "true"),
    .key("pinSeconds", "How long to wait for a PIN, in seconds, 10 to 600.", standard: "120", example: "60"),
    .key("mailSeconds", "How long to wait for a mail, in seconds, 10 to 3600.", standard: "600", example: "300"),
  ]
}
