import AuthCore

/// Where identities are kept between flows. Each change is whole or not at all, whenever the machine stops.
public protocol MIRACLIdentityStore: Sendable {
  /// Makes sure that something can be kept: nothing is begun at a service that could not be kept.
  ///
  /// - Throws: `AuthError` `storeFailed`.
  func prepare() async throws(AuthError)

  /// All that can be read, and what cannot.
  ///
  /// - Throws: `AuthError` `storeFailed`.
  func list() async throws(AuthError) -> MIRACLIdentities

  /// The identity of a name; nil where there is none.
  ///
  /// - Throws: `AuthError` `storeFailed`, also where it is damaged.
  func find(_ name: MIRACLIdentity.Name) async throws(AuthError) -> MIRACLIdentity?

  /// Keeps an identity in place of one of the same name.
  ///
  /// - Parameter old: what it is to replace; where something else stands there by now, that stays. Nil to replace whatever there is.
  /// - Returns: whether it is kept.
  /// - Throws: `AuthError` `storeFailed`.
  @discardableResult
  func keep(_ identity: MIRACLIdentity, over old: MIRACLIdentity?) async throws(AuthError) -> Bool

  /// Forgets an identity, a damaged one too.
  ///
  /// - Returns: whether there was one.
  /// - Throws: `AuthError` `storeFailed`.
  func forget(_ name: MIRACLIdentity.Name) async throws(AuthError) -> Bool
}

/// What a store holds.
public struct MIRACLIdentities: Hashable, Sendable {
  /// In the order of their users' names.
  public var whole: [MIRACLIdentity]
  /// One sentence for each file that cannot be read: its path and what is wrong with it.
  public var damaged: [String]

  public init(whole: [MIRACLIdentity] = [], damaged: [String] = []) {
    self.whole = whole
    self.damaged = damaged
  }
}
