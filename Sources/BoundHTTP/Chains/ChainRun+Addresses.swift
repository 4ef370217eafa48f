import DNSWire
import NIOCore
import NetworkAddress
import RedirectChain

extension ChainRun {
  /// Where to connect to, by the bearer's servers alone, in order of preference and as far as the policy allows.
  func addresses(of url: WebURL, _ start: NIODeadline, _ shown: inout ChainHop) async throws -> [IPAddress] {
    if let family = scope.family, scope.families.isEmpty { throw FailureText.Problem.missingFamily(family) }
    let found: [IPAddress]
    if let address = url.address {
      found = [address]
    } else {
      let names: NameLookup.Found
      if let known = environment.names.answer(url.host, over: scope.interface, family: scope.family) {
        names = try known.get()
      } else {
        names = try await lookUp(url.host)
        shown.times.dns = (NIODeadline.now() - start).milliseconds
      }
      found = ConnectRace.interleaved(names.v6, names.v4)
    }
    shown.addresses = found.map(\.description)
    guard let first = found.first else { throw NameLookup.Failure.noAddresses(ttl: 0) }
    let allowed = found.filter { refusal(of: $0) == nil }
    guard !allowed.isEmpty else { throw FailureText.Problem.refusedAddress(refusal(of: first) ?? "not allowed") }
    let usable = allowed.filter { scope.families.contains(ChainHop.Family($0)) }
    guard !usable.isEmpty else { return try await translated(allowed) }
    let sameFamily = usable.filter { $0.isIPv4 == isIPv4 }
    return sameFamily.isEmpty ? usable : sameFamily
  }

  /// Why an address may not be reached. A name of the operator's that leads to this machine would reach what listens here.
  private func refusal(of address: IPAddress) -> String? {
    request.policy.refusal(of: address, isOwn: OwnAddress.isOwn(address))
  }

  /// IPv6 addresses for IPv4 ones, on a bearer that has IPv6 alone and a translator behind it.
  private func translated(_ addresses: [IPAddress]) async throws -> [IPAddress] {
    let untranslated = FailureText.Problem.otherFamily(ChainHop.Family(addresses[0]), isKept: scope.family != nil)
    guard scope.families.contains(.ipv6), addresses[0].isIPv4 else { throw untranslated }
    let name = TranslationPrefix.wellKnownName
    let found: NameLookup.Found
    do {
      let known = environment.names.answer(name, over: scope.interface, family: scope.family)
      if let known { found = try known.get() } else { found = try await lookUp(name) }
    } catch {
      throw scope.ended ?? untranslated
    }
    guard let prefix = TranslationPrefix(in: found.v6) else { throw untranslated }
    let translated = addresses.compactMap { address -> IPAddress? in
      if case .v4(let v4) = address { prefix.address(for: v4) } else { nil }
    }
    guard !translated.isEmpty else { throw untranslated }
    return translated
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
