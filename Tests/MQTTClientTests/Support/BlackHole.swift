import BrokerTestSupport
import Glibc

/// A port of loopback that takes no connection: its queue is full, so that the kernel answers
/// nothing to whoever knocks. Or, with room in the queue, one that takes connections and is silent.
final class BlackHole: Sendable {
  struct Failure: Error {}

  let port: UInt16
  private let listener: Int32
  private let fillers: [Int32]

  /// - Parameter backlog: room for connections that nobody accepts; none fills the queue.
  init(backlog: Int32 = 0) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let port = try Broker.freePort()
    guard Self.on(port, { bind(listener, $0, $1) }) == 0, listen(listener, backlog) == 0 else { throw Failure() }
    var fillers: [Int32] = []
    if backlog == 0 {
      for _ in 0..<4 {
        let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        _ = Self.on(port) { connect(filler, $0, $1) }
        fillers.append(filler)
      }
    }
    self.listener = listener
    self.port = port
    self.fillers = fillers
  }

  deinit { for descriptor in fillers + [listener] { close(descriptor) } }

  func accept() -> Int32 { Glibc.accept(listener, nil, nil) }
  func hangUp(_ connection: Int32) { close(connection) }

  private static func on(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}

/// Files that a test replaces.
enum TestFile {
  struct Failure: Error {}

  static func copy(_ from: String, to: String) throws {
    guard let source = fopen(from, "r"), let target = fopen(to, "w") else { throw Failure() }
    defer {
      fclose(source)
      fclose(target)
    }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&buffer, 1, buffer.count, source)
    guard fwrite(buffer, 1, count, target) == count else { throw Failure() }
  }
}
