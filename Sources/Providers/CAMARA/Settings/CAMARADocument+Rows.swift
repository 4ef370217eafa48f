import ProviderSettings

extension CAMARADocument {
  package static let rows: [SettingsKeyRow] =
    [.asked("frontEnd", "telefonica: Telefónica Open Gateway's sandbox, which brings its own URLs; else leave it out")]
    + CAMARAServerDocument.serverRows(hasFrontEnd: true) + [
      .key(
        "backendAnswer", "the member of the backend's answer that tells whether the number matches",
        standard: "devicePhoneNumberVerified"),
      .key("numberVerificationVersion", "v0, v1 or v2", standard: "v2"),
      .key("simSwapVersion", "v0, v1 or v2", standard: "v2"),
      .key("paths.numberVerification", "replaces the whole path of Number Verification"),
      .key("paths.simSwap", "replaces the whole path of SIM Swap"),
      .key("scopeForm", "separate or purposeAndName: the form of scopes", standard: "separate"),
      .key("scopes.verify", "the whole scope of Number Verification's verify"),
      .key("scopes.devicePhoneNumber", "the whole scope of device-phone-number"),
      .key("scopes.checkSIMSwap", "the whole scope of SIM Swap's check"),
      .key("scopes.retrieveSIMSwapDate", "the whole scope of retrieve-date"),
      .key("loginHint", "whether the number is sent with the authorization request", standard: "false"),
      .key("hashNumber", "whether the number's SHA-256 is sent instead of the number", standard: "false"),
      .key("simSwapToken", "byNumber, client or subscriber: whose token SIM Swap is asked with", standard: "byNumber"),
    ]
}
