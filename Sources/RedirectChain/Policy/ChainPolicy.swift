import NetworkAddress

/// What a chain may do. A value: it can be read, compared and tested without a socket.
public struct ChainPolicy: Hashable, Sendable {
  /// Redirects that are followed; one more ends the chain with `tooManyRedirects`.
  public var maximumRedirects = 10
  /// Whether the first URL must be https. Later ones may be cleartext: header enrichment needs it.
  public var requiresSecureStart = true
  /// Bytes of one answer's body.
  public var bodyBytes = 65_536
  /// For TCP and TLS of one hop.
  public var connectTime = Duration.seconds(15)
  /// Between two parts of an answer.
  public var readTime = Duration.seconds(20)
  /// For the whole chain.
  public var totalTime = Duration.seconds(60)
  /// Addresses that are reached although they are loopback or link-local: for simulations and tests on one machine.
  public var allowedAddresses: Set<IPAddress> = []

  public init() {}

  /// Why an address may not be reached; nil when it may. Private ranges are the operator's own and allowed.
  public func refusal(of address: IPAddress) -> String? {
    if allowedAddresses.contains(address) { return nil }
    if address.isLoopback { return "this machine itself" }
    if address.isLinkLocal { return "a link-local address" }
    if address.isMulticast { return "a multicast address" }
    if address.isUnspecified { return "no address at all" }
    if case .v4(let v4) = address, v4.number == .max { return "the broadcast address" }
    return nil
  }
}
