import Glibc

/// What a client of a broker shows and believes: three PEM files.
package struct Credentials: Hashable, Sendable {
  package let authorities: String
  package let certificate: String
  package let key: String

  package init(authorities: String, certificate: String, key: String) {
    self.authorities = authorities
    self.certificate = certificate
    self.key = key
  }
}

/// A certificate authority of a test's own, made with openssl in a folder.
package struct Authority: Hashable, Sendable {
  package let folder: String
  package let name: String
  package var certificate: String { folder + "/ca.crt" }
  /// The list of what was revoked, as brokers read it.
  package var revocations: String { folder + "/ca.crl" }

  private var key: String { folder + "/ca.key" }
  private var log: String { folder + "/openssl.log" }
  private var settings: String { folder + "/ca.cnf" }

  /// - Parameter folder: is made.
  package init(_ name: String, in folder: String) throws {
    self.name = name
    self.folder = folder
    guard mkdir(folder, 0o700) == 0 else { throw BrokerFailure("\(folder): \(String(cString: strerror(errno)))") }
    try File.write("", to: folder + "/index.txt")
    try File.write("01\n", to: folder + "/crlnumber")
    try File.write(
      """
      [ca]
      default_ca = own
      [own]
      database = \(folder)/index.txt
      crlnumber = \(folder)/crlnumber
      rand_serial = yes
      new_certs_dir = \(folder)
      certificate = \(certificate)
      private_key = \(key)
      default_md = sha256
      default_days = 30
      default_crl_days = 30
      unique_subject = no
      policy = any
      [any]
      commonName = supplied

      """, to: settings)
    try makeKey(key)
    try openssl(
      "req", "-x509", "-new", "-key", key, "-subj", "/CN=\(name)", "-days", "30", "-out", certificate, "-addext",
      "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign,cRLSign")
    try writeRevocations()
  }

  /// Issues a certificate for a client, valid from a day ago.
  ///
  /// - Parameters:
  ///   - name: its common name.
  ///   - file: what its files are called; the common name if nil.
  ///   - key: a key that is there; a new one if nil.
  package func issueClient(_ name: String, file: String? = nil, key: String? = nil) throws -> Credentials {
    try issue(name, file: file ?? name, key: key, ["extendedKeyUsage=clientAuth"])
  }

  /// Issues a certificate for a server.
  ///
  /// - Parameters:
  ///   - hosts: names and addresses.
  ///   - dates: from when to when, as openssl writes times (`20300101000000Z`).
  package func issueServer(
    _ file: String, hosts: [String], dates: (from: String, to: String)? = nil
  ) throws -> Credentials {
    let names = hosts.map { ($0.allSatisfy { $0.isNumber || $0 == "." || $0 == ":" } ? "IP:" : "DNS:") + $0 }
    return try issue(
      hosts[0], file: file, key: nil,
      ["subjectAltName=" + names.joined(separator: ","), "extendedKeyUsage=serverAuth"], dates: dates)
  }

  private func issue(
    _ name: String, file: String, key: String?, _ extensions: [String], dates: (from: String, to: String)? = nil
  ) throws -> Credentials {
    let issued = Credentials(
      authorities: certificate, certificate: "\(folder)/\(file).crt", key: key ?? "\(folder)/\(file).key")
    if key == nil { try makeKey(issued.key) }
    guard let dates else {
      try openssl(
        ["req", "-x509", "-new", "-CA", certificate, "-CAkey", self.key, "-key", issued.key, "-subj", "/CN=\(name)"]
          + ["-days", "30", "-out", issued.certificate] + extensions.flatMap { ["-addext", $0] })
      return issued
    }
    let request = "\(folder)/\(file).csr"
    try openssl("req", "-new", "-key", issued.key, "-subj", "/CN=\(name)", "-out", request)
    try File.write(extensions.joined(separator: "\n") + "\n", to: request + ".ext")
    try openssl(
      "ca", "-batch", "-config", settings, "-in", request, "-out", issued.certificate, "-extfile", request + ".ext",
      "-startdate", dates.from, "-enddate", dates.to, "-notext")
    return issued
  }

  /// Puts a certificate on the list of revocations. A broker reads it anew when told to.
  package func revoke(_ credentials: Credentials) throws {
    try openssl("ca", "-batch", "-config", settings, "-revoke", credentials.certificate)
    try writeRevocations()
  }

  private func writeRevocations() throws {
    try openssl("ca", "-batch", "-config", settings, "-gencrl", "-out", revocations)
  }

  private func makeKey(_ path: String) throws {
    try openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", path)
  }

  private func openssl(_ words: String...) throws { try openssl(words) }
  private func openssl(_ words: [String]) throws { try Program.run(["openssl"] + words, output: log) }
}
