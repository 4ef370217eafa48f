import NetworkAddress
import RedirectChain

/// An address that a hop may reach. A chain's sockets connect to nothing else, and only
/// `AddressCheck` makes one.
struct ReachableAddress: Hashable, Sendable {
  let address: IPAddress

  fileprivate init(_ address: IPAddress) { self.address = address }
}

/// Decides what a hop may reach over a bearer. It is the only place that checks addresses: the
/// address as the socket gets it, and every address that it stands for.
struct AddressCheck: Sendable {
  /// Why an address may not be reached.
  struct Refusal: Error, Hashable {
    /// The bearer's translator prefix, if it is known.
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

  /// Those of the addresses that may be reached.
  ///
  /// - Throws: `Refusal` of the first address, if there are addresses and none is allowed.
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
    // An address that a simulation allows by name is not taken apart.
    guard case .v6(let v6) = address, !policy.allowedAddresses.contains(address) else { return [address] }
    return [address] + (v6.embeddedIPv4 + [prefix?.translated(in: v6)].compactMap(\.self)).map { .v4($0) }
  }

  /// The bearer's own addresses come from what modemd was told. A bearer with a table of its own
  /// has them there, and the kernel does not find them for an unbound socket.
  private func isOwn(_ address: IPAddress) -> Bool {
    interface.sources.contains(address) || OwnAddress.isOwn(address)
  }
}
