import CLinux
import FoundationEssentials
import Glibc
import NIOPosix
import Synchronization
import Varlink

/// A client that knows no protocol: it sends bytes, and cuts what comes at NUL. Its calls block
/// threads of their own.
final class RawClient: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private static let threads: NIOThreadPool = {
    let pool = NIOThreadPool(numberOfThreads: 8)
    pool.start()
    return pool
  }()

  private let descriptor: CInt
  private let received = Mutex<[UInt8]>([])

  init(to path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafeBytes(of: &address) {
      connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
    }
    guard result == 0 else { throw Failure(description: "connect: errno \(errno)") }
    // A test that waits in vain ends with an error of its own.
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { Glibc.close(descriptor) }

  /// Sends all of it; false when the other side has closed.
  @discardableResult
  func send(_ bytes: [UInt8]) async throws -> Bool {
    try await Self.threads.runIfActive { [descriptor] in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count < 0, errno == EPIPE || errno == ECONNRESET { return false }
        guard count >= 0 else { throw Failure(description: "send: errno \(errno)") }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  /// Sends text, and a NUL after it.
  @discardableResult
  func send(_ text: String) async throws -> Bool { try await send(Array(text.utf8) + [0]) }

  /// The next frame; nil when the other side has closed.
  func receiveFrame() async throws -> [UInt8]? {
    try await Self.threads.runIfActive { [self] in
      while true {
        let frame: [UInt8]? = received.withLock { bytes in
          guard let end = bytes.firstIndex(of: 0) else { return nil }
          defer { bytes.removeFirst(end + 1) }
          return Array(bytes[..<end])
        }
        if let frame { return frame }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        if count == 0 || count < 0 && errno == ECONNRESET { return nil }
        guard count > 0 else { throw Failure(description: "recv: errno \(errno)") }
        received.withLock { $0 += chunk[..<count] }
      }
    }
  }

  /// The next frame as JSON; nil when the other side has closed.
  func receive() async throws -> JSONValue? {
    try await receiveFrame().map { try JSONDecoder().decode(JSONValue.self, from: Data($0)) }
  }

  /// What one read of the kernel's gives, and the descriptors that came with it; empty when the
  /// other side has closed.
  func receiveOnce() async throws -> (bytes: [UInt8], descriptors: [OwnedDescriptor]) {
    try await Self.threads.runIfActive { [descriptor] in
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      var numbers = [CInt](repeating: -1, count: Int(clinux_most_descriptors))
      var number = 0
      let count = clinux_receive_with_descriptors(descriptor, &bytes, bytes.count, &numbers, &number, 0)
      let descriptors = numbers.prefix(number).map { OwnedDescriptor($0) }
      if count == 0 || count < 0 && errno == ECONNRESET { return ([], descriptors) }
      guard count > 0 else { throw Failure(description: "recvmsg: errno \(errno)") }
      return (Array(bytes.prefix(count)), descriptors)
    }
  }

  /// At least so many bytes of a stream; fewer when the other side has closed.
  func receive(bytes: Int) async throws -> [UInt8] {
    var all: [UInt8] = received.withLock { bytes in
      defer { bytes = [] }
      return bytes
    }
    while all.count < bytes {
      let (part, _) = try await receiveOnce()
      if part.isEmpty { return all }
      all += part
    }
    return all
  }

  /// How many of the bytes that were sent the other side has not read.
  var unreadBytes: Int {
    var count: CInt = 0
    return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : -1
  }

  /// Sends what fits without waiting, and says how many bytes that was.
  func sendWhatFits(_ bytes: [UInt8]) -> Int {
    max(0, Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)))
  }

  /// Refuses descriptors, as SO_PASSRIGHTS (Linux 6.16) lets a receiver do; false on older kernels.
  func refuseDescriptors() -> Bool {
    var no: CInt = 0
    return setsockopt(descriptor, SOL_SOCKET, 83, &no, socklen_t(MemoryLayout<CInt>.size)) == 0
  }

  /// Says that nothing more will be sent; replies can still come.
  func closeSending() { shutdown(descriptor, Int32(SHUT_WR)) }
}

/// JSON as it is written in a test.
func json(_ text: String) throws -> JSONValue { try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }
