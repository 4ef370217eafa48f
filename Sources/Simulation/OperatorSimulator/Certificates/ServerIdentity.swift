import NIOSSL

/// A certificate and its key, as PEM files.
package struct ServerIdentity: Hashable, Sendable {
  package let certificatePath: String
  package let keyPath: String

  package init(certificatePath: String, keyPath: String) {
    self.certificatePath = certificatePath
    self.keyPath = keyPath
  }

  func tlsContext(_ versions: ConnectionBehaviour.TLS = .current) throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try NIOSSLCertificate.fromPEMFile(certificatePath).map { .certificate($0) },
      privateKey: .privateKey(try NIOSSLPrivateKey(file: keyPath, format: .pem)))
    if versions == .only12 { configuration.maximumTLSVersion = .tlsv12 }
    configuration.applicationProtocols = ["http/1.1"]
    return try NIOSSLContext(configuration: configuration)
  }
}
