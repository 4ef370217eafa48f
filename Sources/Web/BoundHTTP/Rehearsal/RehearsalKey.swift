import HTTPExchange
import NIOSSL

/// TLS between a client and a server of the same process. Both hold a key of 32 random bytes that
/// nobody else has (RFC 4279), so no certificate is needed.
enum RehearsalKey {
  static func contexts() throws -> (client: TLSClientContext, server: NIOSSLContext) {
    let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
    // Each side gets its own copy of the bytes, which is wiped with its owner.
    let key: @Sendable () -> NIOSSLSecureBytes = {
      var key = NIOSSLSecureBytes()
      key.append(bytes)
      return key
    }
    var client = TLSConfiguration.makePreSharedKeyConfiguration()
    client.maximumTLSVersion = .tlsv12
    client.shutdownTimeout = .milliseconds(200)
    client.pskClientProvider = { _ in PSKClientIdentityResponse(key: key(), identity: "rehearsal") }
    var server = TLSConfiguration.makePreSharedKeyConfiguration()
    server.maximumTLSVersion = .tlsv12
    server.pskServerProvider = { _ in PSKServerIdentityResponse(key: key()) }
    return (
      TLSClientContext(sharedKey: try NIOSSLContext(configuration: client)), try NIOSSLContext(configuration: server)
    )
  }
}
