import ModemAPI
import Varlink

extension ModemctlError {
  /// The meaning of org.modemd.Verify's errors, which all flows share, for people.
  static func aboutFlows(_ error: VarlinkError) -> ModemctlError? {
    if let argument = error.parameters(as: VerifyInterface.InvalidArgument.self) {
      return ModemctlError(.usage, "\(argument.argument): expected \(argument.expected)")
    }
    if let none = error.parameters(as: VerifyInterface.NoProvider.self) { return ModemctlError(.usage, none.text) }
    if let several = error.parameters(as: VerifyInterface.MoreThanOneProvider.self) {
      return ModemctlError(
        .usage,
        "\(several.providers.count) providers serve this SIM; name one with --provider: "
          + several.providers.joined(separator: ", "))
    }
    if error.parameters(as: MIRACLInterface.NoSuchIdentity.self) != nil {
      return ModemctlError(
        .usage, "this user is not registered on this machine; `modemctl miracl identities --reveal` lists the registered users"
      )
    }
    if let store = error.parameters(as: MIRACLInterface.StoreFailed.self) { return ModemctlError(.failed, store.text) }
    return nil
  }
}
