import CTaskThreads
import Glibc

/// A network namespace of one thread. A proxy's socket has one name per namespace: here it meets
/// nobody else's.
enum PrivateNetwork {
  /// Swift does not see unshare(2).
  private static let unshare = dlsym(nil, "unshare").map {
    unsafeBitCast($0, to: (@convention(c) (CInt) -> CInt).self)
  }
  private static let setns = dlsym(nil, "setns").map {
    unsafeBitCast($0, to: (@convention(c) (CInt, CInt) -> CInt).self)
  }
  private static let gettid = unsafeBitCast(dlsym(nil, "gettid")!, to: (@convention(c) () -> pid_t).self)
  private static let newNetwork: CInt = 0x4000_0000

  static func isPossible(with proxy: String) -> Bool {
    geteuid() == 0 && access("/usr/libexec/\(proxy)", X_OK) == 0 && access("/proc/self/ns/net", R_OK) == 0
  }

  /// Puts the calling thread, and the processes that it starts, into a network of their own.
  static func enter() -> Bool {
    guard ctaskthreads_stay() == 0 else { return false }
    return unshare.map { $0(newNetwork) == 0 } ?? false
  }

  /// Puts the calling thread into the network of another thread of this process.
  static func enter(of thread: pid_t) -> Bool {
    guard ctaskthreads_stay() == 0 else { return false }
    let file = open("/proc/self/task/\(thread)/ns/net", O_RDONLY | O_CLOEXEC)
    defer { Glibc.close(file) }
    return setns.map { $0(file, newNetwork) == 0 } ?? false
  }

  /// The calling thread's number.
  static func thread() -> pid_t { gettid() }

  /// The process that listens on a proxy's socket in this thread's network.
  static func listener(on proxy: String) -> pid_t? {
    let name = Array("\0\(proxy)".utf8)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { Glibc.close(socket) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, length) }
    }
    var credentials = [pid_t](repeating: 0, count: 3)
    var size = socklen_t(12)
    guard connected == 0, getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return nil }
    return credentials[0]
  }
}
