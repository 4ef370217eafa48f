import AuthCore

/// Stores identities between flows. Each change is complete or has no effect, whenever the machine
/// stops.
package protocol MIRACLIdentityStore: Sendable {
  /// Makes sure that identities can be stored, so that nothing is begun at a service whose result
  /// would be lost.
  ///
  /// - Throws: `AuthError` `storeFailed`.
  func prepare() async throws(AuthError)

  /// All readable identities, and the files that cannot be read.
  ///
  /// - Throws: `AuthError` `storeFailed`.
  func list() async throws(AuthError) -> MIRACLIdentities

  /// The identity with a name; nil if there is none.
  ///
  /// - Throws: `AuthError` `storeFailed`, also if it is damaged.
  func find(_ name: MIRACLIdentity.Name) async throws(AuthError) -> MIRACLIdentity?

  /// Stores an identity in place of one with the same name.
  ///
  /// - Parameter old: the identity to replace; if the stored one has changed since, it stays. Nil
  ///   replaces any.
  /// - Returns: whether it was stored.
  /// - Throws: `AuthError` `storeFailed`.
  @discardableResult
  func keep(_ identity: MIRACLIdentity, over old: MIRACLIdentity?) async throws(AuthError) -> Bool

  /// Deletes an identity, even a damaged one.
  ///
  /// - Returns: whether there was one.
  /// - Throws: `AuthError` `storeFailed`.
  func forget(_ name: MIRACLIdentity.Name) async throws(AuthError) -> Bool
}

/// What a store holds.
package struct MIRACLIdentities: Hashable, Sendable {
  /// In the order of their users' names.
  package var whole: [MIRACLIdentity]
  /// One sentence for each unreadable file: its path and what is wrong with it.
  package var damaged: [String]

  package init(whole: [MIRACLIdentity] = [], damaged: [String] = []) {
    self.whole = whole
    self.damaged = damaged
  }
}
