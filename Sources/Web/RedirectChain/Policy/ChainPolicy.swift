import Web
import NetworkAddress

/// What a chain may do. A value: it can be read, compared and tested without a socket.
public struct ChainPolicy: Hashable, Sendable {
  /// The newest version of TLS that is offered.
  public enum TLSVersion: Hashable, Sendable, CaseIterable, Comparable {
    case tls12, tls13
  }

  /// Redirects that are followed; one more ends the chain with `tooManyRedirects`.
  public var maximumRedirects = 10
  /// Whether the first URL must be https. Later ones may be cleartext: header enrichment needs it.
  public var requiresSecureStart = true
  /// Domains, with the names below them, that may be reached in clear; nil for any. Operators that enrich headers need
  /// a cleartext hop, and which hosts those are is known for some.
  public var cleartextDomains: Set<String>?
  /// Whether the first answer may redirect only within the first host's own site, as the answer of a coverage call. A
  /// redirect that leaves it is then a portal's. A first hop in clear is always looked at so: nobody vouches for it.
  public var staysOnFirstSite = false
  /// TLS 1.2 is for old operators that break off when they see 1.3.
  public var newestTLS = TLSVersion.tls13
  /// The only family whose addresses are connected to, from the first hop on; nil for the family of the first connection, kept
  /// as long as the hosts have it. For chains whose server compares the address that it sees with one that it was told.
  public var family: ChainHop.Family?
  /// Whether the chain opens connections ahead to the origins that the last one from the same first host went through,
  /// and is remembered for the next one.
  public var learnsOrigins = true
  /// Whether cookies are kept from hop to hop.
  public var keepsCookies = true
  /// How long the chain waits where a host redirects back to a page of its own that was asked for already, and may then ask for the
  /// same again; nil where that is a loop. For operators that redirect so while a person answers at the handset.
  public var returnPause: Duration?
  /// Names of answers' fields, in lower case: an answer that has one of them ends the chain, also where it is a redirect. For
  /// protocols that hand over to something else by a field.
  public var stopFields: Set<String> = []
  /// Names of answers' fields, in lower case, that are shown with their hop: operators' ids for finding it in their logs.
  public var traceHeaders: Set<String> = ["x-orange-trace-id", "x-vig-trace-id"]
  /// Bytes of one answer's body, as it was sent and as it is without its compression.
  public var bodyBytes = 65_536
  /// For TCP and TLS of one hop.
  public var connectTime = Duration.seconds(15)
  /// Between two parts of an answer.
  public var readTime = Duration.seconds(20)
  /// For the whole chain, from its first hop on.
  public var totalTime = Duration.seconds(60)
  /// What whoever asked was told or asked for, where some of it is over before the first hop; nil for `totalTime`. It is said in
  /// texts and nothing else: a remainder means nothing to somebody who gave a limit.
  public var statedTime: Duration?
  /// Addresses that are reached although they are loopback or link-local: for simulations and tests on one machine.
  public var allowedAddresses: Set<IPAddress> = []

  public init() {}

  /// Allows in clear only what other domains allow too.
  ///
  /// - Parameter domains: with the names below them; nil for any.
  public mutating func restrictCleartext(to domains: Set<String>?) {
    guard let domains else { return }
    guard let own = cleartextDomains else { return cleartextDomains = domains }
    let isWithin = { (name: String, all: Set<String>) in
      all.contains { Cookie.isDomain(name.lowercased(), within: $0.lowercased()) }
    }
    cleartextDomains = own.filter { isWithin($0, domains) }.union(domains.filter { isWithin($0, own) })
  }

  /// Whether a URL's scheme and host are allowed behind the first hop.
  func allows(_ url: WebURL) -> Bool {
    guard url.scheme == .http, let cleartextDomains else { return true }
    return cleartextDomains.contains { Cookie.isDomain(url.host, within: $0.lowercased()) }
  }

  /// Why an address may not be reached; nil when it may. Private ranges are the operator's own and allowed.
  ///
  /// An IPv6 address is refused too where an IPv4 address that it stands for is (`IPv6Address.embeddedIPv4`).
  ///
  /// - Parameter isOwn: whether the address belongs to this machine.
  public func refusal(of address: IPAddress, isOwn: Bool = false) -> String? {
    if allowedAddresses.contains(address) { return nil }
    if isOwn { return "an address of this machine itself" }
    if case .v6(let v6) = address {
      let embedded = v6.embeddedIPv4
      if let reason = embedded.lazy.compactMap({ refusal(of: .v4($0)) }).first { return reason }
      // All that there is to say of a mapped one is said: what is allowed may be written so.
      if v6.mappedIPv4 != nil { return nil }
    }
    if address.isLoopback { return "this machine itself" }
    if address.isLinkLocal { return "a link-local address" }
    if address.isMulticast { return "a multicast address" }
    if address.isUnspecified { return "no address at all" }
    guard case .v4(let v4) = address else { return nil }
    if v4.number == .max { return "the broadcast address" }
    // Linux takes 0.0.0.0/8 for itself in places (RFC 1122, 3.2.1.3).
    return v4.number >> 24 == 0 ? "an address of no network" : nil
  }
}
