import AuthCore
import AuthFlows
import FlowService
import ModemAPI
import NumberRecyclingAPI
import NumberRecyclingFlows

/// org.modemd.NumberRecycling.
package struct NumberRecyclingMethods: FlowMethods {
  package static let rights = [InterfaceRights([.groups: [NumberRecyclingInterface.Check.self]])]

  package init() {}

  package func add(to flows: inout FlowRouter) {
    flows.add(NumberRecyclingInterface.self)
    flows.method(NumberRecyclingInterface.Check.self, of: .numberRecycling, needsModem: { $0.0 == nil }) { parameters in
      guard let day = CalendarDay(parameters.since) else {
        throw AuthError.invalid("since", "a day, as in 2026-10-31")
      }
      return (try parameters.number.map { try SubscriberNumber(argument: $0) }, day)
    } flow: { asked, call in
      try await call.provider.machine(for: asked.0, since: asked.1, of: call.subscriber, at: call.run.now)
    } run: { machine, call in
      try await call.run(machine)
    } reply: { reply, end in
      reply.changed = end.answer?.isChanged
      reply.correlator = end.answer?.correlator
    }
  }
}

extension ProviderChoice where Provider == NumberRecyclingProvider {
  /// The operator of the name, else the only one that is meant for the SIM's network.
  fileprivate static var numberRecycling: ProviderChoice {
    ProviderChoice { providers, name, home in
      let found = try providers.find(NumberRecyclingSettings.self, named: name, for: home)
      return Found(
        NumberRecyclingProvider(found.settings(for: home)), name: found.name, kind: NumberRecyclingSettings.kind)
    }
  }
}
