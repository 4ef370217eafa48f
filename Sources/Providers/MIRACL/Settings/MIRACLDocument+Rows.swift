import ProviderSettings

extension MIRACLDocument {
  package static let rows: [SettingsKeyRow] = [
    .required("project", "the project's id"),
    .asked("api", "the project's https URL", standard: "https://api.mpin.io"),
    .asked(
      "trustedDomains", "domains, with the names below them, of links, shares and platforms",
      standard: "[\"mpin.io\"] with an API there, else none"),
    .asked("deviceName", "what the platform shows of this machine", standard: "modemd"),
    .asked("clientID", "of the project's own backend, if this machine is that backend"),
    .secret("client-secret", "the secret of clientID", with: "clientID"),
    .key("generation", "registration, or rps: the older calls", standard: "registration"),
    .key("route", "host or bearer: the network for all calls", standard: "host"),
    .key("deviceTag", "32 hexadecimal digits in lower case that stay the same"),
    .key("landing", "whether a link's own page says where its platform is", standard: "false"),
    .key("projectInQuery", "whether the project's id is in each URL too", standard: "false"),
    .key("backend", "an https URL that has /verification and /dvs/verify instead of the API"),
    .key("pinSeconds", "how long to wait for a PIN, 10 to 600", standard: "120"),
    .key("mailSeconds", "how long to wait for a mail, 10 to 3600", standard: "600"),
  ]
}
