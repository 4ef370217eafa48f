import ProviderSettings

extension FirebaseDocument {
  package static let rows: [SettingsKeyRow] = [
    .secret("api-key", "the project's web API key; not needed with the emulator"),
    .asked("simCheck.backend", "URL of the app's backend that tells of SIM changes (POST /sim-check)"),
    .asked("simCheck.user", "user of that backend, if it wants one"),
    .secret("backend-password", "the password of simCheck.user", with: "simCheck.user"),
    .asked("simCheck.provider", "instead of a backend: name of a configured provider that tells of SIM changes"),
    .asked("code.sender", "sender of the messages with codes: a number or a name"),
    .asked("code.pattern", "form of the messages with codes, such as {digits:6} is your code"),
    .asked("locale", "language of the message, such as en"),
    .key("code.seconds", "how long to wait for each code, 1 to 600", standard: "120"),
    .key("code.attempts", "how many codes to try, 1 to 10", standard: "3"),
    .key("simCheck.route", "host or bearer: the network for calls of that backend", standard: "host"),
    .key(
      "simCheck.unknown", "stop or proceed: what happens if nobody can say whether the SIM was changed",
      standard: "stop"),
    .key("simCheck.days", "how long ago a change still counts, 1 to 100; a backend has its own period", standard: "7"),
    .key("emulator", "host and port of the auth emulator, such as localhost:9099"),
    .key("hosts.identity", "another https host instead of Google's, for sign-in"),
    .key("hosts.tokens", "another https host instead of Google's, for tokens"),
    .key("hosts.legacy", "another https host instead of Google's, for version v3"),
    .key("version", "v1, or v3: the older form of the same methods", standard: "v1"),
    .key("tenant", "the tenant, if the project has several"),
    .key("iosBundle", "bundle id that belongs to an iOS receipt"),
    .key("route", "host or bearer: the network for calls of Firebase", standard: "host"),
    .key(
      "testNumbers",
      "the project's test numbers, to which no message is sent; the code of each is the credential test-code.DIGITS"),
  ]
}
