import AuthCore
import AuthFlows
import Web

extension MobileConnectSettings {
  /// A discovery service is asked for the SIM's operator; an operator, to exchange a code that
  /// nobody was given.
  package func credentialCheck(named name: String) -> CredentialCheck {
    switch source {
    case nil: return .notNeeded("the app's server has the credentials")
    case .discovery:
      return .ask { [self] subscriber, run in
        guard let subscriber else {
          return FlowOutcome(
            .noDataPath, "the discovery service is asked about a SIM's network, and no modem was chosen; name one")
        }
        return try await discoveryOutcome(of: subscriber, run)
      }
    case .endpoints, .issuer:
      guard let client, let redirect else { return .notNeeded("there is no clientID") }
      return .ask { [self] subscriber, run in
        let found = try await MobileConnectFlow(self, of: subscriber ?? Subscriber(modem: ""), run)
          .discover(OperatorQuery())
        guard found.outcome.result == .covered else { return found.outcome }
        guard let endpoint = found.answer?.discovered?.found?.endpoints[.token] else {
          return FlowOutcome(.notConfigured, "the operator's metadata names no token endpoint")
        }
        let fields = FormFields([
          "grant_type": "authorization_code", "code": CredentialMachine.noCode, "redirect_uri": redirect.text,
        ])
        return try await run(
          CredentialMachine(token: .asClient("checkCredentials", endpoint, client, fields, route))
        ).outcome
      }
    }
  }

  /// An answer about the operator, whatever it is, shows that the service knows the client.
  private func discoveryOutcome(of subscriber: Subscriber, _ run: FlowRun) async throws -> FlowOutcome {
    let found = try await MobileConnectVerifier(name: "", settings: self).coverage(
      of: subscriber, for: nil, run)
    switch found?.result {
    case .covered?, .operatorUnsupported?, .subscriberUnknown?, .interactionRequired?:
      return FlowOutcome(.authorized, status: found?.status, "the discovery service accepts the credentials")
    default: return found ?? FlowOutcome(.badAnswer, "the discovery service was not asked")
    }
  }
}
