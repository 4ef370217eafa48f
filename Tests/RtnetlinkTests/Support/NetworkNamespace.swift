import CLinux
import Glibc
import Synchronization

/// A network namespace of the test's own. What touches it runs on a thread that has entered it.
final class NetworkNamespace: Sendable {
  private let descriptor: Int32

  /// Whether this process may make one, and a device in it.
  static let isAllowed = (try? NetworkNamespace().run { _ = try Tunnel("probe0") }) != nil
  static let reason = "needs network namespaces and /dev/net/tun: run it as root, or under `unshare -Ur`"

  init() throws {
    descriptor = try Self.onThread {
      guard unshare(Int32(clinux_clone_newnet)) == 0 else { throw Failure(errno) }
      return open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)
    }
  }

  deinit { close(descriptor) }

  /// Runs `body` inside, and waits for it.
  func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
    try Self.onThread { [descriptor] in
      guard setns(descriptor, Int32(clinux_clone_newnet)) == 0 else { throw Failure(errno) }
      return try body()
    }
  }

  struct Failure: Error {
    let errno: Int32
    init(_ errno: Int32) { self.errno = errno }
  }

  static func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
    let slot = ThreadResult<Value>()
    let job = ThreadJob {
      let result = Result { try body() }
      slot.value.withLock { $0 = result }
    }
    var thread = pthread_t()
    let started = pthread_create(
      &thread, nil,
      { argument in
        Unmanaged<ThreadJob>.fromOpaque(argument!).takeRetainedValue().body()
        return nil
      }, Unmanaged.passRetained(job).toOpaque())
    guard started == 0 else { throw Failure(started) }
    pthread_join(thread, nil)
    return try slot.value.withLock { $0! }.get()
  }
}

private final class ThreadJob: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private final class ThreadResult<Value: Sendable>: Sendable {
  let value = Mutex<Result<Value, any Error>?>(nil)
}

/// A device that carries bare IP packets, and whose far end is this value.
final class Tunnel: Sendable {
  private let descriptor: Int32

  /// Makes the device; the calling thread is in the namespace.
  init(_ name: String) throws {
    descriptor = open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw NetworkNamespace.Failure(errno) }
    // struct ifreq: 16 bytes of name, then IFF_TUN | IFF_NO_PI.
    var request = [UInt8](repeating: 0, count: 40)
    request.replaceSubrange(0..<name.utf8.count, with: name.utf8)
    request[16] = 0x01
    request[17] = 0x10
    guard ioctl(descriptor, UInt(clinux_tunsetiff), &request) == 0 else {
      throw NetworkNamespace.Failure(errno)
    }
  }

  deinit { close(descriptor) }

  /// The next packet that was sent into the device; nil where there is none now.
  func nextPacket() -> [UInt8]? {
    var packet = [UInt8](repeating: 0, count: 2048)
    let size = read(descriptor, &packet, packet.count)
    return size > 0 ? Array(packet.prefix(size)) : nil
  }

  /// Has a packet arrive at the device.
  func receive(_ packet: [UInt8]) { _ = write(descriptor, packet, packet.count) }

  /// The TCP packets that were sent into the device since the last call.
  func sentTCP() -> Int {
    var count = 0
    var packet = [UInt8](repeating: 0, count: 2048)
    while case let size = read(descriptor, &packet, packet.count), size > 20 {
      let protocolNumber = packet[0] >> 4 == 4 ? packet[9] : packet[6]
      if protocolNumber == 6 { count += 1 }
    }
    return count
  }
}

/// Starts a TCP connection and does not wait for it; returns 0 or an errno. The calling thread is
/// in the namespace.
func startConnection(to address: [UInt8], from source: [UInt8]? = nil, over interface: String? = nil) -> Int32 {
  let family = address.count == 4 ? AF_INET : AF_INET6
  let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
  guard descriptor >= 0 else { return errno }
  defer { close(descriptor) }
  if let interface {
    let name = Array(interface.utf8) + [0]
    guard setsockopt(descriptor, SOL_SOCKET, SO_BINDTODEVICE, name, socklen_t(name.count)) == 0 else { return errno }
  }
  if let source {
    let result = withSocketAddress(source, port: 0) { bind(descriptor, $0, $1) }
    guard result == 0 else { return errno }
  }
  let result = withSocketAddress(address, port: 80) { connect(descriptor, $0, $1) }
  return result == 0 || errno == EINPROGRESS ? 0 : errno
}

func withSocketAddress(
  _ address: [UInt8], port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
  // sockaddr_in and sockaddr_in6: family, port, then the address, behind a flow label for IPv6.
  var bytes = withUnsafeBytes(of: UInt16(address.count == 4 ? AF_INET : AF_INET6)) { Array($0) }
  bytes += [UInt8(port >> 8), UInt8(truncatingIfNeeded: port)]
  bytes += address.count == 4 ? address + [UInt8](repeating: 0, count: 8) : [0, 0, 0, 0] + address + [0, 0, 0, 0]
  return bytes.withUnsafeBytes { body($0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count)) }
}
