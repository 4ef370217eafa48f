import AuthCore
import AuthFlows
import FlowService
import ModemAPI
import ProviderSettings

/// org.modemd.Verify.
struct VerifyMethods: FlowMethods {
  static let rights = [
    InterfaceRights([
      .groups: [
        VerifyInterface.Number.self, VerifyInterface.Providers.self, VerifyInterface.ProviderKinds.self,
        VerifyInterface.CheckProvider.self,
      ],
      // It tells what a credential is like, to whoever can guess its name.
      .ownEntry: [VerifyInterface.TestProviderFile.self],
    ])
  ]

  let files: ProviderFiles
  let reloads: ReloadHistory
  /// Of calls that name none.
  let route: VerifyRoute

  func add(to flows: inout FlowRouter) {
    flows.add(VerifyInterface.self)
    let route = route
    flows.method(VerifyInterface.Number.self, of: .numberVerifiers) { parameters in
      (try SubscriberNumber(argument: parameters.number), parameters.route.map { VerifyRoute($0) } ?? route)
    } flow: { asked, call in
      let (number, route) = asked
      let flow = try VerifyFlow(call.provider, by: route, without: call.run.bearerObstacle?.cause)
      return (number, flow)
    } run: { asked, call in
      try await asked.1.verify(asked.0, of: call.subscriber, call.run)
    } reply: { reply, end in
      reply.outcome?.provider = end.answer?.name
      reply.outcome?.kind = end.answer?.kind
      reply.serverAnswer = end.answer?.serverAnswer
    }
    let (host, files, reloads) = (flows.host, files, reloads)
    flows.handle(VerifyInterface.Providers.self) { _, _ in
      let last = reloads.last
      return .init(
        providers: host.providers.descriptions().map(VerifyInterface.Provider.init),
        faults: host.providers.faults.map(VerifyInterface.ProviderFault.init), reloads: last.count,
        reloadFailure: last.failure)
    }
    flows.handle(VerifyInterface.ProviderKinds.self) { _, _ in
      .init(kinds: files.kinds.map(VerifyInterface.ProviderKind.init))
    }
    flows.handle(VerifyInterface.TestProviderFile.self) { parameters, _ in
      let given = Dictionary(parameters.credentials.map { ($0.key, Secret($0.value)) }) { first, _ in first }
      let fault = files.fault(in: parameters.text, named: parameters.name, given: given)
      return .init(fault: fault.map(VerifyInterface.ProviderFault.init))
    }
    flows.handle(VerifyInterface.CheckProvider.self) { parameters, context in
      try await ProviderCheck(host: host, peer: context.peer).check(parameters.provider, modem: parameters.modem)
    }
  }
}

extension VerifyRoute {
  fileprivate init(_ word: VerifyInterface.Number.Parameters.Route) {
    self =
      switch word {
      case .any: .any
      case .bearer: .bearer
      case .network: .network
      }
  }
}

extension ProviderChoice where Provider == [VerifyCandidate] {
  /// Every provider that can tell whether a number is the SIM's.
  fileprivate static var numberVerifiers: ProviderChoice {
    ProviderChoice { providers, name, home in Found(try providers.numberVerifiers(named: name, for: home)) }
  }
}
