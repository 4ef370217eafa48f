import CLinux
import Glibc

/// Unix sockets, as far as a world needs them.
enum UnixSocket {
  /// Whether somebody accepts connections at a path.
  static func isServed(_ path: String) -> Bool {
    guard let descriptor = try? connect(path) else { return false }
    close(descriptor)
    return true
  }

  static func connect(_ path: String) throws -> Int32 {
    try open(path, "cannot reach the world at \(path)") { Glibc.connect($0, $1, $2) }
  }

  static func listen(_ path: String) throws -> Int32 {
    let descriptor = try open(path, "cannot listen at \(path)") { bind($0, $1, $2) }
    guard Glibc.listen(descriptor, 16) == 0 else {
      let reason = errno
      close(descriptor)
      throw WorldError.system("cannot listen at \(path)", errno: reason)
    }
    return descriptor
  }

  private static func open(
    _ path: String, _ words: String, _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw WorldError(.system, "\(words): a socket's path may have 107 bytes and this one has \(bytes.count)")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw WorldError.system(words) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        use(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      let reason = errno
      close(descriptor)
      throw WorldError.system(words, errno: reason)
    }
    return descriptor
  }

  /// Reads up to a line feed; nil when none comes within some seconds or 4096 bytes.
  static func readLine(_ descriptor: Int32, within seconds: Int = 5) -> String? {
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count < 4096, recv(descriptor, &byte, 1, 0) == 1 {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return nil
  }

  static func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }
}
