import DNSWire
import NetworkAddress

/// A host as a program names it: an address, or a name that the bearer's servers are asked for.
package enum NamedHost: Hashable, Sendable {
  case address(IPAddress)
  /// In lower case, without a dot at its end.
  case name(String)

  /// Reads a host. No resolver is asked, and no file of this machine.
  ///
  /// - Throws: `DialFailure` `notResolved` for a text that DNS cannot hold, and for one that other
  ///   resolvers read as an address and that is none (`0x7f.1`, `2130706433`).
  package init(_ text: String) throws(DialFailure) {
    if let address = IPAddress(text) {
      self = .address(address)
      return
    }
    // Not in the error if it is no name: it may be of any length and hold anything.
    guard text.utf8.count <= 255, let name = try? DomainName(text), !name.labels.isEmpty else {
      throw .notResolved(
        name: text.utf8.count <= 255 ? text : "",
        text: "the host is no name that DNS can hold; write other letters than a to z as A-labels (xn--…)")
    }
    let last = name.labels.last ?? []
    guard !last.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), !last.starts(with: "0x".utf8)
    else { throw .notResolved(name: text, text: "the host looks like an IPv4 address and is none") }
    self = .name(name.description)
  }

  /// As it is sent.
  package var text: String {
    switch self {
    case .address(let address): address.description
    case .name(let name): name
    }
  }
}
