import AuthCore
import RedirectChain
import Web
import AuthFlows
import JSONTree

extension TruIDSettings: ProviderConfiguration {
  package static let kind = "truID"

  package var configuredURLs: [WebURL] {
    [api.url, backend?.endpoint.url, redirect.flatMap { $0.isFetched ? try? WebURL($0.url) : nil }].compactMap(\.self)
  }

  package var tracedURLs: [WebURL] { backend.flatMap { $0.isTraced ? [$0.endpoint.url] : nil } ?? [] }

  package var configuredDomains: Set<String> { checkDomains }

  package var otherAbilities: [ProviderAbility] { [.coverage] }

  /// A token of the API, or of the backend for coverage: neither costs anything.
  package func credentialCheck(named name: String) -> CredentialCheck {
    let source: TruIDTokenMachine.Source
    switch chosenWay {
    case .api:
      guard let credentials else { return .notNeeded("there is no clientID") }
      source = .api(api, credentials, scope: product.scope, apiRoute)
    case .backend:
      guard let backend else { return .notNeeded("there is no backend") }
      source = .backend(backend)
    case nil: return .notNeeded("the file has neither clientID nor backend")
    }
    return .ask { _, run in try await run(TruIDTokenMachine(source)).outcome }
  }

  package func numberVerifier(named name: String) -> (any NumberVerifier)? {
    chosenWay == nil ? nil : TruIDVerifier(name: name, settings: self)
  }

  package func simChangeChecker(named name: String) -> (any SIMChangeChecker)? {
    chosenWay == nil ? nil : TruIDSIMChangeChecker(name: name, settings: self)
  }
}

/// tru.ID as one of several providers.
struct TruIDVerifier: NumberVerifier {
  let name: String
  let settings: TruIDSettings

  var kind: String { TruIDSettings.kind }

  func coverage(
    of subscriber: Subscriber, for number: SubscriberNumber?, _ run: FlowRun
  ) async throws -> FlowOutcome? {
    // A check that sends the bearer's address finds it out with the same call.
    if settings.sendsAddress, settings.chosenWay == .api { return nil }
    let flow = TruIDFlow(settings, of: subscriber, run)
    run.beginBearer(for: number == nil ? nil : settings.lead(settings.product))
    if number != nil { flow.foreseeToken(of: settings.product) }
    let outcome = try await flow.deviceCoverage(settings.product).outcome
    // Many backends give no token for it: then tru.ID says it when the check is opened.
    return outcome.result == .notConfigured ? nil : outcome
  }

  func verify(
    _ number: SubscriberNumber, of subscriber: Subscriber, isCovered: Bool, _ run: FlowRun
  ) async throws -> FlowEnd<JSONValue> {
    let end = try await TruIDFlow(settings, of: subscriber, run).check(settings.product, of: number)
    return FlowEnd(end.outcome, end.answer?.serverAnswer, at: end.place)
  }
}
