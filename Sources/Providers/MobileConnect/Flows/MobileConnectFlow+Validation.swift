import AuthCore
import AuthFlows
import JSONTree
import ModemModel

// Mobile Number Validation: is a number that of the SIM?

extension MobileConnectFlow {
  /// The word in `amr` for the operator's proof of a recognised bearer.
  private static let seamless = "SEAM_OK"

  /// Asks the operator whether a number is the SIM's.
  ///
  /// - Parameter form: nil for the configured one.
  /// - Throws: what the lanes throw.
  package func validate(
    _ number: SubscriberNumber, _ form: MobileConnectValidation? = nil, _ query: OperatorQuery = OperatorQuery()
  ) async throws -> FlowEnd<MobileConnectAnswer> {
    let form = form ?? settings.validation
    var request = MobileConnectRequest()
    request.scope = form.scope
    request.acr = ["2"]
    request.prompt = [.login]
    request.maximumAge = 3600
    request.loginHint = .number(number)
    var query = query
    query.number = query.number ?? number
    return try await ending { [request, query] answer in
      let ready = try await code(for: request, query, &answer)
      let tokens = try await tokens(for: ready)
      answer.tokens = tokens
      switch form {
      case .plain: return plain(tokens)
      case .plus: return try await plus(number, tokens, ready)
      }
    }
  }

  /// The operator has already compared the number. If it did not recognise the bearer, it asked a
  /// person about the hinted number, which proves nothing about this SIM.
  private func plain(_ tokens: MobileConnectTokens) -> FlowOutcome {
    let amr = tokens.claims?["amr"]
    let means = amr?.items.compactMap(\.string) ?? [amr?.string].compactMap(\.self)
    guard !settings.requiresSeamless || means.contains(Self.seamless) else {
      return FlowOutcome(
        .headerMissing,
        "the operator does not say that it recognised the bearer, so that a person may have answered for another SIM; ask for the validation plus"
      )
    }
    return FlowOutcome.check(matches: true)
  }

  /// The operator returns the number that it recognised, or its hash.
  private func plus(
    _ number: SubscriberNumber, _ tokens: MobileConnectTokens, _ ready: Ready
  ) async throws -> FlowOutcome {
    let told = try await information(
      .userinfo, tokens.accessToken, subject: tokens.subject, ready.found, ready.client)
    let matches = told.phoneNumber.flatMap { ToldNumber.matches($0, number, settings.tools) }
    return FlowOutcome.check(matches: matches)
  }
}
