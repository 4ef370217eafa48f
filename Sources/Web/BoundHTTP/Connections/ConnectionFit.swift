import NetworkAddress
import RedirectChain

/// What of a chain's policy decides how its connections are made, and to where. A connection that
/// was made for one policy serves chains of no other.
struct ConnectionFit: Hashable, Sendable {
  let newestTLS: ChainPolicy.TLSVersion
  let family: ChainHop.Family?
  let allowedAddresses: Set<IPAddress>
  /// Whether they go to the origins of earlier chains.
  let learnsOrigins: Bool

  init(_ policy: ChainPolicy) {
    newestTLS = policy.newestTLS
    family = policy.family
    allowedAddresses = policy.allowedAddresses
    learnsOrigins = policy.learnsOrigins
  }
}
