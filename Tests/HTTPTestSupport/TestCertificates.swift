import Glibc
import NIOSSL

/// A throwaway authority and certificates of it, made once for this run in a folder of its own.
package struct TestCertificates: Sendable {
  /// Names in the good certificate.
  package static let names = [
    "a.example", "b.example", "c.example", "www.a.example", "xa.example", "deep.www.a.example", "other.test",
    "shop.co.uk", "mine.co.uk", "localhost",
  ]
  package static let shared = Result { try TestCertificates() }

  /// PEM file of the authority.
  package let rootFile: String
  private let folder: String

  private init() throws {
    var template = Array("/tmp/http-tests.XXXXXX".utf8CString)
    guard let path = mkdtemp(&template) else { throw Failure(description: "no temporary folder") }
    folder = String(cString: path)
    rootFile = folder + "/root.pem"
    let alternatives =
      Self.names.map { "DNS:\($0)" }.joined(separator: ",") + ",IP:127.0.0.1,IP:198.51.100.1,IP:2001:db8:1::1"
    let status = TestProcess.run(
      """
      cd \(folder) && K="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes" &&
      openssl req -x509 $K -keyout root.key -out root.pem -days 2 -subj '/CN=Test root' &&
      openssl req -x509 $K -keyout stranger.key -out stranger.pem -days 2 -subj '/CN=a.example' \
        -addext subjectAltName=\(alternatives) &&
      openssl req -x509 -CA root.pem -CAkey root.key $K -keyout good.key -out good.pem -days 2 -subj '/CN=a.example' \
        -addext subjectAltName=\(alternatives) -addext basicConstraints=critical,CA:FALSE &&
      openssl req -x509 -CA root.pem -CAkey root.key $K -keyout wrong.key -out wrong.pem -days 2 -subj '/CN=wrong' \
        -addext subjectAltName=DNS:wrong.example -addext basicConstraints=critical,CA:FALSE &&
      openssl req -x509 -CA root.pem -CAkey root.key $K -keyout translated.key -out translated.pem -days 2 -subj '/CN=t' \
        -addext subjectAltName=IP:64:ff9b::c633:6401 -addext basicConstraints=critical,CA:FALSE &&
      openssl req -new $K -keyout expired.key -out expired.csr -subj '/CN=a.example' &&
      printf 'subjectAltName=\(alternatives)' > expired.ext &&
      openssl x509 -req -in expired.csr -CA root.pem -CAkey root.key -days -1 -extfile expired.ext -out expired.pem
      """)
    // Whatever of this run still reads them ends with it.
    atexit {
      if case .success(let made) = TestCertificates.shared { _ = TestProcess.run("rm -r \(made.folder)") }
    }
    guard status == 0 else { throw Failure(description: "openssl failed with status \(status); is it installed?") }
  }

  package enum Kind: String, Sendable, CaseIterable {
    case good, wrong, stranger, expired
    /// For no host but 64:ff9b::198.51.100.1, which a translator makes of 198.51.100.1.
    case translated
  }

  package func serverContext(_ kind: Kind, newest: TLSVersion = .tlsv13) throws -> NIOSSLContext {
    let chain = try NIOSSLCertificate.fromPEMFile("\(folder)/\(kind.rawValue).pem").map {
      NIOSSLCertificateSource.certificate($0)
    }
    let key = try NIOSSLPrivateKey(file: "\(folder)/\(kind.rawValue).key", format: .pem)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain, privateKey: .privateKey(key))
    configuration.maximumTLSVersion = newest
    configuration.minimumTLSVersion = .tlsv1
    return try NIOSSLContext(configuration: configuration)
  }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
  }
}
