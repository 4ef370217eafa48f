import CLinux
import Glibc
import NIOCore

/// Where a server listens.
public enum VarlinkEndpoint: Sendable {
  /// A Unix socket at this path, made with these permissions.
  case path(String, mode: mode_t)
  /// A socket that already listens, as systemd passes one.
  case descriptor(CInt)
}

/// Why a server cannot listen.
public struct VarlinkListenError: Error, Sendable, CustomStringConvertible {
  public let description: String

  init(description: String) { self.description = description }

  /// With the system's reason.
  init(reason text: String) { description = "\(text): \(String(cString: strerror(errno)))" }
}

/// The socket file: free before it is bound, complete when it appears, gone at the end.
package enum ListeningSocket {
  /// Connections that the kernel holds until they are accepted.
  private static let backlog: CInt = 1024

  /// A socket that listens and does not block.
  ///
  /// - Throws: `VarlinkListenError` if the path is taken or cannot be made.
  package static func open(_ endpoint: VarlinkEndpoint) throws -> CInt {
    switch endpoint {
    case .descriptor(let descriptor):
      let flags = fcntl(descriptor, F_GETFL)
      guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0 else {
        throw VarlinkListenError(reason: "the socket that was passed cannot be used")
      }
      return descriptor
    case .path(let path, let mode):
      try free(path)
      let temporary = "\(path).\(getpid())"
      let descriptor = try bind(temporary)
      do {
        try publish(temporary, as: path, mode: mode)
      } catch {
        close(descriptor)
        throw error
      }
      return descriptor
    }
  }

  private static func bind(_ path: String) throws -> CInt {
    let address: SocketAddress
    do {
      address = try SocketAddress(unixDomainSocketPath: path)
    } catch {
      throw VarlinkListenError(description: "\(path) is too long for the path of a socket; choose a shorter one")
    }
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw VarlinkListenError(reason: "no socket could be made") }
    guard address.withSockAddr({ Glibc.bind(descriptor, $0, socklen_t($1)) }) == 0, listen(descriptor, backlog) == 0
    else {
      let error = VarlinkListenError(reason: "\(path) cannot be made")
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Removes the socket file of a server that no longer runs.
  private static func free(_ path: String) throws {
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

  /// Gives the bound socket its permissions and its name, so that it never appears incomplete.
  private static func publish(_ temporary: String, as path: String, mode: mode_t) throws {
    guard chmod(temporary, mode) == 0, rename(temporary, path) == 0 else {
      let reason = String(cString: strerror(errno))
      unlink(temporary)
      throw VarlinkListenError(description: "\(path) cannot be made: \(reason)")
    }
  }
}
