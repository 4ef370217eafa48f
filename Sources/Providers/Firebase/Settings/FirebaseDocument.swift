import AuthCore
import AuthFlows
import RedirectChain
import SettingsFile
import ShortMessage
import FirebaseFlows
import ProviderSettings

/// The file of a Firebase project. Its API key is the credential `NAME.api-key`.
package struct FirebaseDocument: ProviderDocument {
  var emulator: String?
  var hosts: Hosts?
  var version: String?
  var locale: String?
  var tenant: String?
  var iosBundle: String?
  var route: String?
  var testNumbers: [String]?
  var code: Code?
  var simCheck: SIMCheck?

  struct Hosts: Decodable {
    var identity: String?
    var legacy: String?
    var tokens: String?
  }

  struct Code: Decodable {
    var sender: String?
    var pattern: String?
    var seconds: Int?
    var attempts: Int?
  }

  struct SIMCheck: Decodable {
    var backend: String?
    var user: String?
    var route: String?
    var traceparent: Bool?
    var provider: String?
    var unknown: String?
    var days: Int?
  }

  package func settings(_ secrets: ProviderSecrets) throws(SettingsError) -> FirebaseSettings {
    var settings = FirebaseSettings(hosts: try readHosts(), apiKey: try secrets.text("api-key"))
    guard settings.apiKey != nil || settings.hosts.isEmulator else {
      throw SettingsError(
        .wrongValue, "the project has no API key; give the credential \(secrets.name).api-key, or set emulator")
    }
    settings.version = try SettingsError.word(version, "version") ?? settings.version
    settings.locale = try Self.field(locale, "locale")
    settings.tenant = tenant
    settings.iosBundle = try Self.field(iosBundle, "iosBundle")
    settings.route = try SettingsError.word(route, "route") ?? settings.route
    guard settings.route == .host || !settings.hosts.isEmulator else {
      throw SettingsError(
        key: "route", expected: "host: the emulator is spoken to in clear, and nothing goes over a bearer in clear")
    }
    settings.testNumbers = try readTestNumbers(secrets)
    settings.code = try readCode()
    settings.gate = try simCheck.map { part throws(SettingsError) in try Self.gate(part, secrets) }
    return settings
  }

  private func readHosts() throws(SettingsError) -> FirebaseHosts {
    if let emulator {
      guard hosts == nil else { throw SettingsError(key: "hosts", expected: "left out beside emulator") }
      do {
        return try .emulator(emulator)
      } catch {
        throw SettingsError(.wrongValue, "emulator is not host:port, as in localhost:9099", cause: "\(error)")
      }
    }
    var whole = FirebaseHosts.production
    whole.identity = try Self.secure(hosts?.identity, "hosts.identity") ?? whole.identity
    whole.legacy = try Self.secure(hosts?.legacy, "hosts.legacy") ?? whole.legacy
    whole.tokens = try Self.secure(hosts?.tokens, "hosts.tokens") ?? whole.tokens
    return whole
  }

  /// Codes and tokens are sent there, so only the emulator may use cleartext.
  private static func secure(_ text: String?, _ key: String) throws(SettingsError) -> Endpoint? {
    let endpoint = try SettingsError.endpoint(text, key)
    guard endpoint?.url.scheme != .http else {
      throw SettingsError(key: key, expected: "an https URL; for the auth emulator there is the key emulator")
    }
    return endpoint
  }

  /// The file holds the numbers. Credentials hold their codes: `NAME.test-code.NUMBER`, digits
  /// only.
  private func readTestNumbers(_ secrets: ProviderSecrets) throws(SettingsError) -> [SubscriberNumber: Secret] {
    var codes: [SubscriberNumber: Secret] = [:]
    for text in testNumbers ?? [] {
      guard let number = try? SubscriberNumber(text) else {
        throw SettingsError(key: "testNumbers", expected: "numbers in international form, + and 7 to 15 digits")
      }
      guard let code = try secrets.text("test-code.\(number.digits)") else {
        throw SettingsError(
          key: "testNumbers", expected: "numbers whose codes are credentials, test-code. and the digits of the number")
      }
      codes[number] = code
    }
    return codes
  }

  private func readCode() throws(SettingsError) -> FirebaseSettings.Code {
    do {
      _ = try code?.pattern.map { text throws(ShortMessageError) in try CodePattern(text) }
    } catch {
      throw SettingsError(.wrongValue, "code.pattern cannot be used", cause: error.message)
    }
    guard (1...21).contains(code?.sender?.count ?? 1) else {
      throw SettingsError(key: "code.sender", expected: "+ and digits, digits, or a name of at most 11 characters")
    }
    var whole = FirebaseSettings.Code(sender: code?.sender, pattern: code?.pattern)
    if let seconds = try SettingsError.number(code?.seconds, "code.seconds", 1...600) { whole.time = .seconds(seconds) }
    whole.attempts = try SettingsError.number(code?.attempts, "code.attempts", 1...10) ?? whole.attempts
    return whole
  }

  private static func gate(_ part: SIMCheck, _ secrets: ProviderSecrets) throws(SettingsError) -> SIMGate {
    let source: SIMGate.Source
    switch (try SettingsError.endpoint(part.backend, "simCheck.backend"), part.provider) {
    case (let backend?, nil):
      let route: BackendRoute = try SettingsError.word(part.route, "simCheck.route") ?? .host
      var server = SIMCheckBackend(
        backend, user: part.user, password: try secrets.text("backend-password"), route: route)
      server.isTraced = part.traceparent ?? false
      source = .backend(server)
    case (nil, let provider?): source = .provider(name: provider)
    case (nil, nil): source = .provider(name: nil)
    case (_?, _?): throw SettingsError(key: "simCheck", expected: "a backend or a provider, not both")
    }
    var gate = SIMGate(source)
    gate.unknown = try SettingsError.word(part.unknown, "simCheck.unknown") ?? gate.unknown
    if let days = try SettingsError.number(part.days, "simCheck.days", 1...100) {
      gate.period = .seconds(days * 86_400)
    }
    return gate
  }

  /// A value that is put unchanged into a field of a request.
  private static func field(_ text: String?, _ key: String) throws(SettingsError) -> String? {
    guard text?.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) ?? true else {
      throw SettingsError(key: key, expected: "a word without blanks")
    }
    return text
  }
}
