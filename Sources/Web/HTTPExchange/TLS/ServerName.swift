import NIOCore
import NIOSSL
import NetworkAddress
import RedirectChain
import Web

/// The name that a certificate must be for: the host in the URL, and nothing that a resolver or a
/// translator made of it.
///
/// NIOSSL also accepts a certificate for the address that a socket is connected to. Over a bearer,
/// the address is chosen by whoever answers DNS, and that of every literal by whoever answers
/// `ipv4only.arpa`. Anybody with a certificate for their own address could then pass for any host.
package enum ServerName {
  /// The certificate is for another host, although its chain is valid.
  struct Mismatch: Error {}

  /// Whether a certificate is for the host of a URL. It must hold the host's name, or its address
  /// if the URL names one. The subject does not count (RFC 9525, 4.1).
  static func isHeld(of url: WebURL, by certificate: NIOSSLCertificate) -> Bool {
    let names = certificate._subjectAlternativeNames()
    if let address = url.address {
      return names.contains { $0.nameType == .ipAddress && Array($0.contents) == address.bytes }
    }
    return names.contains { $0.nameType == .dnsName && matches(Array($0.contents), url.host) }
  }

  /// Whether a dNSName matches a host: the same name, or `*.` followed by all of the host but its
  /// first label (RFC 6125, 6.4.3). That rest must have at least two labels.
  static func matches(_ pattern: [UInt8], _ host: String) -> Bool {
    guard let text = String(validating: pattern, as: UTF8.self)?.lowercased(), !text.isEmpty else { return false }
    let name = host.lowercased()
    guard text.hasPrefix("*.") else { return text == name }
    let rest = text.dropFirst(2)
    // A star does not match an internationalised name.
    guard rest.contains("."), !name.hasPrefix("xn--"), let dot = name.firstIndex(of: ".") else { return false }
    return !rest.contains("*") && name[name.index(after: dot)...] == rest
  }
}
