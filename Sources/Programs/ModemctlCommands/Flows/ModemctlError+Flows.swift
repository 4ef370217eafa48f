import MIRACLAPI
import ModemAPI
import Varlink

extension ModemctlError {
  /// What the errors of org.modemd.Verify, which all flows share, mean to people.
  static func aboutFlows(_ error: VarlinkError) -> ModemctlError? {
    if let argument = error.parameters(as: VerifyInterface.InvalidArgument.self) {
      return ModemctlError(.usage, "\(argument.argument): expected is \(argument.expected)")
    }
    if let none = error.parameters(as: VerifyInterface.NoProvider.self) { return ModemctlError(.usage, none.text) }
    if let several = error.parameters(as: VerifyInterface.MoreThanOneProvider.self) {
      return ModemctlError(
        .usage,
        "\(several.providers.count) providers are for this SIM; name one with --provider: "
          + several.providers.joined(separator: ", "))
    }
    if error.parameters(as: MIRACLInterface.NoSuchIdentity.self) != nil {
      return ModemctlError(
        .usage, "this user is not registered on this machine; `modemctl miracl identities --reveal` lists those who are"
      )
    }
    if let store = error.parameters(as: MIRACLInterface.StoreFailed.self) { return ModemctlError(.failed, store.text) }
    return nil
  }
}
