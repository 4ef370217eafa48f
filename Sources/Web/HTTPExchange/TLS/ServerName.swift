import NIOCore
import NIOSSL
import NetworkAddress
import RedirectChain
import Web

/// Whom a certificate must be for: the host that the URL names, and nothing that a resolver or a translator made of it.
///
/// NIOSSL also accepts a certificate for the address that a socket is connected to. Over a bearer, where whoever answers DNS
/// chooses the address, and who answers `ipv4only.arpa` chooses the address of every literal, that would let anybody
/// with a certificate for an address of theirs pass for any host.
package enum ServerName {
  /// What is wrong with a certificate whose chain is good.
  struct Mismatch: Error {}

  /// Whether a certificate is for the host of a URL: it holds its name, or the address where the URL names one. Its subject
  /// does not count (RFC 9525, 4.1).
  static func isHeld(of url: WebURL, by certificate: NIOSSLCertificate) -> Bool {
    let names = certificate._subjectAlternativeNames()
    if let address = url.address {
      return names.contains { $0.nameType == .ipAddress && Array($0.contents) == address.bytes }
    }
    return names.contains { $0.nameType == .dnsName && matches(Array($0.contents), url.host) }
  }

  /// Whether a dNSName stands for a host: the same name, or `*.` and all of the host but its first label
  /// (RFC 6125, 6.4.3), which must be two labels or more.
  static func matches(_ pattern: [UInt8], _ host: String) -> Bool {
    guard let text = String(validating: pattern, as: UTF8.self)?.lowercased(), !text.isEmpty else { return false }
    let name = host.lowercased()
    guard text.hasPrefix("*.") else { return text == name }
    let rest = text.dropFirst(2)
    // A star does not stand for a name in another script.
    guard rest.contains("."), !name.hasPrefix("xn--"), let dot = name.firstIndex(of: ".") else { return false }
    return !rest.contains("*") && name[name.index(after: dot)...] == rest
  }
}
