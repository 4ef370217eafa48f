import AuthFlows
import ModemAPI
import ModemService
import Varlink

/// org.modemd.Verify.
struct VerifyHarness: Sendable {
  private let call: FlowCall

  init(_ authentication: AuthenticationService) { call = FlowCall(authentication) }

  func add(to router: inout VarlinkRouter) {
    router.add(VerifyInterface.self)
    router.stream(VerifyInterface.Number.self, number)
    router.handle(VerifyInterface.Providers.self) { _, _ in
      .init(providers: call.authentication.providers.names.map { .init(name: $0.name, kind: $0.kind) })
    }
  }

  @Sendable private func number(
    _ parameters: VerifyInterface.Number.Parameters, _ context: CallContext,
    _ replies: ReplySink<VerifyInterface.Number.Reply>
  ) async throws -> VerifyInterface.Number.Reply {
    let number = try FlowCall.number(parameters.number)
    let flow = try call.begin(
      on: parameters.modem, for: context.peer, replies, step: { .init(event: .step, step: $0) },
      hop: { .init(event: .hop, hop: $0) })
    replies.send(.init(event: .ready))
    let end = try await onWire {
      try await VerifyFlow(call.authentication.providers).verify(
        number, of: flow.subscriber, with: parameters.provider, flow.run)
    }
    return .init(event: .outcome, outcome: flow.outcome(end.outcome, provider: end.provider, kind: end.kind))
  }
}
