import BenchmarkFigures
import Glibc

/// A client's end of a Varlink connection: raw frames on a Unix socket, and no more work than that.
final class VarlinkConnection {
  let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 65536)
  private var pending: [UInt8] = []

  init(path: String) throws(BenchmarkError) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .system("no socket") }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      close(descriptor)
      throw BenchmarkError("the path of a socket has at most 107 bytes: \(path)")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else {
      let number = errno
      close(descriptor)
      throw .system("cannot connect to \(path)", number)
    }
  }

  deinit { close(descriptor) }

  /// A call as it is sent: JSON and NUL.
  static func frame(_ method: String, parameters: String) -> [UInt8] {
    Array(#"{"method":"\#(method)","parameters":\#(parameters)}"#.utf8) + [0]
  }

  func send(_ frame: [UInt8]) throws(BenchmarkError) {
    var sent = 0
    while sent < frame.count {
      let count = frame[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .system("a call was not sent") }
      sent += count
    }
  }

  /// Waits for one whole reply, without its NUL. Replies beyond it are kept for the next call.
  func receive() throws(BenchmarkError) -> [UInt8] {
    while true {
      if let end = pending.firstIndex(of: 0) {
        defer { pending.removeFirst(end + 1) }
        return Array(pending[..<end])
      }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0 && errno == EINTR { continue }
      guard count != 0 else { throw BenchmarkError("the service closed the connection") }
      guard count > 0 else { throw .system("no reply") }
      // The usual case: one reply in one read.
      if pending.isEmpty, buffer[count - 1] == 0, buffer[..<(count - 1)].firstIndex(of: 0) == nil {
        return Array(buffer[..<(count - 1)])
      }
      pending += buffer[..<count]
    }
  }

  /// One call and its reply.
  /// - Throws: when the reply is a Varlink error.
  func call(_ method: String, parameters: String = "{}") throws(BenchmarkError) -> String {
    try send(Self.frame(method, parameters: parameters))
    let reply = String(decoding: try receive(), as: UTF8.self)
    guard !reply.contains(#""error":"#) else { throw BenchmarkError("\(method) was answered with \(reply)") }
    return reply
  }

  /// The process at the other end (SO_PEERCRED: the one that began to listen).
  func peer() throws(BenchmarkError) -> Int32 {
    var credentials = [Int32](repeating: 0, count: 3)
    var size = socklen_t(MemoryLayout<Int32>.size * 3)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else {
      throw .system("the kernel does not say who serves the socket")
    }
    return credentials[0]
  }
}
