import HTTPExchange
import NIOCore
import NetworkAddress
import RedirectChain
import Web

/// Opens connections to origins: finds the addresses of a host, and connects to the first that
/// answers.
///
/// Its methods run on the scope's loop, as the actors do that call them.
struct OriginOpener: Sendable {
  let scope: ChainScope
  let policy: ChainPolicy
  let environment: ChainRun.Environment

  /// The addresses to connect to, in order of preference, as far as the policy allows them. Only
  /// the bearer's servers are asked.
  func addresses(
    of url: WebURL, _ start: NIODeadline, _ shown: inout ChainHop, isolation: isolated (any Actor)? = #isolation
  ) async throws -> [ReachableAddress] {
    if let family = scope.family, scope.families.isEmpty { throw FailureText.Problem.missingFamily(family) }
    let search = AddressSearch(
      scope: scope, policy: policy, names: environment.names, timing: environment.timing,
      randomID: environment.randomID)
    let found: [IPAddress]
    if let address = url.address {
      found = [address]
    } else {
      found = try await names(of: url.host, search, start, &shown).interleaved
    }
    guard !found.isEmpty else { throw NameLookup.Failure.noAddresses(ttl: 0) }
    let reachable = try await search.reachable(found)
    shown.addresses = reachable.named.map(\.description)
    return reachable.addresses
  }

  /// A connection to one of the addresses, whose TLS handshake has begun.
  ///
  /// - Parameters:
  ///   - isIPv4: the family that is kept to if possible; nil for none.
  ///   - isWatched: whether the connection counts its own bytes, and tells of its handshake's end.
  func connect(
    to url: WebURL, _ addresses: [ReachableAddress], preferring isIPv4: Bool?, isWatched: Bool = false,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Connection {
    let race = Connection.race(
      to: url, addresses, preferring: isIPv4, scope,
      tls: url.scheme == .https ? try environment.tls.get(policy.newestTLS) : nil,
      timeout: TimeAmount(policy.connectTime), environment.connecting, isWatched: isWatched)
    return try await scope.wait(race.start()).get()
  }

  private func names(
    of host: String, _ search: AddressSearch, _ start: NIODeadline, _ shown: inout ChainHop,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> NameLookup.Found {
    if let known = environment.names.answer(host, over: scope.interface, family: scope.family) {
      return try known.get()
    }
    defer { shown.times.dns = (NIODeadline.now() - start).milliseconds }
    return try await search.found(host)
  }
}
