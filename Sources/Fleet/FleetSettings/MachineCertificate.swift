internal import CCrypto
import Glibc

/// Why this machine cannot be in its fleet: one sentence, which names the file or the broker.
package struct FleetFlaw: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(description: String) { self.description = description }
}

/// What this machine's certificate and key files say, as far as it can be checked without a broker.
package struct MachineCertificate: Hashable, Sendable {
  /// The common name of the subject; nil if it has none, or one of more than 64 bytes.
  package let commonName: String?
  /// Seconds since 1970, in the years 0 to 9999.
  package let notBefore: Int64
  /// Seconds since 1970, in the years 0 to 9999.
  package let notAfter: Int64

  /// Reads the first certificate of a PEM file.
  package init(contentsOf path: String) throws(FleetFlaw) {
    let certificate = try Self.withFile(path) { PEM_read_bio_X509($0, nil, nil, nil) }
    guard let certificate else { throw FleetFlaw(description: "\(path) has no certificate in PEM form") }
    defer { X509_free(certificate) }
    guard let start = Self.seconds(X509_get0_notBefore(certificate)),
      let end = Self.seconds(X509_get0_notAfter(certificate))
    else { throw FleetFlaw(description: "\(path) has a certificate whose dates cannot be read") }
    var name = [CChar](repeating: 0, count: 66)
    let count = X509_NAME_get_text_by_NID(
      X509_get_subject_name(certificate), NID_commonName, &name, Int32(name.count))
    commonName =
      (1...64).contains(count)
      ? String(decoding: name.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    (notBefore, notAfter) = (start, end)
  }

  /// Checks that a key file has the key of a certificate file, without a passphrase.
  package static func check(key: String, of path: String) throws(FleetFlaw) {
    let certificate = try withFile(path) { PEM_read_bio_X509($0, nil, nil, nil) }
    guard let certificate else { throw FleetFlaw(description: "\(path) has no certificate in PEM form") }
    defer { X509_free(certificate) }
    // Without a callback, libcrypto would ask for a passphrase at the terminal.
    let read = try withFile(key) { bio in PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in 0 }, nil) }
    guard let read else {
      throw FleetFlaw(description: "\(key) has no key in PEM form, or one with a passphrase; give one without")
    }
    defer { EVP_PKEY_free(read) }
    defer { ERR_clear_error() }
    guard X509_check_private_key(certificate, read) == 1 else {
      throw FleetFlaw(description: "\(key) is not the key of the certificate in \(path)")
    }
  }

  /// Checks a file of authorities.
  ///
  /// - Returns: how many certificates it has, at least 1.
  package static func authorities(in path: String) throws(FleetFlaw) -> Int {
    let count = try withFile(path) { bio in
      var count = 0
      while count < 1024, let certificate = PEM_read_bio_X509(bio, nil, nil, nil) {
        X509_free(certificate)
        count += 1
      }
      return count
    }
    guard count > 0 else { throw FleetFlaw(description: "\(path) has no certificate in PEM form") }
    return count
  }

  /// What is wrong with the certificate for a machine of this name at this time; nil if nothing is.
  ///
  /// - Parameter now: seconds since 1970.
  package func flaw(for machine: String, at now: Int64, in path: String) -> FleetFlaw? {
    guard commonName == machine else {
      let isName = commonName.map { MachineName.isName($0) } ?? false
      let found = isName ? "\(commonName ?? "")" : "no machine's name"
      return FleetFlaw(
        description:
          "\(path) is for \(found), and the machine is \(machine): the broker takes the certificate's common "
          + "name; set machine, or get a certificate for it")
    }
    if now > notAfter { return FleetFlaw(description: "\(path) has expired; renew it") }
    if now < notBefore { return FleetFlaw(description: "\(path) is not valid yet; is this machine's clock right?") }
    return nil
  }

  private static func withFile<Result>(
    _ path: String, _ use: (OpaquePointer) -> Result
  ) throws(FleetFlaw) -> Result {
    defer { ERR_clear_error() }
    errno = 0
    guard let bio = BIO_new_file(path, "re") else {
      throw FleetFlaw(description: "\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { BIO_free(bio) }
    return use(bio)
  }

  private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
    var parts = tm()
    guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
    return min(max(Int64(timegm(&parts)), -62_167_219_200), 253_402_300_799)
  }
}
