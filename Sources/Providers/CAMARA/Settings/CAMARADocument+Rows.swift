import ProviderSettings

extension CAMARADocument {
  package static let rows: [SettingsKeyRow] =
    [
      .asked(
        "frontEnd",
        "A known front end: telefonica (Telefónica Open Gateway's sandbox). It sets the three URLs, its form of scopes and a redirect URI that belongs to the backend. Leave it out for every other operator.",
        example: "telefonica")
    ]
    + CAMARAServerDocument.serverRows.map { $0.told(by: "frontEnd") } + [
      .key(
        "authorization",
        "How Number Verification knows the SIM: bearer (an authorization over the bearer), jwtBearer (an operator token in an assertion of the client) or ciba (an operator token in a backchannel request). The last two need no bearer.",
        standard: "bearer", example: "jwtBearer"),
      .key(
        "operatorTokensFrom",
        "The name of a provider of the kind ts43, which gets the operator tokens for jwtBearer and ciba.",
        example: "operator-ts43"),
      .key(
        "backchannelEndpoint", "The https URL of backchannel requests, for ciba.",
        example: "https://auth.operator.example/bc-authorize"),
      .key(
        "backendAnswer", "The member of the backend's JSON that holds the verdict, with redirectIsBackend.",
        standard: "devicePhoneNumberVerified", example: "verified"),
      .key(
        "numberVerificationVersion", "The version of Number Verification: v0, v1 or v2.", standard: "v2", example: "v1"),
      .key("simSwapVersion", "The version of SIM Swap: v0, v1 or v2.", standard: "v2", example: "v1"),
      .key(
        "paths.numberVerification", "Replaces the whole path of Number Verification.", standard: "by the version",
        example: "/number-verification/v2"),
      .key(
        "paths.simSwap", "Replaces the whole path of SIM Swap.", standard: "by the version", example: "/sim-swap/v2"),
      .key(
        "scopeForm", "How scopes are written: separate, or purposeAndName.", standard: "separate",
        example: "purposeAndName"),
      .key(
        "scopes.verify", "The whole scope of Number Verification's verify.",
        example: "openid number-verification:verify"),
      .key(
        "scopes.devicePhoneNumber", "The whole scope of device-phone-number.",
        example: "openid number-verification:device-phone-number:read"),
      .key("scopes.checkSIMSwap", "The whole scope of SIM Swap's check.", example: "sim-swap:check"),
      .key("scopes.retrieveSIMSwapDate", "The whole scope of retrieve-date.", example: "sim-swap:retrieve-date"),
      .key(
        "loginHint", "Whether the number is sent with the authorization request (login_hint=tel:+…).",
        standard: "false", example: "true"),
      .key(
        "hashNumber", "Whether the number's SHA-256 is sent instead of the number.", standard: "false", example: "true"),
      .key(
        "simSwapToken", "Whose token SIM Swap gets: byNumber, client or subscriber.", standard: "byNumber",
        example: "subscriber"),
    ]
}
