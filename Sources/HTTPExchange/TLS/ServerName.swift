import NIOCore
import NIOSSL

/// The name that a certificate must hold.
///
/// NIOSSL also accepts a certificate for the address that a name was resolved to. Over a bearer, where whoever answers
/// DNS chooses the address, that would let anybody with a certificate for an address of theirs pass for any host.
package enum ServerName {
  /// What is wrong with a certificate whose chain is good.
  struct Mismatch: Error {}

  /// A TLS handler for a host, whose certificate must hold the host's name, or its address where the URL names one.
  package static func handler(
    for host: String, isAddress: Bool, _ context: NIOSSLContext
  ) throws -> NIOSSLClientHandler {
    // An address is no name to send ahead (RFC 6066, 3); its certificate is verified by the address.
    guard !isAddress else { return try NIOSSLClientHandler(context: context, serverHostname: nil) }
    return try NIOSSLClientHandler._makeSSLClientHandler(context: context, serverHostname: host) {
      certificate, channel in
      let names = certificate._subjectAlternativeNames().filter { $0.nameType == .dnsName }
      guard names.contains(where: { matches(Array($0.contents), host) }) else {
        return channel.eventLoop.makeFailedFuture(Mismatch())
      }
      return channel.eventLoop.makeSucceededVoidFuture()
    }
  }

  /// Whether a dNSName stands for a host: the same name, or `*.` and all of the host but its first label
  /// (RFC 6125, 6.4.3), which must be two labels or more.
  static func matches(_ pattern: [UInt8], _ host: String) -> Bool {
    guard let text = String(validating: pattern, as: UTF8.self)?.lowercased(), !text.isEmpty else { return false }
    let name = host.lowercased()
    guard text.hasPrefix("*.") else { return text == name }
    let rest = text.dropFirst(2)
    guard rest.contains("."), let dot = name.firstIndex(of: ".") else { return false }
    return !rest.contains("*") && name[name.index(after: dot)...] == rest
  }
}
