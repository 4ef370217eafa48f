import CLinux
import Glibc
import NIOCore

/// Where a server listens.
public enum VarlinkEndpoint: Sendable {
  /// A Unix socket at this path, made with these permissions.
  case path(String, mode: mode_t)
  /// A socket that listens already, as systemd passes one.
  case descriptor(CInt)
}

/// Why a server cannot listen.
public struct VarlinkListenError: Error, Sendable, CustomStringConvertible {
  public let description: String
}

/// The socket file: free before it is bound, complete when it appears, gone at the end.
enum ListeningSocket {
  /// Removes the socket file of a server that no longer runs.
  static func free(_ path: String) throws {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw VarlinkListenError(description: "\(path) is not a socket; remove it or choose another path")
    }
    guard try !isServed(path) else {
      throw VarlinkListenError(description: "another process listens at \(path); stop it or choose another path")
    }
    unlink(path)
  }

  private static func isServed(_ path: String) throws -> Bool {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    guard descriptor >= 0 else { return false }
    defer { Glibc.close(descriptor) }
    let address = try SocketAddress(unixDomainSocketPath: path)
    return address.withSockAddr { Glibc.connect(descriptor, $0, socklen_t($1)) } == 0
  }

  /// Gives the bound socket its permissions and its name, so that nobody sees it half made.
  static func publish(_ temporary: String, as path: String, mode: mode_t) throws {
    guard chmod(temporary, mode) == 0, rename(temporary, path) == 0 else {
      let reason = String(cString: strerror(errno))
      unlink(temporary)
      throw VarlinkListenError(description: "\(path) cannot be made: \(reason)")
    }
  }
}
