import CLinux
import Glibc
import NetworkAddress

/// A certificate authority of a simulated world, made anew for each by the `openssl` command.
package struct PrivateAuthority: Sendable {
  /// What openssl could not do.
  package struct Failure: Error, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// PEM file of the authority's own certificate: what a client must trust.
  package let certificatePath: String
  private let keyPath: String
  private let folder: String

  /// Makes an authority.
  ///
  /// - Parameters:
  ///   - folder: where its files go; it must exist.
  ///   - name: its common name, and the stem of its files.
  /// - Throws: `Failure`.
  package init(in folder: String, name: String) throws {
    self.folder = folder
    certificatePath = "\(folder)/\(name).pem"
    keyPath = "\(folder)/\(name).key"
    try Self.openssl([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
      "-subj", "/CN=\(name)", "-addext", "basicConstraints=critical,CA:TRUE", "-addext",
      "keyUsage=critical,keyCertSign",
      "-keyout", keyPath, "-out", certificatePath,
    ])
  }

  /// Takes up an authority that was made before.
  ///
  /// - Parameters:
  ///   - folder: where its files are.
  ///   - name: the stem of its files.
  package init(madeIn folder: String, name: String) {
    self.folder = folder
    certificatePath = "\(folder)/\(name).pem"
    keyPath = "\(folder)/\(name).key"
  }

  /// Issues a server certificate for one host.
  ///
  /// - Parameters:
  ///   - host: the name or the address that the certificate holds.
  ///   - file: stem of the files; by default the host.
  /// - Throws: `Failure`.
  package func issue(for host: String, file: String? = nil) throws -> ServerIdentity {
    let stem = "\(folder)/\(file ?? host)"
    let alternative = "\(IPAddress(host) == nil ? "DNS" : "IP"):\(host)"
    try Self.openssl([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
      "-CA", certificatePath, "-CAkey", keyPath, "-subj", "/CN=\(host)", "-addext", "subjectAltName=\(alternative)",
      "-addext", "basicConstraints=critical,CA:FALSE", "-addext", "extendedKeyUsage=serverAuth",
      "-keyout", "\(stem).key", "-out", "\(stem).pem",
    ])
    return ServerIdentity(certificatePath: "\(stem).pem", keyPath: "\(stem).key")
  }

  private static func openssl(_ arguments: [String]) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in [0, 1, 2] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY, 0)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    clinux_spawn_with_usual_signals(&attributes, 0)
    let words = (["openssl"] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let error = posix_spawnp(&process, "openssl", &actions, &attributes, words, environ)
    guard error == 0 else {
      throw Failure(
        description:
          "openssl cannot be started (\(String(cString: strerror(error)))); install it with `apt-get install openssl`")
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else {
      throw Failure(description: "openssl \(arguments[0]) ended with wait status \(status); OpenSSL 3 is expected")
    }
  }
}
