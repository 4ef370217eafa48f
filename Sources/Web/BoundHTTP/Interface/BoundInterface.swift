import Glibc
import NetworkAddress

/// The network interface that every socket of a chain is bound to, and its settings from the
/// network.
package struct BoundInterface: Hashable, Sendable {
  /// As in `wwan0`.
  package let name: String
  /// The kernel's index, never 0: binding a socket to 0 would unbind it.
  package let index: Int32
  /// The bearer's DNS servers in the network's order. The host's own servers are never asked.
  package let dnsServers: [IPAddress]
  /// The bearer's addresses. Only families with an address here are used. An empty list allows
  /// both.
  package let sources: [IPAddress]
  /// The port on which the DNS servers listen, 1 to 65535.
  package let dnsPort: Int

  /// Describes an interface. Each socket checks that it exists.
  ///
  /// - Throws: `BoundHTTPError` `badInterface` for an empty or overlong name, an index below 1, or
  ///   a port out of range.
  package init(
    name: String, index: Int, dnsServers: [IPAddress], sources: [IPAddress], dnsPort: Int = 53
  ) throws(BoundHTTPError) {
    guard (1..<Int(IF_NAMESIZE)).contains(name.utf8.count) else {
      throw BoundHTTPError(
        .badInterface, "the interface name has \(name.utf8.count) bytes: expected 1 to \(IF_NAMESIZE - 1)")
    }
    guard index > 0, let index = Int32(exactly: index) else {
      throw BoundHTTPError(.badInterface, "the index of interface \(name) is \(index): expected 1 or more")
    }
    guard (1...65_535).contains(dnsPort) else {
      throw BoundHTTPError(.badInterface, "the DNS port is \(dnsPort): expected 1 to 65535")
    }
    self.name = name
    self.index = index
    self.dnsServers = dnsServers.filter { !$0.isUnspecified }
    self.sources = sources
    self.dnsPort = dnsPort
  }

  /// Whether the bearer can send IPv4.
  package var hasIPv4: Bool { sources.isEmpty || sources.contains { $0.isIPv4 } }
  /// Whether the bearer can send IPv6. A link-local address alone reaches no server.
  package var hasIPv6: Bool { sources.isEmpty || sources.contains { !$0.isIPv4 && !$0.isLinkLocal } }

  /// Checks that the index still belongs to the name.
  ///
  /// - Throws: `BoundHTTPError` `interfaceLost`.
  func verify() throws(BoundHTTPError) {
    let current = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IF_NAMESIZE)) { buffer -> String? in
      guard let base = buffer.baseAddress, if_indextoname(UInt32(index), base) != nil else { return nil }
      return String(cString: base)
    }
    guard let current else {
      throw BoundHTTPError(.interfaceLost, "interface \(name) is gone; connect the bearer again")
    }
    guard current == name else {
      throw BoundHTTPError(
        .interfaceLost, "the index of interface \(name) now belongs to \(current); connect the bearer again")
    }
  }
}

extension IPAddress {
  var isIPv4: Bool {
    if case .v4 = self { true } else { false }
  }
}
