import NetworkAddress
import RedirectChain

/// An address that a hop may reach. Sockets of a chain are connected to nothing else, and nothing but `AddressCheck` makes one.
struct ReachableAddress: Hashable, Sendable {
  let address: IPAddress

  fileprivate init(_ address: IPAddress) { self.address = address }
}

/// What a hop may reach over a bearer: the one place where an address is looked at, as the socket will have it and as every address
/// that it stands for.
struct AddressCheck: Sendable {
  /// Why an address may not be reached.
  struct Refusal: Error, Hashable {
    /// As in "this machine itself".
    let reason: String
  }

  let policy: ChainPolicy
  let interface: BoundInterface
  /// That of the bearer's translator, where it is known.
  var prefix: TranslationPrefix?

  /// - Throws: `Refusal`.
  func reachable(_ address: IPAddress) throws(Refusal) -> ReachableAddress {
    for form in forms(of: address) {
      if let reason = policy.refusal(of: form, isOwn: isOwn(form)) { throw Refusal(reason: reason) }
    }
    return ReachableAddress(address)
  }

  /// Those of several that may be reached.
  ///
  /// - Throws: `Refusal` of the first, where there are addresses and none may be.
  func reachable(_ addresses: [IPAddress]) throws(Refusal) -> [ReachableAddress] {
    var (allowed, first): ([ReachableAddress], Refusal?) = ([], nil)
    for address in addresses {
      do {
        allowed.append(try reachable(address))
      } catch {
        first = first ?? error
      }
    }
    if allowed.isEmpty, let first { throw first }
    return allowed
  }

  /// The address, and every IPv4 address that it stands for.
  private func forms(of address: IPAddress) -> [IPAddress] {
    // What a simulation allows by name is not taken apart.
    guard case .v6(let v6) = address, !policy.allowedAddresses.contains(address) else { return [address] }
    return [address] + (v6.embeddedIPv4 + [prefix?.translated(in: v6)].compactMap(\.self)).map { .v4($0) }
  }

  /// The bearer's own addresses count as modemd was told them: a bearer in a table of its own has them there, where the
  /// kernel does not find them for a socket that is bound to nothing.
  private func isOwn(_ address: IPAddress) -> Bool {
    interface.sources.contains(address) || OwnAddress.isOwn(address)
  }
}
