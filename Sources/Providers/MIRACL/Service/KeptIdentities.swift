import AuthCore
import MIRACLAPI
import MIRACLFlows
import ModemAPI
import Varlink

/// What this machine keeps, for its owner.
struct KeptIdentities: Sendable {
  private let store: any MIRACLIdentityStore

  init(_ store: any MIRACLIdentityStore) { self.store = store }

  func list() async throws -> MIRACLInterface.Identities.Reply {
    let all = try await store.list()
    return .init(identities: all.whole.map { .init($0) }, damaged: all.damaged)
  }

  func forget(_ parameters: MIRACLInterface.Forget.Parameters) async throws -> MIRACLInterface.Forget.Reply {
    let user = try MIRACLUser(text: parameters.user)
    let meant = try await store.list().whole.map(\.name).filter {
      $0.user == user && $0.project == parameters.project ?? $0.project
        && $0.service == parameters.service ?? $0.service
    }
    guard meant.count < 2 else {
      throw AuthError.invalid("project", "given, and service too, as the user is registered \(meant.count) times")
    }
    guard let only = meant.first, try await store.forget(only) else {
      throw VarlinkError(MIRACLInterface.NoSuchIdentity())
    }
    return .init()
  }
}
