import AuthCore
import AuthFlows
import JSONTree
import ModemModel
import ModemService
@_spi(Exchange) import RedirectChain
import TruIDFlows
@_spi(Exchange) import Web

/// A provider that knows one number, +447700900123.
struct ExampleProvider: ProviderConfiguration, NumberVerifier {
  static let kind = "example"
  var name = "example"
  var kind: String { Self.kind }
  /// Whether it asks over the bearer.
  var usesBearer = false
  var proof = NumberProof.bearer
  var configuredURLs: [WebURL] { [] }
  func numberVerifier(named name: String) -> (any NumberVerifier)? { self }
  func coverage(
    of subscriber: Subscriber, for number: SubscriberNumber?, _ run: FlowRun
  ) async throws -> FlowOutcome? { nil }

  func verify(
    _ number: SubscriberNumber, of subscriber: Subscriber, isCovered: Bool, _ run: FlowRun
  ) async throws -> FlowEnd<JSONValue> {
    if usesBearer, let failure = try await run.prepareBearer() { return FlowEnd(failure) }
    return FlowEnd(try await run(Machine(number: number)).outcome)
  }

  /// It as the only provider of a service, and a backend that answers it.
  static var whole: (providers: ProviderSet, send: AuthenticationService.HostSend) {
    var providers = ProviderSet()
    providers.add(NamedProvider(name: "example", settings: ExampleProvider()))
    return (providers, { _, _ in .success(BackendReply(status: 200)) })
  }

  /// The same over the bearer.
  static var overBearer: (providers: ProviderSet, send: AuthenticationService.HostSend) {
    var providers = ProviderSet()
    var settings = ExampleProvider()
    settings.usesBearer = true
    providers.add(NamedProvider(name: "example", settings: settings))
    return (providers, { _, _ in .success(BackendReply(status: 200)) })
  }

  /// One over the bearer, and one that the SIM answers.
  static var byBothRoutes: (providers: ProviderSet, send: AuthenticationService.HostSend) {
    var providers = ProviderSet()
    for settings in [
      ExampleProvider(name: "over-bearer", usesBearer: true), ExampleProvider(name: "by-sim", proof: .sim),
    ] {
      providers.add(NamedProvider(name: settings.name, settings: settings))
    }
    return (providers, { _, _ in .success(BackendReply(status: 200)) })
  }

  private static let endpoint = TruIDResidency.eu.endpoint

  private struct Machine: FlowMachine {
    static let usesBearer = false
    let number: SubscriberNumber

    func start(at now: Timestamp) -> FlowAction<Void> {
      .send(BackendCall("askProvider", .get, ExampleProvider.endpoint.url, route: .host))
    }

    func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<Void> {
      .finish(.check(matches: number == (try? SubscriberNumber("+447700900123"))), nil)
    }
  }
}
