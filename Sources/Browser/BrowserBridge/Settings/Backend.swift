import ModemModel
import SettingsFile
import Web

/// What a ticket asks.
package enum Ask: String, Hashable, Sendable, CaseIterable {
  /// Whether a number is the SIM's (org.modemd.Verify.Number).
  case verify
  /// Whether a number moved to another SIM lately (org.modemd.SIMSwap.Check).
  case simChange
  /// A sign-in with a number and a code (org.modemd.PhoneSignIn.SignIn).
  case signIn
  /// A login with a PIN (org.modemd.MIRACL.Login).
  case login
}

/// A site that may ask, as the configuration has it. Where its tickets are, where verdicts go and
/// where the browser is led back to come from here alone.
package struct Backend: Hashable, Sendable {
  package let key: String
  package let name: String
  package let tickets: WebURL
  package let verdicts: WebURL?
  package let back: WebURL
  package let isConsentConfigured: Bool
  package let asks: Set<Ask>
  package let showsNumber: Bool
  package let allowsPrivateAddresses: Bool
  package let startsPerMinute: Int
  package let flows: Int
  /// Whether it is told of the trace of a flow.
  package let isTraced: Bool
  /// What this service shows the backend, and the backend to nobody.
  package let token: WipedText

  package init(key: String, _ document: WebDocument.Backend, token: WipedText) throws(SettingsError) {
    let place = "backends.\(key)"
    self.key = key
    name = try Self.text(document.name, "\(place).name")
    tickets = try Self.url(document.tickets, "\(place).tickets")
    guard tickets.path.hasSuffix("/"), tickets.query == nil else {
      throw SettingsError(key: "\(place).tickets", expected: "an address that ends with / and has no query")
    }
    verdicts = try document.verdicts.map { (text) throws(SettingsError) in try Self.url(text, "\(place).verdicts") }
    back = try Self.url(document.return, "\(place).return")
    switch document.consent {
    case nil, "click": isConsentConfigured = false
    case "configured": isConsentConfigured = true
    case .some: throw SettingsError(key: "\(place).consent", expected: "click or configured")
    }
    var asks: Set<Ask> = []
    for word in document.asks ?? ["verify"] {
      guard let ask = Ask(rawValue: word) else {
        throw SettingsError(
          key: "\(place).asks", expected: "a list of \(Ask.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      asks.insert(ask)
    }
    guard !asks.isEmpty else { throw SettingsError(key: "\(place).asks", expected: "a list with one word at least") }
    self.asks = asks
    switch document.number {
    case nil, "hidden": showsNumber = false
    case "masked": showsNumber = true
    case .some: throw SettingsError(key: "\(place).number", expected: "hidden or masked")
    }
    allowsPrivateAddresses = document.privateAddresses ?? false
    startsPerMinute = try Self.number(document.startsPerMinute ?? 10, in: 1...600, "\(place).startsPerMinute")
    flows = try Self.number(document.flows ?? 4, in: 1...64, "\(place).flows")
    isTraced = document.traceparent ?? false
    self.token = token
  }

  private static func text(_ text: String?, _ key: String) throws(SettingsError) -> String {
    guard let text, (1...80).contains(text.count), !text.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
      throw SettingsError(key: key, expected: "there, with 1 to 80 characters that can be shown")
    }
    return text
  }

  private static func url(_ text: String?, _ key: String) throws(SettingsError) -> WebURL {
    guard let text, let url = try? WebURL(text), url.scheme == .https, !text.contains("#") else {
      throw SettingsError(key: key, expected: "there, an https address without a fragment")
    }
    return url
  }

  static func number(_ number: Int, in range: ClosedRange<Int>, _ key: String) throws(SettingsError) -> Int {
    guard range.contains(number) else {
      throw SettingsError(key: key, expected: "\(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}

extension Backend {
  /// The servers that this service calls for it.
  package var origins: [WebURL.Origin] { [tickets.origin] + (verdicts.map { [$0.origin] } ?? []) }
}
