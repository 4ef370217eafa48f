import Web
import NetworkAddress

/// What a chain may do. It is a value, which can be read, compared and tested without a socket.
public struct ChainPolicy: Hashable, Sendable {
  /// The newest version of TLS that is offered.
  public enum TLSVersion: Hashable, Sendable, CaseIterable, Comparable {
    case tls12, tls13
  }

  /// The number of redirects to follow; one more ends the chain with `tooManyRedirects`.
  public var maximumRedirects = 10
  /// Whether the first URL must be https. Later ones may be cleartext, because header enrichment
  /// needs it.
  public var requiresSecureStart = true
  /// Domains, including their subdomains, that may be reached in cleartext; nil for any. Operators
  /// that enrich headers need a cleartext hop, and for some of them the hosts are known.
  public var cleartextDomains: Set<String>?
  /// Whether the first answer may only redirect within the first host's own site, like the answer
  /// of a coverage call. A redirect to another site is then a captive portal's. A cleartext first
  /// hop is always treated this way, because its answer is not authenticated.
  public var staysOnFirstSite = false
  /// TLS 1.2 is for old operators that close the connection when they see 1.3.
  public var newestTLS = TLSVersion.tls13
  /// The only family to connect to, from the first hop on. If it is nil, the chain keeps the family
  /// of its first connection for as long as the hosts have it. It is for chains whose server
  /// compares the source address with one it was given.
  public var family: ChainHop.Family?
  /// Whether the chain opens connections ahead to the origins of the last chain from the same first
  /// host, and is itself remembered for the next one.
  public var learnsOrigins = true
  /// Whether cookies are kept from hop to hop.
  public var keepsCookies = true
  /// How long the chain waits if a host redirects back to one of its own pages that was already
  /// requested. The chain may then send the same request again. If it is nil, that is a loop. It is
  /// for operators that redirect in this way while a person answers at the handset.
  public var returnPause: Duration?
  /// Names of answer fields, in lower case. An answer with one of them ends the chain, even if it
  /// is a redirect. It is for protocols that use a field to hand over to another protocol.
  public var stopFields: Set<String> = []
  /// Whether status 511 over https is an answer of the server itself, as entitlement servers give
  /// it (GSMA TS.43, 2.10), and not of a captive portal (RFC 6585, 6).
  public var answersWith511 = false
  /// Names of answer fields, in lower case, that are shown with their hop. Operators use these ids
  /// to find the hop in their logs.
  public var traceHeaders: Set<String> = ["x-orange-trace-id", "x-vig-trace-id"]
  /// Largest body of one answer in bytes, both compressed and decompressed.
  public var bodyBytes = 65_536
  /// For TCP and TLS of one hop.
  public var connectTime = Duration.seconds(15)
  /// Between two parts of an answer.
  public var readTime = Duration.seconds(20)
  /// For the whole chain, from its first hop on.
  public var totalTime = Duration.seconds(60)
  /// The time that the caller gave or was told, if part of it had passed before the first hop; nil
  /// for `totalTime`. It only appears in messages: a remainder means nothing to a caller who set a
  /// limit.
  public var statedTime: Duration?
  /// Addresses that are reached although they are loopback or link-local. It is for simulations and
  /// tests on one machine.
  public var allowedAddresses: Set<IPAddress> = []

  public init() {}

  /// Limits cleartext to the given domains, in addition to the present limit.
  ///
  /// - Parameter domains: including their subdomains; nil for any.
  public mutating func restrictCleartext(to domains: Set<String>?) {
    guard let domains else { return }
    guard let own = cleartextDomains else { return cleartextDomains = domains }
    let isWithin = { (name: String, all: Set<String>) in
      all.contains { Cookie.isDomain(name.lowercased(), within: $0.lowercased()) }
    }
    cleartextDomains = own.filter { isWithin($0, domains) }.union(domains.filter { isWithin($0, own) })
  }

  /// Whether a URL's scheme and host are allowed after the first hop.
  package func allows(_ url: WebURL) -> Bool {
    guard url.scheme == .http, let cleartextDomains else { return true }
    return cleartextDomains.contains { Cookie.isDomain(url.host, within: $0.lowercased()) }
  }

  /// Why an address must not be reached; nil if it may be. Private ranges are allowed, because they
  /// belong to the operator.
  ///
  /// An IPv6 address is also refused if an IPv4 address that it stands for is
  /// (`IPv6Address.embeddedIPv4`).
  ///
  /// - Parameter isOwn: whether the address belongs to this machine.
  public func refusal(of address: IPAddress, isOwn: Bool = false) -> String? {
    if allowedAddresses.contains(address) { return nil }
    if isOwn { return "an address of this machine itself" }
    if case .v6(let v6) = address {
      let embedded = v6.embeddedIPv4
      if let reason = embedded.lazy.compactMap({ refusal(of: .v4($0)) }).first { return reason }
      // A mapped address has been checked completely: allowed addresses may be written in that
      // form.
      if v6.mappedIPv4 != nil { return nil }
    }
    if address.isLoopback { return "this machine itself" }
    if address.isLinkLocal { return "a link-local address" }
    if address.isMulticast { return "a multicast address" }
    if address.isUnspecified { return "no address at all" }
    guard case .v4(let v4) = address else { return nil }
    if v4.number == .max { return "the broadcast address" }
    // Linux uses parts of 0.0.0.0/8 for itself (RFC 1122, 3.2.1.3).
    return v4.number >> 24 == 0 ? "an address of no network" : nil
  }
}
