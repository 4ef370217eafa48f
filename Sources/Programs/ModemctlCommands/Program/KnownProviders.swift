import CAMARACommands
import FirebaseCommands
import IPificationCommands
import MIRACLCommands
import MobileConnectCommands
import ModemctlCore
import TruIDCommands

/// The providers whose verbs modemctl has: a line for each, in the order of `modemctl --help`.
enum KnownProviders {
  static var commands: [any ProviderVerbs.Type] {
    [
      TruIDVerbs.self,
      IPificationVerbs.self,
      MobileConnectVerbs.self,
      CAMARAVerbs.self,
      FirebaseVerbs.self,
      MIRACLVerbs.self,
    ]
  }
}
