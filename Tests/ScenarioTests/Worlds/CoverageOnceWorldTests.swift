import ModemAPI
import ModemAPIClient
import OperatorSimulator
import Testing

@testable import ScenarioRunner

/// One call asks a provider once whether it serves the SIM.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct CoverageOnceWorldTests {
  private static let number = "+4915112345678"

  /// Three providers, so that each is asked for its coverage before it may verify. The networks say
  /// whose turn is first.
  private static func scenario(first: String) -> String {
    let files = [
      "ip":
        #""kind": "ipification", "host": "https://api.ipification.example", "route": "bearer", "redirectURI": "com.example.app://ip/callback", "clientID": "ip""#,
      "truid":
        #""kind": "truID", "api": "https://eu.api.truid.example", "clientID": "c1ient", "checkDomains": ["truid.example"]"#,
      "sender":
        #""kind": "truID", "api": "https://eu.api.truid.example", "clientID": "c1ient", "checkDomains": ["truid.example"], "sendsAddress": true"#,
    ]
    let providers = files.map { name, file in
      "\"\(name)\": { \(file)\(name == first ? #", "networks": ["262"]"# : "") }"
    }
    return """
      { "providers": [
          { "kind": "truID", "client": { "id": "c1ient", "secret": "s3cret-of-truid" }, "operators": ["26201"] },
          { "kind": "ipification", "networks": ["26201"], "clients": [ { "id": "ip", "secret": "s3cret-of-ip" } ] } ],
        "modemdProviders": { \(providers.joined(separator: ",\n")) },
        "modemdCredentials": { "ip.client-secret": "s3cret-of-ip", "truid.client-secret": "s3cret-of-truid",
          "sender.client-secret": "s3cret-of-truid" } }
      """
  }

  @Test(arguments: ["ip", "truid", "sender"])
  func `a provider that verifies is not asked again whether it serves the SIM`(first: String) async throws {
    try await Worlds.with(Self.scenario(first: first)) { world in
      var steps: [String] = []
      var outcome: VerifyInterface.Outcome?
      for try await reply in try await world.client().stream(
        VerifyInterface.Number.self, .init(number: Self.number))
      {
        if let step = reply.step { steps.append(step.name) }
        outcome = reply.outcome
      }
      #expect(outcome?.result == .verified && outcome?.provider == first, "\(outcome?.text ?? "-")")
      let questions = steps.filter { $0.hasSuffix("Coverage") }
      #expect(questions.count == 1, "\(steps)")
    }
  }
}
