import ArgumentParser
import ModemAPI
import ModemctlCore
import NumberRecyclingAPI

/// The verbs of Number Recycling.
package enum NumberRecyclingVerbs: ProviderVerbs {
  package static var verbs: [any ParsableCommand.Type] { [NumberRecycling.self] }
}

/// `modemctl number-recycling`
struct NumberRecycling: FlowVerb {
  typealias Method = NumberRecyclingInterface.Check

  static let configuration = CommandConfiguration(
    commandName: "number-recycling", abstract: "Ask whether a number has got another subscriber since a day.",
    discussion: """
      The provider is a file in /etc/modemd/providers, of the kind numberRecycling. Without a number, the question is about the \
      SIM in this machine, which the operator recognises by the bearer.
      """)

  @Argument(help: "The day, as in 2026-10-31.")
  var since: String

  @Argument(help: "In international form, as in +447700900123 (default: the SIM in this machine).")
  var number: String?

  @OptionGroup var flow: FlowOptions

  func parameters() -> Method.Parameters {
    .init(number: number, since: since, provider: flow.provider, modem: flow.modem)
  }
}

extension NumberRecyclingInterface.Check.Reply: FlowReply {
  package var refutes: Bool { changed == true }
  package var findings: [(String, String?)] {
    [("another subscriber", changed.map { $0 ? "yes" : "no" }), ("correlator", correlator)]
  }
}
