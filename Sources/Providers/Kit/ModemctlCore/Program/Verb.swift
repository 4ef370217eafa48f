import ArgumentParser
import Varlink

/// A verb of modemctl: asks modemd, and renders what it answers.
package protocol Verb: AsyncParsableCommand {
  var common: CommonOptions { get }

  /// A verb that only asks modemd stays on the main thread, which needs no other one then.
  ///
  /// - Returns: how it ended, where that is no error of modemctl's own.
  nonisolated(nonsending) func run(in session: Session) async throws -> ExitStatus
}

/// What a provider's folder adds to modemctl.
package protocol ProviderVerbs {
  /// In the order in which `modemctl --help` lists them.
  static var verbs: [any ParsableCommand.Type] { get }

  /// The meaning of an error of the provider's own interfaces, for people.
  ///
  /// - Returns: nil for any other error.
  static func explain(_ error: VarlinkError) -> ModemctlError?
}

extension ProviderVerbs {
  package static func explain(_ error: VarlinkError) -> ModemctlError? { nil }
}
