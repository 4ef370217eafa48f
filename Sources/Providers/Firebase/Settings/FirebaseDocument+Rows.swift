import ProviderSettings

extension FirebaseDocument {
  package static let rows: [SettingsKeyRow] = [
    .secret("api-key", "The project's web API key; not needed with the emulator."),
    .asked(
      "simCheck.backend", "The https URL of the app's backend that tells of SIM changes (POST /sim-check).",
      example: "https://signin.app.example"),
    .asked("simCheck.user", "The user at that backend, if it wants one.", example: "gate"),
    .secret("backend-password", "The password of simCheck.user.", with: "simCheck.user"),
    .asked(
      "simCheck.provider", "Instead of a backend: the name of a provider that tells of SIM changes.",
      standard: "the only one for the SIM's network", example: "truid"),
    .asked(
      "code.sender",
      "The sender of the message with the code: a number or a name. Give this or code.pattern: otherwise any message with a code counts.",
      standard: "any", example: "Firebase"),
    .asked(
      "code.pattern", "The message's text, with a place such as {digits:6} for the code.", standard: "any",
      example: "{digits:6} is your verification code"),
    .asked("locale", "The language of the message.", example: "de"),
    .key("code.seconds", "How long to wait for each code, in seconds, 1 to 600.", standard: "120", example: "60"),
    .key("code.attempts", "How many codes to try, 1 to 10.", standard: "3", example: "1"),
    .key("simCheck.route", "The network for the backend's calls: host or bearer.", standard: "host", example: "bearer"),
    .key(
      "simCheck.traceparent",
      "Whether that backend is told of the call's trace (W3C Trace Context), over the machine's own network.",
      standard: "false", example: "true"),
    .key(
      "simCheck.unknown", "What happens if nobody can say whether the SIM was changed: stop or proceed.",
      standard: "stop", example: "proceed"),
    .key(
      "simCheck.days", "How long ago a change still counts, in days, 1 to 100; a backend has its own period.",
      standard: "7", example: "30"),
    .key(
      "emulator", "Host and port of the auth emulator. modemd speaks to it in the clear, at this address and no other.",
      example: "localhost:9099"),
    .key(
      "hosts.identity", "An https host instead of Google's, for sign-in.", standard: "Google's",
      example: "https://identity.example"),
    .key(
      "hosts.tokens", "An https host instead of Google's, for tokens.", standard: "Google's",
      example: "https://tokens.example"),
    .key(
      "hosts.legacy", "An https host instead of Google's, for version v3.", standard: "Google's",
      example: "https://legacy.example"),
    .key("version", "The form of the methods: v1, or v3 (older).", standard: "v1", example: "v3"),
    .key("tenant", "The tenant, if the project has several.", example: "tenant-1"),
    .key("iosBundle", "The bundle id that belongs to an iOS receipt.", example: "com.example.app"),
    .key("route", "The network for calls of Firebase: host or bearer.", standard: "host", example: "bearer"),
    .key(
      "testNumbers",
      "The project's test numbers. Firebase sends them no message; the code of each is the credential NAME.test-code.DIGITS.",
      standard: "[]", example: "[\"+16505550101\"]"),
  ]
}
