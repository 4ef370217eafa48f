import CAMARAConfiguration
import CAMARAFlowService
import FirebaseConfiguration
import FirebaseFlowService
import FlowService
import IPificationConfiguration
import IPificationFlowService
import MIRACLConfiguration
import MIRACLFlowService
import MobileConnectFlowService
import ModemAPIServer
import NumberRecyclingConfiguration
import NumberRecyclingFlowService
import MobileConnectConfiguration
import ProviderSettings
import TS43Configuration
import TS43FlowService
import TruIDConfiguration
import TruIDFlows
import TruIDFlowService

/// A provider of this program: its settings file's form, and the methods of its interfaces.
struct KnownProvider: Sendable {
  let document: any ProviderDocument.Type
  let rights: [InterfaceRights]
  let methods: @Sendable (ProviderMeans) async throws -> any FlowMethods

  init<Methods: FlowMethods>(
    _ document: any ProviderDocument.Type, _ methods: @escaping @Sendable (ProviderMeans) async throws -> Methods
  ) {
    self.document = document
    self.methods = methods
    rights = Methods.rights
  }
}

/// The providers of this program, one per line.
enum KnownProviders {
  static let all: [KnownProvider] = [
    KnownProvider(FirebaseDocument.self) { _ in FirebaseMethods { TruIDBackendSIMCheck($0, named: $1) } },
    KnownProvider(IPificationDocument.self) { _ in IPificationMethods() },
    KnownProvider(MobileConnectDocument.self) { _ in MobileConnectMethods() },
    KnownProvider(CAMARADocument.self) { _ in CAMARAMethods() },
    KnownProvider(NumberRecyclingDocument.self) { _ in NumberRecyclingMethods() },
    KnownProvider(TS43Document.self) { _ in TS43Methods() },
    KnownProvider(TruIDDocument.self) { _ in TruIDMethods() },
    KnownProvider(MIRACLDocument.self) { MIRACLMethods(try await $0.identities()) },
  ]

  /// What a provider's file may be.
  static var documents: [any ProviderDocument.Type] { all.map(\.document) }

  /// Who may call each method of this program by default.
  static var defaults: AccessDefaults { AccessDefaults(AccessDefaults.ownRights + all.flatMap(\.rights)) }
}
