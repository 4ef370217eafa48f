import AuthFlows
import CAMARAAPI
import CAMARAFlows
import FlowService
import ModemAPI

/// org.modemd.NumberVerification and org.modemd.SIMSwap.
package struct CAMARAMethods: FlowMethods {
  package static let rights = [
    InterfaceRights([
      .groups: [NumberVerificationInterface.Verify.self, NumberVerificationInterface.DevicePhoneNumber.self]
    ]), InterfaceRights([.groups: [SIMSwapInterface.Check.self, SIMSwapInterface.RetrieveDate.self]]),
  ]

  package init() {}

  package func add(to flows: inout FlowRouter) {
    addNumberVerification(to: &flows)
    addSIMSwap(to: &flows)
  }
}

extension ProviderChoice where Provider == CAMARAProvider {
  /// The operator with the name, otherwise the only one configured for the SIM's network.
  static var camara: ProviderChoice {
    ProviderChoice { providers, name, home in
      let found = try providers.find(CAMARASettings.self, named: name, for: home)
      let settings = found.settings(for: home)
      return Found(
        CAMARAProvider(
          name: found.name, settings: settings,
          tokens: settings.operatorTokensFrom.map { providers.tokenSource(named: $0, for: home) }),
        name: found.name, kind: CAMARASettings.kind)
    }
  }
}
