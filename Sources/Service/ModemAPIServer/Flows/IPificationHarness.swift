import AuthCore
import AuthFlows
import ModemAPI
import ModemService
import NetworkAddress
import Varlink
import IPificationFlows

/// org.modemd.IPification.
struct IPificationHarness: Sendable {
  private let call: FlowCall

  init(_ authentication: AuthenticationService) { call = FlowCall(authentication) }

  func add(to router: inout VarlinkRouter) {
    router.add(IPificationInterface.self)
    router.stream(IPificationInterface.Coverage.self, coverage)
    router.stream(IPificationInterface.Authorize.self, authorize)
    router.stream(IPificationInterface.Verify.self, verify)
  }

  @Sendable private func coverage(
    _ parameters: IPificationInterface.Coverage.Parameters, _ context: CallContext,
    _ replies: ReplySink<IPificationInterface.Coverage.Reply>
  ) async throws -> IPificationInterface.Coverage.Reply {
    let number = try parameters.number.map { try FlowCall.number($0) }
    let address = try parameters.address.map { try Self.address($0) }
    if number != nil, address != nil {
      throw AuthError.invalid("address", "no number beside it: the provider takes one of the two").onWire
    }
    let flow = try call.begin(
      on: parameters.modem, for: context.peer, replies, step: { .init(event: .step, step: $0) },
      hop: { .init(event: .hop, hop: $0) })
    replies.send(.init(event: .ready))
    let provider = try find(parameters.provider, flow.subscriber)
    let settings = provider.settings(for: flow.subscriber.home)
    let end = try await onWire {
      if let address { return try await flow.run(IPificationAddressMachine(settings, address: address)) }
      return try await flow.run(
        settings.machine(for: IPificationQuestion(.coverage, number: number), of: flow.subscriber))
    }
    return .init(
      event: .outcome, outcome: flow.outcome(end.outcome, provider), operatorCode: end.answer?.operatorCode)
  }

  @Sendable private func authorize(
    _ parameters: IPificationInterface.Authorize.Parameters, _ context: CallContext,
    _ replies: ReplySink<IPificationInterface.Authorize.Reply>
  ) async throws -> IPificationInterface.Authorize.Reply {
    let question = try IPificationQuestion(.authorize, parameters)
    let flow = try call.begin(
      on: parameters.modem, for: context.peer, replies, step: { .init(event: .step, step: $0) },
      hop: { .init(event: .hop, hop: $0) })
    replies.send(.init(event: .ready))
    let (end, provider) = try await run(question, flow, parameters.provider)
    return .init(
      event: .outcome, outcome: flow.outcome(end.outcome, provider),
      authorization: end.answer.flatMap { IPificationInterface.Authorization($0) },
      messages: end.answer?.messageFallback.map { IPificationInterface.Messages($0) })
  }

  @Sendable private func verify(
    _ parameters: IPificationInterface.Verify.Parameters, _ context: CallContext,
    _ replies: ReplySink<IPificationInterface.Verify.Reply>
  ) async throws -> IPificationInterface.Verify.Reply {
    var question = try IPificationQuestion(.verify, parameters)
    question.earlierMobileID = parameters.earlierMobileID.map { Secret($0) }
    let flow = try call.begin(
      on: parameters.modem, for: context.peer, replies, step: { .init(event: .step, step: $0) },
      hop: { .init(event: .hop, hop: $0) })
    replies.send(.init(event: .ready))
    let (end, provider) = try await run(question, flow, parameters.provider)
    return .init(
      event: .outcome, outcome: flow.outcome(end.outcome, provider),
      subject: end.outcome.result.isAnswer ? end.answer.map { IPificationInterface.Subject($0) } : nil,
      messages: end.answer?.messageFallback.map { IPificationInterface.Messages($0) })
  }

  private func run(
    _ question: IPificationQuestion, _ flow: FlowCall.Begun, _ name: String?
  ) async throws -> (FlowEnd<IPificationAnswer>, NamedProvider<IPificationSettings>) {
    let provider = try find(name, flow.subscriber)
    let end = try await onWire {
      let settings = provider.settings(for: flow.subscriber.home)
      return try await flow.run(settings.machine(for: question, of: flow.subscriber))
    }
    return (end, provider)
  }

  private func find(_ name: String?, _ subscriber: Subscriber) throws -> NamedProvider<IPificationSettings> {
    try onWire {
      try call.authentication.providers.find(IPificationSettings.self, named: name, for: subscriber.home)
    }
  }

  private static func address(_ text: String) throws -> IPAddress {
    guard let address = IPAddress(text) else {
      throw AuthError.invalid("address", "an IPv4 or IPv6 address").onWire
    }
    return address
  }
}

/// What `Authorize` and `Verify` both take.
private protocol AuthorizationParameters {
  var number: String? { get }
  var scope: [String]? { get }
  var state: String? { get }
  var nonce: String? { get }
  var locales: [String]? { get }
  var channels: [String]? { get }
  var requestObject: String? { get }
}

extension IPificationInterface.Authorize.Parameters: AuthorizationParameters {}
extension IPificationInterface.Verify.Parameters: AuthorizationParameters {}

extension IPificationQuestion {
  fileprivate init(_ task: Task, _ parameters: some AuthorizationParameters) throws {
    self.init(task, number: try parameters.number.map { try FlowCall.number($0) })
    scope = parameters.scope
    state = parameters.state.map { Secret($0) }
    nonce = parameters.nonce.map { Secret($0) }
    locales = parameters.locales
    channels = parameters.channels
    requestObject = parameters.requestObject.map { Secret($0) }
  }
}

extension IPificationInterface.Authorization {
  /// Nil without a code.
  fileprivate init?(_ answer: IPificationAnswer) {
    guard let code = answer.code, let state = answer.state, let redirect = answer.redirect else { return nil }
    self.init(
      code: code.revealed, state: state.revealed, nonce: answer.nonce?.revealed, redirect: redirect.revealed)
  }
}

extension IPificationInterface.Messages {
  fileprivate init(_ fallback: IPificationAnswer.MessageFallback) {
    self.init(
      session: fallback.session.revealed, endpoint: fallback.endpoint?.revealed,
      links: fallback.links.mapValues(\.revealed))
  }
}

extension IPificationInterface.Subject {
  fileprivate init(_ answer: IPificationAnswer) {
    self.init(
      id: answer.subject?.revealed, number: answer.number?.revealed, mobileID: answer.mobileID?.revealed,
      idToken: answer.idToken?.revealed)
  }
}
