import AuthCore
import ModemModel
import RedirectChain

/// A question with its settings, looked through before anything is sent: what is wrong here no server is asked about.
struct IPificationArguments: Hashable, Sendable {
  static let channels: Set<String> = ["ip", "wa", "viber", "telegram"]

  let settings: IPificationSettings
  let number: SubscriberNumber?
  let scope: [String]
  let state: Secret
  let nonce: Secret?
  let locales: [String]
  let channels: [String]
  let requestObject: RequestObject?
  let earlierMobileID: Secret?
  let redirectURI: RedirectURI
  /// Of the SIM; nil where it is not to be told, or is unknown.
  let network: PLMN?

  /// - Parameter random: as many random bytes as it is asked for.
  /// - Throws: `AuthError` with the argument's name and what was expected.
  init(
    _ settings: IPificationSettings, _ question: IPificationQuestion, _ subscriber: Subscriber,
    random: (Int) -> [UInt8]
  ) throws(AuthError) {
    self.settings = settings
    network = settings.sendsNetwork ? subscriber.home : nil
    number = question.number
    earlierMobileID = question.earlierMobileID
    try Self.checkClient(settings)
    redirectURI = try Self.redirectURI(settings.redirectURI)
    requestObject = try question.requestObject.map { token throws(AuthError) in try RequestObject(token) }
    scope = question.scope ?? settings.scope
    locales = question.locales ?? settings.locales
    channels = question.channels ?? settings.channels
    let given = question.state ?? requestObject?.state
    state = given ?? Secret(settings.statePrefix + Base64.encodeURL(random(24)))
    let isOurs = question.task == .verify && settings.readsToken && requestObject == nil
    nonce = question.nonce ?? requestObject?.nonce ?? (isOurs ? Secret(Base64.encodeURL(random(24))) : nil)
    if question.task != .coverage { try checkAuthorization(isStateGiven: given != nil) }
    if question.task == .verify { try checkCompletion() }
  }

  /// The number that the answer must be about.
  var expectedNumber: SubscriberNumber? { number ?? requestObject?.number }

  /// What was asked for; nil where that stands in a request that cannot be read.
  var expectedScope: [String]? { requestObject == nil ? scope : requestObject?.scope }

  private func checkAuthorization(isStateGiven: Bool) throws(AuthError) {
    try Self.require(
      Self.isWord(state.revealed), "state", "1 to 256 printable characters without blanks")
    if let nonce {
      try Self.require(Self.isWord(nonce.revealed), "nonce", "1 to 256 printable characters without blanks")
    }
    try Self.require(locales.allSatisfy(Self.isLocale), "ui locales", "language tags as in en or pt-BR")
    try Self.require(
      channels.allSatisfy { Self.channels.contains($0) }, "channel", Self.channels.sorted().joined(separator: ", "))
    // What stands in a signed request is the caller's business; it only must not contradict what is compared here.
    if let requestObject {
      try requestObject.check(self)
      return try Self.require(
        isStateGiven, "state", "the one that stands in the request object, since it is compared with the answer")
    }
    if let consentID = settings.consentID {
      try Self.require(Self.isWord(consentID), "consent id", "1 to 256 printable characters without blanks")
    }
    try Self.require(!scope.isEmpty && scope.allSatisfy(Self.isWord), "scope", "at least openid")
    try Self.require(scope.contains("openid"), "scope", "openid among the others")
    try Self.require(
      number != nil || !needsNumber, "number", "the number to be verified, for the scope that is asked for")
  }

  private func checkCompletion() throws(AuthError) {
    switch settings.completion {
    case .none:
      throw AuthError(
        .notConfigured,
        "the provider has neither a client secret nor a backend that completes the verification; configure one of them, or use Authorize"
      )
    case .redirectURI:
      try Self.require(
        settings.redirectURI.hasPrefix("https://"), "redirect URI", "https where the backend is behind it")
    case .secret, .backend: break
    }
  }

  /// Whether a login hint is mandatory.
  private var needsNumber: Bool {
    scope == ["openid"] || scope.contains("ip:phone_verify") || scope.contains("ip:profile")
  }

  static func checkClient(_ settings: IPificationSettings) throws(AuthError) {
    try require(isWord(settings.clientID), "client id", "1 to 256 printable characters without blanks")
  }

  static func require(_ isGood: Bool, _ argument: String, _ expected: String) throws(AuthError) {
    guard isGood else { throw .invalid(argument, expected) }
  }

  static func isWord(_ text: String) -> Bool {
    (1...256).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }

  /// RFC 5646, as far as a server could be harmed by something else.
  private static func isLocale(_ text: String) -> Bool {
    (2...35).contains(text.utf8.count) && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") }
  }

  static func redirectURI(_ text: String) throws(AuthError) -> RedirectURI {
    let expected = "scheme://path of a scheme of its own in lower case, or https, without query and fragment"
    let scheme = text.prefix { $0 != ":" }
    let isPlain =
      scheme == scheme.lowercased() && scheme != "http" && text.dropFirst(scheme.count).hasPrefix(":")
      && !text.contains("#") && !text.contains("?")
    guard isPlain, isWord(text), let uri = try? RedirectURI(text) else { throw .invalid("redirect URI", expected) }
    return uri
  }
}

extension IPificationSettings {
  /// Whether this machine sees the ID token.
  var readsToken: Bool {
    if case .secret = completion { true } else { false }
  }
}

extension UInt8 {
  fileprivate var isASCIIAlphanumeric: Bool {
    (0x30...0x39).contains(self) || (0x41...0x5a).contains(self) || (0x61...0x7a).contains(self)
  }
}
