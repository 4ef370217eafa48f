import Web

/// A chain that is expected, for which connections can be made ready.
package struct ExpectedChain: Hashable, Sendable {
  package var owner: ChainRequest.Owner
  /// Its kind; nil for a chain from a URL that the caller announced.
  package var kind: ChainKind?
  /// Where it begins; nil if only its kind tells.
  package var first: WebURL?
  /// What it may reach.
  package var policy: ChainPolicy
  /// When the bearer came up, in milliseconds since 1970; nil if nobody knows.
  package var bearerSince: Int64?

  package init(
    owner: ChainRequest.Owner, kind: ChainKind? = nil, first: WebURL?, policy: ChainPolicy, bearerSince: Int64? = nil
  ) {
    self.owner = owner
    self.kind = kind
    self.first = first
    self.policy = policy
    self.bearerSince = bearerSince
  }
}
