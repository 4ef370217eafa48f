import AuthCore
import RedirectChain
import Web
import AuthFlows
import JSONTree

extension IPificationSettings: ProviderConfiguration {
  package static let kind = "ipification"

  package var tracedURLs: [WebURL] {
    guard isBackendTraced, case .backend(let url) = completion else { return [] }
    return [url]
  }

  package var configuredURLs: [WebURL] {
    var urls = [host.url, tokenHost.url]
    switch completion {
    case .backend(let url): urls.append(url)
    case .redirectURI: urls += [try? WebURL(redirectURI)].compactMap(\.self)
    case .none, .secret: break
    }
    return urls
  }

  package var otherAbilities: [ProviderAbility] { [.coverage] + (scope.contains("ip:phone") ? [.readNumber] : []) }

  /// The exchange of a code that nobody was given.
  package func credentialCheck(named name: String) -> CredentialCheck {
    guard case .secret(let secret) = completion else {
      return .notNeeded("this machine has no secret of the client; coverage shows whether the client id is known")
    }
    let form = FormFields([
      "grant_type": "authorization_code", "code": CredentialMachine.noCode, "redirect_uri": redirectURI,
      "client_id": clientID, "client_secret": secret.revealed,
    ])
    let call = BackendCall(
      "checkCredentials", .post, tokenHost.appending(paths.token), headers: [.accept("application/json")],
      body: .form(form), route: backendRoute)
    return .ask { _, run in try await run(CredentialMachine(token: call)).outcome }
  }

  package func numberVerifier(named name: String) -> (any NumberVerifier)? {
    // If nobody completes an authorization, it does not verify a number.
    completion == .none ? nil : IPificationVerifier(name: name, settings: self)
  }
}

/// IPification as one of several ways to determine whether a number is the SIM's.
struct IPificationVerifier: NumberVerifier {
  let name: String
  let settings: IPificationSettings
  var kind: String { IPificationSettings.kind }

  func coverage(
    of subscriber: Subscriber, for number: SubscriberNumber?, _ run: FlowRun
  ) async throws -> FlowOutcome? {
    try await run(settings.machine(for: IPificationQuestion(.coverage, number: number), of: subscriber)).outcome
  }

  func verify(
    _ number: SubscriberNumber, of subscriber: Subscriber, isCovered: Bool, _ run: FlowRun
  ) async throws -> FlowEnd<JSONValue> {
    var settings = settings
    if isCovered { settings.checksCoverage = false }
    let end = try await run(settings.machine(for: IPificationQuestion(.verify, number: number), of: subscriber))
    return FlowEnd(end.outcome, end.answer?.serverAnswer, at: end.place)
  }
}

extension IPificationSettings {
  /// The chain of an authorization.
  var lead: ChainLead {
    ChainLead(ChainKind("ipification/\(host.host)/authorize"), first: host.url)
  }

  /// The machine for a question, with this machine's randomness.
  ///
  /// - Throws: `AuthError` for an argument or a setting that cannot work.
  package func machine(
    for question: IPificationQuestion, of subscriber: Subscriber
  ) throws(AuthError) -> IPificationMachine {
    try IPificationMachine(self, question, subscriber: subscriber) { count in
      (0..<count).map { _ in UInt8.random(in: .min ... .max) }
    }
  }

  /// Finds invalid settings before the first call.
  ///
  /// - Throws: `AuthError` with the setting's name and what was expected.
  package func check() throws(AuthError) {
    try IPificationArguments.check(word: clientID, "client id")
    _ = try IPificationArguments.redirectURI(redirectURI)
    try IPificationArguments.check(completionOf: self)
    try IPificationArguments.check(scope: scope)
    try IPificationArguments.check(locales: locales, channels: channels)
    try IPificationArguments.check(word: consentID, "consent id")
  }
}
