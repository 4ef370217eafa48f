import NIOCore
import NetworkAddress
import RedirectChain
import Web

extension ChainRun {
  /// The addresses to connect to, in order of preference, as far as the policy allows them. Only
  /// the bearer's servers are asked.
  func addresses(
    of url: WebURL, _ start: NIODeadline, _ shown: inout ChainHop
  ) async throws -> [ReachableAddress] {
    if let family = scope.family, scope.families.isEmpty { throw FailureText.Problem.missingFamily(family) }
    let search = AddressSearch(
      scope: scope, policy: request.policy, names: environment.names, timing: environment.timing,
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

  private func names(
    of host: String, _ search: AddressSearch, _ start: NIODeadline, _ shown: inout ChainHop
  ) async throws -> NameLookup.Found {
    if let known = environment.names.answer(host, over: scope.interface, family: scope.family) {
      return try known.get()
    }
    defer { shown.times.dns = (NIODeadline.now() - start).milliseconds }
    return try await search.found(host)
  }
}
