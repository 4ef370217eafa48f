import AuthCore
import ProviderSettings
import SettingsFile
import TS43Flows

/// The file of a provider of the kind `ts43`. It has no secret: the SIM logs in.
///
///     { "kind": "ts43", "networks": ["23415"], "appName": "example-gateway",
///       "overrides": { "26201": { "server": "https://entitlement.operator.example" } } }
package struct TS43Document: ProviderDocument {
  var server: String?
  var realm: String?
  var versions: [String]?
  var appName: String?
  var appVersion: String?
  var terminalID: String?
  var terminalVendor: String?
  var terminalModel: String?
  var terminalSoftware: String?
  var userAgent: String?
  var method: String?
  var eap: String?
  var networkName: String?
  var reauthenticate: Bool?
  var sendGroupID: Bool?
  var verification: String?
  var route: String?

  package func settings(_ secrets: ProviderSecrets) throws(SettingsError) -> TS43Settings {
    var settings = TS43Settings()
    settings.server = try checkedServer()
    settings.realm = try checkedRealm()
    settings.versions = try checkedVersions() ?? settings.versions
    settings.method = try SettingsError.word(method, "method") ?? settings.method
    settings.verification = try SettingsError.word(verification, "verification") ?? settings.verification
    settings.route = try SettingsError.word(route, "route") ?? settings.route
    settings.sendsGroupID = sendGroupID ?? settings.sendsGroupID
    try applyTerminal(to: &settings)
    try applyEAP(to: &settings)
    return settings
  }

  private func applyTerminal(to settings: inout TS43Settings) throws(SettingsError) {
    settings.appName = try checkedAppName()
    settings.appVersion = try Self.printable(appVersion, "appVersion", 32)
    settings.terminalID = try checkedTerminalID() ?? settings.terminalID
    settings.terminalVendor = try Self.printable(terminalVendor, "terminalVendor", 4) ?? settings.terminalVendor
    settings.terminalModel = try Self.printable(terminalModel, "terminalModel", 10) ?? settings.terminalModel
    settings.terminalSoftware =
      try Self.printable(terminalSoftware, "terminalSoftware", 20) ?? settings.terminalSoftware
    settings.userAgent = try Self.printable(userAgent, "userAgent", 256)
  }

  private func applyEAP(to settings: inout TS43Settings) throws(SettingsError) {
    settings.eap = try SettingsError.word(eap, "eap") ?? settings.eap
    settings.networkName = try Self.printable(networkName, "networkName", 255)
    settings.reauthenticates = reauthenticate ?? settings.reauthenticates
    guard settings.networkName == nil || settings.eap == .akaPrime else {
      throw SettingsError(
        .wrongValue, "networkName is of EAP-AKA' alone; set eap to akaPrime, or leave networkName out",
        key: "networkName")
    }
  }

  /// The SIM's identity and the token are sent there.
  private func checkedServer() throws(SettingsError) -> Endpoint? {
    guard let server else { return nil }
    guard let endpoint = try SettingsError.endpoint(server, "server"), endpoint.url.scheme == .https else {
      throw SettingsError(key: "server", expected: "an https URL without query, as in https://entitlement.example")
    }
    return endpoint
  }

  private func checkedRealm() throws(SettingsError) -> String? {
    guard let realm else { return nil }
    let labels = realm.split(separator: ".", omittingEmptySubsequences: false)
    let isName =
      realm.utf8.count <= 253 && labels.count > 1
      && labels.allSatisfy { label in
        (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
          && label.utf8.allSatisfy { Self.isLetter($0) || Self.isDigit($0) || $0 == UInt8(ascii: "-") }
      }
    guard isName else {
      throw SettingsError(
        key: "realm", expected: "a domain name without @, as in nai.epc.mnc015.mcc234.3gppnetwork.org")
    }
    return realm
  }

  private func checkedVersions() throws(SettingsError) -> [String]? {
    guard let versions else { return nil }
    guard (1...8).contains(versions.count), Set(versions).count == versions.count, versions.allSatisfy(Self.isVersion)
    else {
      throw SettingsError(
        key: "versions", expected: "1 to 8 different versions of TS.43, best first, as in [\"12.0\", \"10.0\"]")
    }
    return versions
  }

  private func checkedAppName() throws(SettingsError) -> String? {
    let name = try Self.printable(appName, "appName", 100)
    guard name?.lowercased() != "google-ogi" else {
      throw SettingsError(
        .wrongValue,
        "appName is that of Google's own client, as which no other program may appear; agree on a name with the operator",
        key: "appName")
    }
    return name
  }

  private func checkedTerminalID() throws(SettingsError) -> TS43Settings.TerminalID? {
    guard let terminalID else { return nil }
    if terminalID == "imei" { return .imei }
    let parts = terminalID.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12],
      parts.allSatisfy({ $0.utf8.allSatisfy { Self.isDigit($0) || (0x61...0x66).contains($0 | 0x20) } })
    else {
      throw SettingsError(
        key: "terminalID", expected: "imei, or a UUID that stays the same, as `uuidgen --random` prints one")
    }
    return .uuid(terminalID.lowercased())
  }

  private static func printable(_ text: String?, _ key: String, _ most: Int) throws(SettingsError) -> String? {
    guard let text else { return nil }
    guard (1...most).contains(text.utf8.count), text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }),
      !text.hasPrefix(" "), !text.hasSuffix(" ")
    else {
      throw SettingsError(
        key: key, expected: "1 to \(most) printable ASCII characters without a blank at either end")
    }
    return text
  }

  private static func isVersion(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { (1...3).contains($0.utf8.count) && $0.utf8.allSatisfy(isDigit) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }
}
