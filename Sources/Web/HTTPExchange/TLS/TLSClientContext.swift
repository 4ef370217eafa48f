import NIOSSL
import RedirectChain
import Web

/// What TLS is spoken with as a client. The one thing that it makes is a handler that knows for whom the other side's
/// certificate must be, so that no connection can be opened without that check.
package struct TLSClientContext: Sendable {
  private enum Proof {
    case certificate, sharedKey
  }

  private let context: NIOSSLContext
  private let proof: Proof

  /// - Parameter configuration: its roots and versions count; that chains of certificates are verified, and names by the
  ///   handlers, is not its own to say.
  init(_ configuration: TLSConfiguration) throws {
    var configuration = configuration
    // NIOSSL's own look at the name would take the address of the socket too.
    configuration.certificateVerification = .noHostnameVerification
    context = try NIOSSLContext(configuration: configuration)
    proof = .certificate
  }

  /// With a key that both sides hold in place of certificates (RFC 4279).
  package init(sharedKey context: NIOSSLContext) {
    self.context = context
    proof = .sharedKey
  }

  /// A handler for a connection to the host of a URL.
  package func handler(for url: WebURL) throws -> NIOSSLClientHandler {
    // An address is no name to send ahead (RFC 6066, 3).
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
