import CAMARACommands
import FirebaseCommands
import IPificationCommands
import MIRACLCommands
import MobileConnectCommands
import ModemctlCore
import NumberRecyclingCommands
import TS43Commands
import TruIDCommands

/// The providers for which modemctl has verbs: one line for each, in the order of
/// `modemctl --help`.
enum KnownProviders {
  static var commands: [any ProviderVerbs.Type] {
    [
      TruIDVerbs.self,
      IPificationVerbs.self,
      MobileConnectVerbs.self,
      CAMARAVerbs.self,
      NumberRecyclingVerbs.self,
      TS43Verbs.self,
      FirebaseVerbs.self,
      MIRACLVerbs.self,
    ]
  }
}
