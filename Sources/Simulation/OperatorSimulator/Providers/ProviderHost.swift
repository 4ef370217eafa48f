import NetworkAddress

/// A host of a simulated provider, of an operator it works with, or of an app that uses it.
package struct ProviderHost: Hashable, Sendable {
  /// Which networks lead there.
  package enum Ways: String, Hashable, Sendable, CaseIterable {
    /// The bearer, and the host's own network: it is a host of the Internet.
    case both
    /// The bearer alone. Over the host's own network the name leads to a server that answers that something leaked, and
    /// packets to it count as leaks.
    case bearer
    /// None: it is a program on the host itself, at an address of loopback.
    case local
  }

  /// In lower case.
  package var name: String
  /// From the ranges for documentation, or of loopback; no other host of a world has one of them.
  package var addresses: [IPAddress]
  /// Where https answers.
  package var securePorts: [Int]
  /// Where http answers.
  package var cleartextPorts: [Int]
  package var ways: Ways

  package init(
    _ name: String, _ addresses: [String], securePorts: [Int] = [443], cleartextPorts: [Int] = [],
    ways: Ways = .both
  ) {
    self.name = name
    self.addresses = addresses.compactMap { IPAddress($0) }
    self.securePorts = securePorts
    self.cleartextPorts = cleartextPorts
    self.ways = ways
  }
}

extension [String: ProviderHost] {
  /// The name of the host with this part; empty for a part that the provider does not have.
  package func name(_ part: String) -> String { self[part]?.name ?? "" }
}
