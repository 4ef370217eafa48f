import AuthCore
import AuthFlows
import RedirectChain
import SettingsFile
import MIRACLFlows
import ProviderSettings

/// The file of a provider of the kind `miracl`.
///
///     { "kind": "miracl", "project": "the project's id",
///       "trustedDomains": ["mpin.io", "login.example"],
///       "generation": "registration", "deviceName": "gate 7", "route": "host" }
///
/// Only if this machine is the project's own backend, it has `clientID`, with the credential
/// `NAME.client-secret`.
package struct MIRACLDocument: ProviderDocument {
  /// MIRACL's own, for projects without their own URL.
  private static let usualAPI = "https://api.mpin.io"
  private static let usualDomain = "mpin.io"

  var api: String?
  var project: String?
  var generation: String?
  var route: String?
  var deviceName: String?
  var deviceTag: String?
  var trustedDomains: [String]?
  var landing: Bool?
  var projectInQuery: Bool?
  var clientID: String?
  var backend: String?
  var backendTraceparent: Bool?
  var pinSeconds: Int?
  var mailSeconds: Int?

  package func settings(_ secrets: ProviderSecrets) throws(SettingsError) -> MIRACLSettings {
    guard let project, Self.isField(project) else {
      throw SettingsError(key: "project", expected: "the project's id, a word without blanks")
    }
    let api = try Self.secure(api ?? Self.usualAPI, "api")
    var settings = MIRACLSettings(api: api, project: project)
    settings.generation = try SettingsError.word(generation, "generation") ?? settings.generation
    settings.route = try SettingsError.word(route, "route") ?? settings.route
    settings.deviceName = try name() ?? settings.deviceName
    settings.deviceTag = try tag()
    settings.trustedDomains = try domains(api)
    settings.asksLanding = landing ?? false
    settings.sendsProjectInQuery = projectInQuery ?? false
    settings.client = try client(secrets)
    settings.backend = try backend.map { text throws(SettingsError) in try Self.secure(text, "backend") }
    settings.isBackendTraced = backendTraceparent ?? false
    if let seconds = try SettingsError.number(pinSeconds, "pinSeconds", 10...600) {
      settings.pinTime = .seconds(seconds)
    }
    if let seconds = try SettingsError.number(mailSeconds, "mailSeconds", 10...3600) {
      settings.mailTime = .seconds(seconds)
    }
    return settings
  }

  /// Secret shares and tokens are sent there.
  private static func secure(_ text: String, _ key: String) throws(SettingsError) -> Endpoint {
    guard let endpoint = try SettingsError.endpoint(text, key), endpoint.url.scheme == .https else {
      throw SettingsError(key: key, expected: "an https URL")
    }
    return endpoint
  }

  private func name() throws(SettingsError) -> String? {
    guard let deviceName else { return nil }
    guard (1...64).contains(deviceName.utf8.count), deviceName.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
      throw SettingsError(key: "deviceName", expected: "text of 1 to 64 bytes without control characters")
    }
    return deviceName
  }

  private func tag() throws(SettingsError) -> String? {
    guard let deviceTag else { return nil }
    guard deviceTag.utf8.count == 32,
      deviceTag.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { throw SettingsError(key: "deviceTag", expected: "32 hexadecimal digits in lower case") }
    return deviceTag
  }

  private func domains(_ api: Endpoint) throws(SettingsError) -> Set<String> {
    guard let domains = try SettingsError.domains(trustedDomains, "trustedDomains") else {
      let isUsual = api.host == Self.usualDomain || api.host.hasSuffix("." + Self.usualDomain)
      return isUsual ? [Self.usualDomain] : []
    }
    return domains
  }

  private func client(_ secrets: ProviderSecrets) throws(SettingsError) -> MIRACLSettings.Client? {
    guard let clientID else { return nil }
    // The part of basic authentication before the colon (RFC 7617, 2).
    guard Self.isField(clientID), !clientID.contains(":") else {
      throw SettingsError(key: "clientID", expected: "a word without blanks and colons")
    }
    guard let secret = try secrets.text("client-secret") else {
      throw SettingsError(
        .wrongValue, "clientID has no secret; give the credential \(secrets.name).client-secret", key: "clientID")
    }
    return MIRACLSettings.Client(id: clientID, secret: secret)
  }

  /// Whether a request's field may hold it unchanged.
  private static func isField(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }
}
