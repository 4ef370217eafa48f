import Glibc

/// The folder with this service's credentials (`LoadCredential=`, systemd.exec(5)): files that only
/// the service can read.
package struct CredentialsDirectory: Hashable, Sendable {
  /// The largest credential that systemd passes, in bytes.
  package static let sizeLimit = 1 << 20

  package let path: String

  /// Nil when the service manager passed no credentials.
  package init?(_ environment: ServiceEnvironment) {
    guard let path = environment["CREDENTIALS_DIRECTORY"], path.hasPrefix("/") else { return nil }
    self.path = path
  }

  /// The credentials that systemd gave to a unit that runs; nil when it gave none, or this user may
  /// not see them.
  ///
  /// - Parameter unit: as in `modemd.service`.
  package init?(ofUnit unit: String) {
    let path = "/run/credentials/\(unit)"
    guard access(path, R_OK | X_OK) == 0 else { return nil }
    self.path = path
  }

  /// The path of a credential's file, whether it exists or not.
  /// - Parameter name: 1 to 255 bytes, no `/`, no NUL, not `.` or `..`.
  /// - Throws: `badCredential` if the name is invalid.
  package func path(of name: String) throws(SystemdError) -> String {
    let allowed =
      (1...255).contains(name.utf8.count) && name != "." && name != ".."
      && name.utf8.allSatisfy { $0 != 0 && $0 != 0x2F }
    guard allowed else {
      throw SystemdError(.badCredential, "a credential's name of \(name.utf8.count) bytes is not a plain file name")
    }
    return path + "/" + name
  }

  /// The content of a credential; nil if none has that name.
  /// - Throws: `badCredential` when it cannot be read or has more than 1 MiB.
  package func read(_ name: String) throws(SystemdError) -> [UInt8]? {
    let descriptor = open(try path(of: name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failure(name, errno)
    }
    defer { close(descriptor) }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw failure(name, errno) }
      guard count > 0 else { return content }
      content += buffer[..<count]
      guard content.count <= Self.sizeLimit else {
        throw SystemdError(.badCredential, "credential \(name) has more than \(Self.sizeLimit) bytes")
      }
    }
  }

  private func failure(_ name: String, _ number: Int32) -> SystemdError {
    SystemdError(.badCredential, "credential \(name) cannot be read", cause: String(cString: strerror(number)))
  }
}
