import Glibc
import HTTPTestSupport
import NIOCore
import NIOPosix

/// The program's end of a pair of Unix sockets: plain blocking calls, on a thread that may block.
final class ProgramEnd: Sendable {
  private static let threads: NIOThreadPool = {
    let pool = NIOThreadPool(numberOfThreads: 8)
    pool.start()
    return pool
  }()

  let descriptor: CInt

  init(owning descriptor: CInt) {
    self.descriptor = descriptor
    // A test must fail rather than wait for ever.
    var limit = timeval(tv_sec: 40, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  deinit { Glibc.close(descriptor) }

  /// A pair: this end, and the other as a channel that nobody reads.
  static func make() async throws -> (ProgramEnd, any Channel) {
    var pair: [CInt] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
      throw TestCertificates.Failure(description: "no pair of sockets")
    }
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.autoRead, value: false)
      .withConnectedSocket(pair[1]).get()
    return (ProgramEnd(owning: pair[0]), channel)
  }

  private func run<Value: Sendable>(_ body: @escaping @Sendable (CInt) throws -> Value) async throws -> Value {
    try await Self.threads.runIfActive { [self] in try body(descriptor) }
  }

  struct Broken: Error { let code: CInt }

  /// What comes until the end, at most `limit` bytes.
  func read(upTo limit: Int = .max) async throws -> [UInt8] {
    try await run { descriptor in
      var (all, buffer): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 65_536))
      while all.count < limit {
        let count = Glibc.read(descriptor, &buffer, min(buffer.count, limit - all.count))
        guard count >= 0 else { throw Broken(code: errno) }
        if count == 0 { break }
        all += buffer[..<count]
      }
      return all
    }
  }

  /// Counts what comes until the end.
  func drain() async throws -> Int {
    try await run { descriptor in
      var (all, buffer) = (0, [UInt8](repeating: 0, count: 65_536))
      while case let count = Glibc.read(descriptor, &buffer, buffer.count), count != 0 {
        guard count > 0 else { throw Broken(code: errno) }
        all += count
      }
      return all
    }
  }

  func write(_ text: String) async throws { try await write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) async throws {
    try await run { descriptor in
      var sent = 0
      while sent < bytes.count {
        let count = bytes.withUnsafeBytes {
          send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { throw Broken(code: errno) }
        sent += count
      }
    }
  }

  func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }
}
