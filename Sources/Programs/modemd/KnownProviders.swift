import CAMARAConfiguration
import FirebaseConfiguration
import IPificationConfiguration
import MIRACLConfiguration
import MobileConnectConfiguration
import ProviderSettings
import TruIDConfiguration

/// The providers of this program, one per line.
enum KnownProviders {
  /// What a provider's file may be.
  static let documents: [any ProviderDocument.Type] = [
    FirebaseDocument.self,
    IPificationDocument.self,
    MobileConnectDocument.self,
    CAMARADocument.self,
    TruIDDocument.self,
    MIRACLDocument.self,
  ]
}
