import NIOSSL
import RedirectChain
import Web

/// The TLS context of a client. It only makes handlers that know which host the other side's
/// certificate must be for, so no connection can be opened without that check.
package struct TLSClientContext: Sendable {
  private enum Proof {
    case certificate, sharedKey
  }

  private let context: NIOSSLContext
  private let proof: Proof

  /// - Parameter configuration: only its roots and versions count. It cannot turn off the
  ///   verification of certificate chains and names.
  init(_ configuration: TLSConfiguration) throws {
    var configuration = configuration
    // NIOSSL's own name check would also accept the address of the socket.
    configuration.certificateVerification = .noHostnameVerification
    context = try NIOSSLContext(configuration: configuration)
    proof = .certificate
  }

  /// With a key that both sides hold, instead of certificates (RFC 4279).
  package init(sharedKey context: NIOSSLContext) {
    self.context = context
    proof = .sharedKey
  }

  /// A handler for a connection to the host of a URL.
  package func handler(for url: WebURL) throws -> NIOSSLClientHandler {
    // An address cannot be sent as a server name (RFC 6066, 3).
    let name = url.address == nil ? url.host : nil
    switch proof {
    case .sharedKey: return try NIOSSLClientHandler(context: context, serverHostname: name)
    case .certificate:
      return try NIOSSLClientHandler._makeSSLClientHandler(context: context, serverHostname: name) {
        certificate, channel in
        guard ServerName.isHeld(of: url, by: certificate) else {
          return channel.eventLoop.makeFailedFuture(ServerName.Mismatch())
        }
        return channel.eventLoop.makeSucceededVoidFuture()
      }
    }
  }
}
