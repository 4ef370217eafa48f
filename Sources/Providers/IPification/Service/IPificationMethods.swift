import AuthCore
import AuthFlows
import FlowService
import IPificationAPI
import IPificationFlows
import ModemAPI
import NetworkAddress

/// org.modemd.IPification.
package struct IPificationMethods: FlowMethods {
  private typealias Wire = IPificationInterface

  package static let rights = [
    InterfaceRights([.groups: [Wire.Coverage.self, Wire.Authorize.self, Wire.Verify.self]])
  ]

  package init() {}

  package func add(to flows: inout FlowRouter) {
    flows.add(Wire.self)
    flows.method(Wire.Coverage.self, of: .settings(IPificationSettings.self)) { parameters in
      let number = try parameters.number.map { try SubscriberNumber(argument: $0) }
      let address = try parameters.address.map { try Self.address($0) }
      if number != nil, address != nil {
        throw AuthError.invalid("address", "no number beside it: the provider takes one of the two")
      }
      return (number, address)
    } run: { asked, call in
      let (number, address) = asked
      if let address { return try await call.run(IPificationAddressMachine(call.provider, address: address)) }
      return try await Self.run(IPificationQuestion(.coverage, number: number), call)
    } reply: { reply, end in
      reply.operatorCode = end.answer?.operatorCode
    }
    flows.method(Wire.Authorize.self, of: .settings(IPificationSettings.self)) { parameters in
      try IPificationQuestion(.authorize, parameters)
    } run: { question, call in
      try await Self.run(question, call)
    } reply: { reply, end in
      reply.authorization = end.answer.flatMap { Wire.Authorization($0) }
      reply.messages = end.answer?.messageFallback.map { Wire.Messages($0) }
    }
    flows.method(Wire.Verify.self, of: .settings(IPificationSettings.self)) { parameters in
      var question = try IPificationQuestion(.verify, parameters)
      question.earlierMobileID = parameters.earlierMobileID.map { Secret($0) }
      return question
    } run: { question, call in
      try await Self.run(question, call)
    } reply: { reply, end in
      reply.subject = end.outcome.result.isAnswer ? end.answer.map { Wire.Subject($0) } : nil
      reply.messages = end.answer?.messageFallback.map { Wire.Messages($0) }
      reply.serverAnswer = end.answer?.serverAnswer
    }
  }

  private static func run(
    _ question: IPificationQuestion, _ call: FlowCall<IPificationSettings>
  ) async throws -> FlowEnd<IPificationAnswer> {
    try await call.run(call.provider.machine(for: question, of: call.subscriber))
  }

  private static func address(_ text: String) throws -> IPAddress {
    guard let address = IPAddress(text) else { throw AuthError.invalid("address", "an IPv4 or IPv6 address") }
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
    self.init(task, number: try parameters.number.map { try SubscriberNumber(argument: $0) })
    scope = parameters.scope
    state = parameters.state.map { Secret($0) }
    nonce = parameters.nonce.map { Secret($0) }
    locales = parameters.locales
    channels = parameters.channels
    requestObject = parameters.requestObject.map { Secret($0) }
  }
}

extension IPificationInterface.Authorization {
  /// Nil where there is no code.
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
