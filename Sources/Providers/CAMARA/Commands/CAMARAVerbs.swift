import ArgumentParser
import ModemctlCore

/// The verbs of CAMARA's interfaces.
package enum CAMARAVerbs: ProviderVerbs {
  package static var verbs: [any ParsableCommand.Type] { [NumberVerification.self, SIMSwap.self] }
}
