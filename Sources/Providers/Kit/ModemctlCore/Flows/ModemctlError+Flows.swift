import ModemAPI
import Varlink

extension ModemctlError {
  /// What the errors of org.modemd.Verify, which all flows share, mean to people.
  package static func aboutFlows(_ error: VarlinkError) -> ModemctlError? {
    if let argument = error.parameters(as: VerifyInterface.InvalidArgument.self) {
      return ModemctlError(.usage, "\(argument.argument): expected \(argument.expected)")
    }
    if let none = error.parameters(as: VerifyInterface.NoProvider.self) {
      return ModemctlError(.misconfigured, none.text)
    }
    if let several = error.parameters(as: VerifyInterface.MoreThanOneProvider.self) {
      return ModemctlError(
        .usage,
        "\(several.providers.count) providers serve this SIM; name one with --provider: "
          + several.providers.joined(separator: ", "))
    }
    return nil
  }
}
