import AuthCore
import ModemModel
import RedirectChain

/// A question with its settings, checked before anything is sent, so that no server gets an invalid
/// request.
struct IPificationArguments: Hashable, Sendable {
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
  /// The SIM's; nil if it must not be sent or is unknown.
  let network: PLMN?

  /// - Parameter random: returns the requested number of random bytes.
  /// - Throws: `AuthError` with the argument's name and what was expected.
  init(
    _ settings: IPificationSettings, _ question: IPificationQuestion, _ subscriber: Subscriber,
    random: (Int) -> [UInt8]
  ) throws(AuthError) {
    self.settings = settings
    network = settings.sendsNetwork ? subscriber.home : nil
    number = question.number
    earlierMobileID = question.earlierMobileID
    try Self.check(word: settings.clientID, "client id")
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

  /// The number that the answer must confirm.
  var expectedNumber: SubscriberNumber? { number ?? requestObject?.number }

  /// The requested scope; nil if it is inside a request that cannot be read.
  var expectedScope: [String]? { requestObject == nil ? scope : requestObject?.scope }

  private func checkAuthorization(isStateGiven: Bool) throws(AuthError) {
    try Self.check(word: state.revealed, "state")
    try Self.check(word: nonce?.revealed, "nonce")
    try Self.check(locales: locales, channels: channels)
    // The content of a signed request is up to the caller. It only must not contradict the values
    // compared here.
    if let requestObject {
      try requestObject.check(self)
      return try Self.require(
        isStateGiven, "state", "the one that stands in the request object, since it is compared with the answer")
    }
    try Self.check(word: settings.consentID, "consent id")
    try Self.check(scope: scope)
    try Self.require(
      number != nil || !needsNumber, "number", "the number to be verified, for the scope that is asked for")
  }

  private func checkCompletion() throws(AuthError) {
    try Self.check(completionOf: settings)
    guard settings.completion == .none else { return }
    throw AuthError(
      .notConfigured,
      "the provider has neither a client secret nor a backend to complete a verification; configure one, or use Authorize"
    )
  }

  /// Whether a login hint is mandatory.
  private var needsNumber: Bool {
    scope == ["openid"] || scope.contains("ip:phone_verify") || scope.contains("ip:profile")
  }
}

extension IPificationSettings {
  /// Whether this machine sees the ID token.
  var readsToken: Bool {
    if case .secret = completion { true } else { false }
  }
}
