import Glibc
import SmallFiles

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
    let path = try path(of: name)
    do throws(FileFailure) {
      return try SmallFile.content(path, limit: Self.sizeLimit)
    } catch {
      guard error.step != .size else {
        throw SystemdError(.badCredential, "credential \(name) has more than \(Self.sizeLimit) bytes")
      }
      throw SystemdError(.badCredential, "credential \(name) cannot be read", cause: error.reason)
    }
  }
}
