import AuthCore
import AuthFlows
import MIRACLFlows

/// A store that forgets with the test.
public actor MemoryIdentities: MIRACLIdentityStore {
  private var identities: [MIRACLIdentity.Name: MIRACLIdentity] = [:]
  private var damaged: [String] = []
  /// What every change ends with.
  private var failure: AuthError?

  public init() {}

  /// Every change fails from now on; or none, with nil.
  public func fail(_ error: AuthError?) { failure = error }

  /// Some files cannot be read from now on.
  public func damage(_ sentences: [String]) { damaged = sentences }

  public func prepare() throws(AuthError) { if let failure { throw failure } }
  public func list() throws(AuthError) -> MIRACLIdentities {
    MIRACLIdentities(whole: Array(identities.values), damaged: damaged)
  }
  public func find(_ name: MIRACLIdentity.Name) throws(AuthError) -> MIRACLIdentity? { identities[name] }

  public func keep(_ identity: MIRACLIdentity, over old: MIRACLIdentity?) throws(AuthError) -> Bool {
    if let failure { throw failure }
    guard old == nil || identities[identity.name] == old else { return false }
    identities[identity.name] = identity
    return true
  }

  public func forget(_ name: MIRACLIdentity.Name) throws(AuthError) -> Bool {
    identities.removeValue(forKey: name) != nil
  }
}
