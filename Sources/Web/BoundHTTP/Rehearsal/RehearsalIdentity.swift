import HTTPExchange
import NIOSSL

/// The certificate that a rehearsal's server shows, for the address of the loopback device, and the
/// root behind it.
///
/// They are real ones, so that the client verifies an RSA signature and one over P-256 before the
/// first operator waits for it. The key is no secret: it is in every copy of this program. Nothing
/// but a rehearsal's own client trusts the root, and that client sends nothing that is worth
/// having. They are valid from 1970 to 2999: a machine without a clock rehearses too.
enum RehearsalIdentity {
  /// - Throws: `NIOSSLError`.
  static func contexts() throws -> (client: TLSClientContext, server: NIOSSLContext) {
    var server = TLSConfiguration.makeServerConfiguration(
      certificateChain: [.certificate(try certificate(leaf))],
      privateKey: .privateKey(try NIOSSLPrivateKey(bytes: pem("PRIVATE KEY", key), format: .pem)))
    server.applicationProtocols = ["http/1.1"]
    return (try TLSClientContext(roots: [certificate(root)]), try NIOSSLContext(configuration: server))
  }

  private static func certificate(_ text: String) throws -> NIOSSLCertificate {
    try NIOSSLCertificate(bytes: pem("CERTIFICATE", text), format: .pem)
  }

  private static func pem(_ label: String, _ text: String) -> [UInt8] {
    Array("-----BEGIN \(label)-----\n\(text)\n-----END \(label)-----\n".utf8)
  }

  /// RSA of 2048 bits, signed by itself.
  private static let root = """
    MIIC+jCCAeKgAwIBAgIUHASFJy2BDzDeLLdHAODnpulYVLcwDQYJKoZIhvcNAQELBQAwFDESMBAGA1UEAwwJcmVoZWFyc2Fs
    MCAXDTcwMDEwMTAwMDAwMFoYDzI5OTkxMjMxMjM1OTU5WjAUMRIwEAYDVQQDDAlyZWhlYXJzYWwwggEiMA0GCSqGSIb3DQEB
    AQUAA4IBDwAwggEKAoIBAQDGdVWkJi0vLAqTTQUutu3KOL9duNlkKZHapXJWgPjhaKOSz1sQU6DYKSjqUaWSHcJetuNBZd7f
    irhPF7s0ArPooNntmBEmub132Y6QjC7+nVsvEU6fX5jOZ44dKzRpFUJTWMiQMzqSFZaCfnreowX2iwFOwOKpozbUtkTbDSmx
    wxpRdOWAqZ9lEfYeh0BeqvvUPDpfqDQpm5P1bSGQJRPoseQJQiYqWDN+2l3jaGJI9xrRfijUoNymcuLdYHf/8nSxK3tt32CP
    gRHv9ontVfTUHTP6o4f4Ii4kyBynD5nilyqKwL2gfQrTXh//uHCSV5FsAzxJIfHGcAFkqeps4swrAgMBAAGjQjBAMA8GA1Ud
    EwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgIEMB0GA1UdDgQWBBSYbAWW4k8vhZmi9YYxdaZvnyoPXzANBgkqhkiG9w0BAQsF
    AAOCAQEAX3sDuP0P0B4cpUPRfgQnHgh2YhRAN345Ysg8Z9qQeTEWAHoEMZPRv6CozUT+a+DGYp9HjOBApsy3Dm1rLnWtfLHB
    HX4q1yYLG4mLD/FQEcmuI4Y093vSpuTYeQju1gISqCy+3m5eXUgF1JaAKrGEDY/YPeBNuTz8NgbfCZKibWaYMCm8TLKJD+sf
    Nyfwx09fXxf9rZh5RVIfhQxLF/zg90z2RreUhvm7AUEO4JCDyCw0hAPD51o8DQ3adXrhx8ELGWj+mp8QpFd2FH+O4/Hub/WL
    cIUqGq3SNDez2WChG/LvaA8Yb+U2/8eISkylHBnt3PXojsVsQI+CwAFPBQwTdQ==
    """

  /// P-256, for 127.0.0.1, signed by the root, whose key is gone.
  private static let leaf = """
    MIICdTCCAV2gAwIBAgIUVBPREF2ECf3ckfsLi8H1TTuVgXowDQYJKoZIhvcNAQELBQAwFDESMBAGA1UEAwwJcmVoZWFyc2Fs
    MCAXDTcwMDEwMTAwMDAwMFoYDzI5OTkxMjMxMjM1OTU5WjAUMRIwEAYDVQQDDAlyZWhlYXJzYWwwWTATBgcqhkjOPQIBBggq
    hkjOPQMBBwNCAAQLzPo/Iuxh7njT9I+kgqu6jgGYWYaSQSqLQ5hlo/p4SEScGNuF/Grcz+cLd26LBys4dZmU0lQFSX145kAx
    maQ8o4GHMIGEMAwGA1UdEwEB/wQCMAAwDgYDVR0PAQH/BAQDAgeAMBMGA1UdJQQMMAoGCCsGAQUFBwMBMA8GA1UdEQQIMAaH
    BH8AAAEwHwYDVR0jBBgwFoAUmGwFluJPL4WZovWGMXWmb58qD18wHQYDVR0OBBYEFIUkp0sNfB3jb3TBgx1OzqnN2pT0MA0G
    CSqGSIb3DQEBCwUAA4IBAQDD4GKYVHGoVWuSd2SeVZ+0+aPxkPQsEHHgIWeIEMVSJPfGKFlFy3GaTE6aCDT3socFt7B/Phav
    a05Y6gfM9HDcb2rtJ3pzchZQi5YAvgKqPPQvKdqFDeeTxzigi8gSSSkyrA9RhpZu2e6InzmwKMJQocZ/BXzFm/b4xGOw9KFv
    AXsUz9ZL2qNDyaT/zN7uHkJXv6BIagDraUCAeIOifiFka4HamhVBX1AhwGC+3Uj7WQUSjUaFbtNd0LI3xNDaVHYGb7YOYrlx
    Kr+CfJJ3NrdIH/EH3Ke2ErdyivHggMJQCLfvHkO/dvHNapd1Yh08y+aU1Rzurq4WxUGuHoo1Be7x
    """

  /// The leaf's, PKCS #8.
  private static let key = """
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgH4hAnABDIdOcO2F87WAUAO1LqpcBZeEQHSfwwWDztwKhRANC
    AAQLzPo/Iuxh7njT9I+kgqu6jgGYWYaSQSqLQ5hlo/p4SEScGNuF/Grcz+cLd26LBys4dZmU0lQFSX145kAxmaQ8
    """
}
