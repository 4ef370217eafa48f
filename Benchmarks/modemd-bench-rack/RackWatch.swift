import BenchmarkFigures
import Glibc

/// A client's end of a Varlink connection: whole frames, and no reading of JSON.
final class RawConnection {
  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var pending: [UInt8] = []
  private var searched = 0

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else {
      close(descriptor)
      throw BenchmarkError("\(path): \(String(cString: strerror(errno)))")
    }
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  func send(_ method: String, _ parameters: String = "{}", more: Bool = false) throws {
    let frame =
      Array(#"{"method":"\#(method)","parameters":\#(parameters)\#(more ? #","more":true"# : "")}"#.utf8) + [0]
    guard Glibc.send(descriptor, frame, frame.count, Int32(MSG_NOSIGNAL)) == frame.count else {
      throw BenchmarkError("\(method) was not sent: \(String(cString: strerror(errno)))")
    }
  }

  func call(_ method: String, _ parameters: String = "{}") throws -> [UInt8] {
    try send(method, parameters)
    let reply = try receive()
    guard !reply.prefix(10).elementsEqual(#"{"error":"#.utf8) else {
      throw BenchmarkError("\(method) was answered with \(String(decoding: reply.prefix(300), as: UTF8.self))")
    }
    return reply
  }

  /// The next frame without its NUL, within a minute.
  func receive() throws -> [UInt8] {
    while true {
      if let end = pending[searched...].firstIndex(of: 0) {
        let frame = Array(pending[..<end])
        pending.removeFirst(end + 1)
        searched = 0
        return frame
      }
      searched = pending.count
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { throw BenchmarkError("no reply within a minute: \(String(cString: strerror(errno)))") }
      pending += buffer[..<count]
    }
  }
}

/// One that watches all modems, and counts what it is told.
final class RackWatch {
  private let path: String
  private let connection: RawConnection
  /// Of all changes so far.
  private(set) var bytes = 0

  /// Returns when changes are told from now on.
  init(_ path: String) throws {
    self.path = path
    connection = try RawConnection(path)
    try connection.send("org.modemd.Modem.Watch", more: true)
    _ = try connection.receive()
  }

  /// Waits for so many changes of a kind; others are passed over.
  func wait(for count: Int, _ word: String) throws {
    var seen = 0
    let wanted = Array(#""change":"\#(word)""#.utf8)
    while seen < count {
      let frame = try connection.receive()
      bytes += frame.count + 1
      if frame.prefix(64).firstRange(of: wanted) != nil { seen += 1 }
    }
  }

  /// Waits until the service knows so many modems.
  func waitForAll(_ count: Int) throws {
    var known = Set(Self.ids(in: try RawConnection(path).call("org.modemd.Modem.List")))
    while known.count < count { known.formUnion(Self.ids(in: try connection.receive())) }
  }

  /// The words behind `"id":`.
  private static func ids(in frame: [UInt8]) -> [String] {
    frame.split(separator: Array(#""id":""#.utf8)).dropFirst().map {
      String(decoding: $0.prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }
  }
}
