import Glibc
import LimitClock
import ModemctlCore
import Varlink

/// The figures as text, fetched over HTTP from a Unix socket.
enum MetricsPage {
  /// More than modemd's figures can be.
  private static let mostBytes = 8 << 20

  static let late = ModemctlError(
    .unreachable, "modemd gave no answer within 10 seconds; look at `journalctl -u modemd`")

  /// - Throws: `VarlinkClientError` if the socket cannot be reached, or closes too early;
  ///   `ModemctlError`.
  static func fetch(from path: String, prometheus: Bool, clock: LimitClock) throws -> String {
    let socket = try connect(to: path)
    defer { close(socket) }
    let accept = prometheus ? "text/plain" : "application/openmetrics-text"
    try send("GET /metrics HTTP/1.1\r\nHost: localhost\r\nAccept: \(accept)\r\nConnection: close\r\n\r\n", to: socket)
    let answer = try readAll(from: socket, within: .answer, clock)
    return try body(of: answer)
  }

  private static func connect(to path: String) throws -> CInt {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < room else { throw VarlinkClientError.unreachable(path: path, errno: ENAMETOOLONG) }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw VarlinkClientError.unreachable(path: path, errno: errno) }
    // Of each wait; a sender that trickles meets the limit of the whole.
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      let number = errno
      close(descriptor)
      throw VarlinkClientError.unreachable(path: path, errno: number)
    }
    return descriptor
  }

  private static func send(_ text: String, to socket: CInt) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
      guard count > 0 else { throw VarlinkClientError.disconnected }
      rest = rest.dropFirst(count)
    }
  }

  private static func readAll(from socket: CInt, within limit: Duration, _ clock: LimitClock) throws -> [UInt8] {
    let end = clock.now + limit
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      if count == 0 { return answer }
      guard count > 0 else {
        if errno == EINTR { continue }
        // A server that refuses may close before it has read everything; what came first counts.
        if errno == ECONNRESET, !answer.isEmpty { return answer }
        throw errno == EAGAIN ? late : VarlinkClientError.disconnected
      }
      answer += buffer[..<count]
      guard answer.count <= mostBytes else { throw ModemctlError(.failed, "the answer is longer than modemd's can be") }
      guard clock.now < end else { throw late }
    }
  }

  /// - Throws: `ModemctlError` for any answer but a whole one of status 200.
  static func body(of answer: [UInt8]) throws -> String {
    let mark = Array("\r\n\r\n".utf8)
    guard let end = answer.indices.first(where: { answer[$0...].starts(with: mark) }) else {
      throw VarlinkClientError.disconnected
    }
    // A line's end is one character for Swift.
    let lines = String(decoding: answer[..<end], as: UTF8.self).split(separator: "\r\n")
    let words = (lines.first ?? "").split(separator: " ")
    guard words.count > 1, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
      throw ModemctlError(.failed, "the service there does not speak HTTP; is it modemd's socket metrics.http?")
    }
    let content = String(decoding: answer[(end + mark.count)...], as: UTF8.self)
    switch status {
    case 200: break
    case 403: throw Metrics.denied
    default: throw ModemctlError(.failed, "modemd answered with the HTTP status \(status)")
    }
    let length = lines.lazy.map { $0.lowercased() }.first { $0.hasPrefix("content-length:") }
      .flatMap { Int($0.dropFirst("content-length:".count).drop { $0 == " " }) }
    guard length == nil || length == content.utf8.count else { throw VarlinkClientError.disconnected }
    return content
  }
}
