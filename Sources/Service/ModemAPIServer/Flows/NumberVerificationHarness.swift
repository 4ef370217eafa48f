import AuthCore
import AuthFlows
import ModemAPI
import ModemService
import Varlink
import CAMARAFlows

/// org.modemd.NumberVerification.
struct NumberVerificationHarness: Sendable {
  private let call: FlowCall

  init(_ authentication: AuthenticationService) { call = FlowCall(authentication) }

  func add(to router: inout VarlinkRouter) {
    router.add(NumberVerificationInterface.self)
    router.stream(NumberVerificationInterface.Verify.self, verify)
    router.stream(NumberVerificationInterface.DevicePhoneNumber.self, devicePhoneNumber)
  }

  @Sendable private func verify(
    _ parameters: NumberVerificationInterface.Verify.Parameters, _ context: CallContext,
    _ replies: ReplySink<NumberVerificationInterface.Verify.Reply>
  ) async throws -> NumberVerificationInterface.Verify.Reply {
    let number = try FlowCall.number(parameters.number)
    let flow = try call.begin(
      on: parameters.modem, for: context.peer, replies, step: { .init(event: .step, step: $0) },
      hop: { .init(event: .hop, hop: $0) })
    replies.send(.init(event: .ready))
    let (end, provider) = try await run(flow, parameters.provider) {
      $0.question(number, isHashed: parameters.hashed)
    }
    return .init(
      event: .outcome, outcome: flow.outcome(end.outcome, provider), correlator: end.answer?.correlator)
  }

  @Sendable private func devicePhoneNumber(
    _ parameters: NumberVerificationInterface.DevicePhoneNumber.Parameters, _ context: CallContext,
    _ replies: ReplySink<NumberVerificationInterface.DevicePhoneNumber.Reply>
  ) async throws -> NumberVerificationInterface.DevicePhoneNumber.Reply {
    let flow = try call.begin(
      on: parameters.modem, for: context.peer, replies, step: { .init(event: .step, step: $0) },
      hop: { .init(event: .hop, hop: $0) })
    replies.send(.init(event: .ready))
    let (end, provider) = try await run(flow, parameters.provider) { _ in .read }
    return .init(
      event: .outcome, outcome: flow.outcome(end.outcome, provider), number: end.answer?.number?.revealed,
      correlator: end.answer?.correlator)
  }

  private func run(
    _ flow: FlowCall.Begun, _ name: String?, _ question: (CAMARAProvider) -> NumberVerificationQuestion
  ) async throws -> (FlowEnd<NumberVerificationAnswer>, NamedProvider<CAMARASettings>) {
    try await onWire {
      let found = try call.authentication.providers.find(CAMARASettings.self, named: name, for: flow.subscriber.home)
      let provider = CAMARAProvider(name: found.name, settings: found.settings(for: flow.subscriber.home))
      let machine = try await provider.machine(question(provider), at: flow.run.now)
      return (try await flow.run(machine), found)
    }
  }
}
