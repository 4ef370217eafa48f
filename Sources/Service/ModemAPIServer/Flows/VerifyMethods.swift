import AuthCore
import AuthFlows
import FlowService
import ModemAPI

/// org.modemd.Verify.
struct VerifyMethods: FlowMethods {
  static let rights = [InterfaceRights([.groups: [VerifyInterface.Number.self, VerifyInterface.Providers.self]])]

  let providers: ProviderSet

  func add(to flows: inout FlowRouter) {
    flows.add(VerifyInterface.self)
    flows.method(VerifyInterface.Number.self, of: .numberVerifiers) { parameters in
      try SubscriberNumber(argument: parameters.number)
    } run: { number, call in
      try await VerifyFlow(call.provider).verify(number, of: call.subscriber, call.run)
    } reply: { reply, end in
      reply.outcome?.provider = end.answer?.name
      reply.outcome?.kind = end.answer?.kind
    }
    flows.handle(VerifyInterface.Providers.self) { [providers] _, _ in
      .init(providers: providers.names.map { .init(name: $0.name, kind: $0.kind) })
    }
  }
}

extension ProviderChoice where Provider == [any NumberVerifier] {
  /// All that can say whether a number is the SIM's.
  fileprivate static var numberVerifiers: ProviderChoice {
    ProviderChoice { providers, name, home in Found(try providers.numberVerifiers(named: name, for: home)) }
  }
}
