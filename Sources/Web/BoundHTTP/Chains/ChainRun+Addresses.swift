import DNSWire
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
    let found: [IPAddress]
    if let address = url.address {
      found = [address]
    } else {
      let names = try await names(of: url.host, start, &shown)
      found = ConnectRace.interleaved(names.v6, names.v4)
    }
    guard !found.isEmpty else { throw NameLookup.Failure.noAddresses(ttl: 0) }
    let allowed = try reachable(found, behind: knownPrefix)
    let usable = allowed.filter { scope.families.contains(ChainHop.Family($0.address)) }
    guard usable.isEmpty else {
      shown.addresses = usable.map(\.address.description)
      return usable
    }
    let translated = try await translated(allowed)
    shown.addresses = allowed.map(\.address.description)
    return translated
  }

  private func names(
    of host: String, _ start: NIODeadline, _ shown: inout ChainHop
  ) async throws -> NameLookup.Found {
    if let known = environment.names.answer(host, over: scope.interface, family: scope.family) {
      return try known.get()
    }
    defer { shown.times.dns = (NIODeadline.now() - start).milliseconds }
    return try await lookUp(host)
  }

  /// If one of the operator's names led to this machine, the chain would reach a local service.
  private func reachable(
    _ addresses: [IPAddress], behind prefix: TranslationPrefix?
  ) throws -> [ReachableAddress] {
    try AddressCheck(policy: request.policy, interface: scope.interface, prefix: prefix).reachable(addresses)
  }

  /// The translator's prefix, if an earlier hop had to ask for it. Otherwise nothing waits for it.
  private var knownPrefix: TranslationPrefix? {
    let name = TranslationPrefix.wellKnownName
    guard let known = try? environment.names.answer(name, over: scope.interface, family: scope.family)?.get() else {
      return nil
    }
    return TranslationPrefix(in: known.v6, own: scope.interface.sources)
  }

  /// IPv6 addresses in place of IPv4 ones, on an IPv6-only bearer with a translator.
  private func translated(_ addresses: [ReachableAddress]) async throws -> [ReachableAddress] {
    let inner = addresses.map(\.address)
    let untranslated = FailureText.Problem.otherFamily(ChainHop.Family(inner[0]), isKept: scope.family != nil)
    guard scope.families.contains(.ipv6), inner[0].isIPv4 else { throw untranslated }
    let name = TranslationPrefix.wellKnownName
    let found: NameLookup.Found
    do {
      let known = environment.names.answer(name, over: scope.interface, family: scope.family)
      if let known { found = try known.get() } else { found = try await lookUp(name) }
    } catch {
      throw scope.ended ?? untranslated
    }
    guard let prefix = TranslationPrefix(in: found.v6, own: scope.interface.sources) else { throw untranslated }
    let translated = inner.compactMap { address -> IPAddress? in
      if case .v4(let v4) = address { prefix.address(for: v4) } else { nil }
    }
    guard !translated.isEmpty else { throw untranslated }
    // The socket gets a different address from the one that was checked before.
    return try reachable(translated, behind: prefix)
  }

  private func lookUp(_ host: String) async throws -> NameLookup.Found {
    let lookup = NameLookup(try DomainName(host), scope, environment.timing, randomID: environment.randomID)
    do {
      let found = try await scope.wait(lookup.start()).get()
      environment.names.keep(.success(found), for: host, over: scope.interface, family: scope.family)
      return found
    } catch let failure as NameLookup.Failure {
      environment.names.keep(.failure(failure), for: host, over: scope.interface, family: scope.family)
      throw failure
    }
  }
}
