import CLinux
import DetachedThread
import Glibc
import Varlink

/// A network namespace with what a shell makes in it. It ends with its last socket and process.
final class PrivateNetwork: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  static let isAllowed = geteuid() == 0 && access("/usr/sbin/ip", X_OK) == 0

  private let namespace: OwnedDescriptor

  /// Its path, for nsenter(1).
  var path: String { "/proc/\(getpid())/fd/\(namespace.number)" }

  private init(_ namespace: OwnedDescriptor) { self.namespace = namespace }

  static func make(_ commands: String) async throws -> PrivateNetwork {
    try await onThread {
      guard unshare(CInt(clinux_clone_newnet)) == 0 else { throw Failure(description: "unshare: errno \(errno)") }
      let namespace = OwnedDescriptor(open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC))
      var arguments: [UnsafeMutablePointer<CChar>?] =
        ["sh", "-euc", commands].map { (word: String) in strdup(word) } + [nil]
      defer { for argument in arguments { free(argument) } }
      var process: pid_t = 0
      var status: CInt = 0
      // Of this thread, and so in its network.
      guard posix_spawn(&process, "/bin/sh", nil, nil, &arguments, environ) == 0,
        waitpid(process, &status, 0) == process, status == 0
      else { throw Failure(description: "the network was not made: \(status)") }
      return PrivateNetwork(namespace)
    }
  }

  /// A socket in this network, bound to a device.
  func socket(_ family: CInt, _ type: CInt, boundTo device: String) async throws -> OwnedDescriptor {
    try await Self.onThread { [namespace] in
      guard setns(namespace.number, CInt(clinux_clone_newnet)) == 0 else {
        throw Failure(description: "setns: errno \(errno)")
      }
      let made = Glibc.socket(family, type | CInt(SOCK_CLOEXEC.rawValue), 0)
      guard made >= 0 else { throw Failure(description: "socket: errno \(errno)") }
      let owned = OwnedDescriptor(made)
      guard setsockopt(made, SOL_SOCKET, SO_BINDTODEVICE, device, socklen_t(device.utf8.count)) == 0 else {
        throw Failure(description: "SO_BINDTODEVICE: errno \(errno)")
      }
      return owned
    }
  }

  /// Runs something on a thread of its own, which may leave the process's network.
  private static func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let isStarted = DetachedThread.start { continuation.resume(with: Result { try body() }) }
      if !isStarted { continuation.resume(throwing: Failure(description: "no thread was started")) }
    }
  }
}
