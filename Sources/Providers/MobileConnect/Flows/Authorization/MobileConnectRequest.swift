import AuthCore
import JSONTree

/// A caller's request for an authentication or an authorisation. Missing values come from the
/// configuration.
package struct MobileConnectRequest: Hashable, Sendable {
  /// How a page would be shown (OpenID Connect Core, 3.1.2.1).
  package enum Display: String, Hashable, Sendable, CaseIterable {
    case page, popup, touch, wap
  }

  /// Whether a person is asked.
  package enum Prompt: String, Hashable, Sendable, CaseIterable {
    case none, login, consent
    case selectAccount = "select_account"
    /// A person is asked although the bearer is recognised.
    case noSeam = "no_seam"
  }

  /// Words; `openid` is added in front of them.
  package var scope: [String]?
  /// Levels of assurance in order of preference.
  package var acr: [String]?
  package var loginHint: LoginHint?
  /// Issued by the operator; only with version 3.0. It is not another form of a login hint: each
  /// has its own parameter.
  package var loginHintToken: Secret?
  /// Nil for a random one.
  package var state: Secret?
  /// Nil for a random one.
  package var nonce: Secret?
  package var display: Display?
  package var prompt: [Prompt] = []
  /// Seconds, 0 to a year.
  package var maximumAge: Int?
  package var uiLocales: [String]?
  package var claimsLocales: [String]?
  /// An earlier ID token.
  package var idTokenHint: Secret?
  /// Data for the handset to sign.
  package var dtbs: String?
  /// An object (OpenID Connect Core, 5.5).
  package var claims: JSONValue?
  package var kyc: KYCClaims?
  /// The application's registered name, for authorisations.
  package var clientName: String?
  /// What the user must authorise.
  package var context: String?
  /// Connects the handset's display with what the user sees elsewhere.
  package var bindingMessage: String?
  package var version: MobileConnectVersion?

  package init() {}

  /// Finds anything that every operator would refuse, before it is sent.
  ///
  /// - Throws: `AuthError` with the argument's name and what was expected.
  package func check() throws(AuthError) {
    for word in scope ?? [] { try Self.require(Self.isWord(word), "scope", "words without blanks") }
    for level in acr ?? [] {
      try Self.require(level.utf8.count == 1 && ("1"..."4").contains(level), "acr", "levels of assurance, 1 to 4")
    }
    try Self.require(acr.map { !$0.isEmpty } ?? true, "acr", "levels of assurance, 1 to 4")
    try loginHint?.check()
    for (name, value) in [("state", state), ("nonce", nonce), ("loginHintToken", loginHintToken)] {
      if let value {
        try Self.require(Self.isWord(value.revealed), name, "1 to 4096 printable characters without blanks")
      }
    }
    try Self.require(
      !prompt.contains(.none) || prompt.count == 1, "prompt",
      "none alone, or other words (OpenID Connect Core, 3.1.2.1)")
    if let maximumAge {
      try Self.require((0...31_536_000).contains(maximumAge), "maximumAgeSeconds", "0 to 31536000")
    }
    for locale in (uiLocales ?? []) + (claimsLocales ?? []) {
      try Self.require(
        (2...35).contains(locale.utf8.count) && locale.isName(and: "-"), "locales", "language tags as in en or pt-BR")
    }
    for (name, text) in [
      ("clientName", clientName), ("context", context), ("bindingMessage", bindingMessage), ("dtbs", dtbs),
    ] {
      if let text { try Self.require((1...1024).contains(text.utf8.count), name, "1 to 1024 bytes of text") }
    }
    if let claims {
      guard case .object = claims else { throw .invalid("claims", "a JSON object") }
    }
  }

  static func require(_ isGood: Bool, _ argument: String, _ expected: String) throws(AuthError) {
    guard isGood else { throw .invalid(argument, expected) }
  }

  private static func isWord(_ text: String) -> Bool {
    (1...4096).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }
}
