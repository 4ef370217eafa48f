import ModemAPIClient

// What a program of somebody else may write with this one import: calls, streams, errors and what
// replies contain. The compiler holds this file to the members of what it imports
// (MemberImportVisibility).

/// Reads modems as a program of somebody else does.
package struct OneImport: Sendable {
  private let client: ModemAPIClient

  /// Connects to the service at a path.
  package init(path: String) async throws { client = try await ModemAPIClient.connect(to: path) }

  /// A line for each modem: its id, its SIM's state and its bearer's.
  package func modems() async throws -> [String] {
    var lines: [String] = []
    for modem in try await client.call(ModemInterface.List.self, .init()).modems {
      let bearer = try await client.call(BearerInterface.Get.self, .init(modem: modem.id)).bearer
      lines.append("\(modem.id) \(modem.sim.state.rawValue) \(bearer.state.rawValue)")
    }
    return lines
  }

  /// What the service says of a modem that it does not have.
  package func refusal(of modem: String) async throws -> String? {
    do {
      _ = try await client.call(ModemInterface.Get.self, .init(modem: modem))
      return nil
    } catch let error as VarlinkError {
      return error.parameters(as: ModemInterface.NoSuchModem.self)?.modem
    }
  }

  /// How a sign-in ends whose codes a closure has, one after the other.
  package func signIn(
    _ number: String, code: @escaping @Sendable (Int?) async -> String?
  ) async throws -> VerifyInterface.Outcome {
    let answers = FlowAnswers(code: { question in await code(question.reply.attemptsLeft) })
    let replies = client.stream(
      PhoneSignInInterface.SignIn.self, .init(number: number, codeFrom: .caller), answers: answers, within: .seconds(60)
    )
    return try await replies.outcome().unwrap()
  }

  /// The answer that a chain ends with, as JSON.
  package func answer(of url: String) async throws -> JSONValue? {
    for try await reply in client.stream(CheckInterface.Open.self, .init(url: url)) {
      if let outcome = reply.outcome { return outcome.answer?.json }
    }
    return nil
  }
}
