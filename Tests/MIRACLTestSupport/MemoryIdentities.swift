import AuthCore
import AuthFlows
import MIRACLFlows

/// A store that forgets with the test.
package actor MemoryIdentities: MIRACLIdentityStore {
  private var identities: [MIRACLIdentity.Name: MIRACLIdentity] = [:]
  private var damaged: [String] = []
  /// What every change ends with.
  private var failure: AuthError?

  package init() {}

  /// Every change fails from now on; or none, with nil.
  package func fail(_ error: AuthError?) { failure = error }

  /// Some files cannot be read from now on.
  package func damage(_ sentences: [String]) { damaged = sentences }

  package func prepare() throws(AuthError) { if let failure { throw failure } }
  package func list() throws(AuthError) -> MIRACLIdentities {
    MIRACLIdentities(whole: Array(identities.values), damaged: damaged)
  }
  package func find(_ name: MIRACLIdentity.Name) throws(AuthError) -> MIRACLIdentity? { identities[name] }

  package func keep(_ identity: MIRACLIdentity, over old: MIRACLIdentity?) throws(AuthError) -> Bool {
    if let failure { throw failure }
    guard old == nil || identities[identity.name] == old else { return false }
    identities[identity.name] = identity
    return true
  }

  package func forget(_ name: MIRACLIdentity.Name) throws(AuthError) -> Bool {
    identities.removeValue(forKey: name) != nil
  }
}
