import NIOSSL
import RedirectChain
import Web

/// The TLS context of a client. It only makes handlers that know which host the other side's
/// certificate must be for, so no connection can be opened without that check.
package struct TLSClientContext: Sendable {
  private let context: NIOSSLContext

  /// - Parameter configuration: only its roots and versions count. It cannot turn off the
  ///   verification of certificate chains and names.
  init(_ configuration: TLSConfiguration) throws {
    var configuration = configuration
    // NIOSSL's own name check would also accept the address of the socket.
    configuration.certificateVerification = .noHostnameVerification
    context = try NIOSSLContext(configuration: configuration)
  }

  /// Trusts the given roots and no others.
  ///
  /// - Throws: `NIOSSLError`.
  package init(roots: [NIOSSLCertificate]) throws {
    var configuration = TLSConfiguration.exchange(.tls13)
    configuration.trustRoots = .certificates(roots)
    try self.init(configuration)
  }

  /// A handler for a connection to the host of a URL.
  package func handler(for url: WebURL) throws -> NIOSSLClientHandler {
    // An address cannot be sent as a server name (RFC 6066, 3).
    let name = url.address == nil ? url.host : nil
    return try NIOSSLClientHandler._makeSSLClientHandler(context: context, serverHostname: name) {
      certificate, channel in
      guard ServerName.isHeld(of: url, by: certificate) else {
        return channel.eventLoop.makeFailedFuture(ServerName.Mismatch())
      }
      return channel.eventLoop.makeSucceededVoidFuture()
    }
  }
}

extension TLSConfiguration {
  /// What every client of this program has in common.
  static func exchange(_ newest: TLSTrust.Version) -> TLSConfiguration {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    configuration.maximumTLSVersion = newest == .tls12 ? .tlsv12 : nil
    configuration.shutdownTimeout = .milliseconds(200)
    configuration.applicationProtocols = ["http/1.1"]
    return configuration
  }
}
