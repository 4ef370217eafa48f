import DNSWire
import NIOCore
import NetworkAddress
import RedirectChain

/// Finds the addresses of a host that sockets over a bearer may connect to. Only the bearer's
/// servers are asked. On an IPv6-only bearer with a translator, IPv4 addresses become IPv6 ones.
///
/// Its methods run on the scope's loop, as the actor does that calls them.
struct AddressSearch: Sendable {
  /// What a host's name came to.
  struct Reachable: Sendable {
    /// In order of preference; never empty.
    var addresses: [ReachableAddress]
    /// The same as the name has them, before the network's translator.
    var named: [IPAddress]
    /// Whether the network's translator made them of IPv4 addresses.
    var areTranslated = false
    /// The prefix of the network's translator, if it is known.
    var prefix: TranslationPrefix?
  }

  let scope: ChainScope
  let policy: ChainPolicy
  let names: NameCache
  let timing: DNSTiming
  let randomID: @Sendable () -> UInt16

  /// All addresses of a name, from what is known or from the servers.
  ///
  /// - Throws: `NameLookup.Failure`, `DNSError`, `ChainScope.Ended`.
  func found(
    _ name: String, isolation: isolated (any Actor)? = #isolation
  ) async throws -> NameLookup.Found {
    if let known = names.answer(name, over: scope.interface, family: scope.family) { return try known.get() }
    let lookup = NameLookup(try DomainName(name), scope, timing, randomID: randomID)
    do {
      let found = try await scope.wait(lookup.start()).get()
      names.keep(.success(found), for: name, over: scope.interface, family: scope.family)
      return found
    } catch let failure as NameLookup.Failure {
      names.keep(.failure(failure), for: name, over: scope.interface, family: scope.family)
      throw failure
    }
  }

  /// Those addresses of a host to which sockets may connect.
  ///
  /// - Parameter found: all its addresses; at least one.
  /// - Throws: `AddressCheck.Refusal`, `FailureText.Problem`, `ChainScope.Ended`.
  func reachable(
    _ found: [IPAddress], isolation: isolated (any Actor)? = #isolation
  ) async throws -> Reachable {
    let known = knownPrefix
    let allowed = try check(behind: known).reachable(found)
    let usable = allowed.filter { scope.families.contains(ChainHop.Family($0.address)) }
    guard !usable.isEmpty else { return try await translated(allowed) }
    return Reachable(addresses: usable, named: usable.map(\.address), prefix: known)
  }

  /// If one of the operator's names led to this machine, a local service would be reached.
  func check(behind prefix: TranslationPrefix?) -> AddressCheck {
    AddressCheck(policy: policy, interface: scope.interface, prefix: prefix)
  }

  /// The translator's prefix, if somebody had to ask for it before. Otherwise nothing waits for it.
  var knownPrefix: TranslationPrefix? {
    let name = TranslationPrefix.wellKnownName
    guard let known = try? names.answer(name, over: scope.interface, family: scope.family)?.get() else { return nil }
    return TranslationPrefix(in: known.v6, own: scope.interface.sources)
  }

  /// IPv6 addresses in place of IPv4 ones, on an IPv6-only bearer with a translator.
  private func translated(
    _ addresses: [ReachableAddress], isolation: isolated (any Actor)? = #isolation
  ) async throws -> Reachable {
    let inner = addresses.map(\.address)
    let untranslated = FailureText.Problem.otherFamily(ChainHop.Family(inner[0]), isKept: scope.family != nil)
    guard scope.families.contains(.ipv6), inner[0].isIPv4 else { throw untranslated }
    let found: NameLookup.Found
    do {
      found = try await self.found(TranslationPrefix.wellKnownName)
    } catch {
      throw scope.ended ?? untranslated
    }
    guard let prefix = TranslationPrefix(in: found.v6, own: scope.interface.sources) else { throw untranslated }
    let translated = inner.compactMap { address -> IPAddress? in
      if case .v4(let v4) = address { prefix.address(for: v4) } else { nil }
    }
    guard !translated.isEmpty else { throw untranslated }
    // The socket gets a different address from the one that was checked before.
    return Reachable(
      addresses: try check(behind: prefix).reachable(translated), named: inner, areTranslated: true, prefix: prefix)
  }
}
