import DetachedThread
import Glibc

/// What a browser sends and reads, byte for byte. Its calls block threads of their own.
struct TestBrowser: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  struct Answer: Sendable {
    let text: String

    var status: Int { text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }
    var body: String { text.firstRange(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? "" }

    func field(_ name: String) -> String? {
      let head = text.firstRange(of: "\r\n\r\n").map { text[..<$0.lowerBound] } ?? text[...]
      return head.split(separator: "\r\n").dropFirst().first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        .map { String($0.drop { $0 != ":" }.dropFirst().drop { $0 == " " }) }
    }

    /// The value of the first input with a name.
    func input(_ name: String) -> String? {
      guard let mark = body.firstRange(of: "name=\"\(name)\" value=\"") else { return nil }
      return String(body[mark.upperBound...].prefix { $0 != "\"" })
    }
  }

  let port: Int

  /// The fields that every browser sends with a navigation; those that are given replace them, and
  /// an empty value leaves one out.
  func head(_ line: String, _ changes: [String: String]) -> String {
    var fields = [
      "Host": "127.0.0.1:\(port)", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate",
      "Sec-Fetch-Dest": "document", "Accept-Language": "en",
    ]
    fields.merge(changes) { $1 }
    let lines = fields.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return (["\(line) HTTP/1.1"] + lines).joined(separator: "\r\n") + "\r\n\r\n"
  }

  func get(_ path: String, _ fields: [String: String] = [:]) async throws -> Answer {
    try await send(head("GET \(path)", fields))
  }

  /// A page of the service's own asks for another one.
  func page(_ path: String, _ fields: [String: String] = [:]) async throws -> Answer {
    try await get(path, ["Sec-Fetch-Site": "same-origin"].merging(fields) { $1 })
  }

  func post(_ path: String, _ form: [String: String], _ fields: [String: String] = [:]) async throws -> Answer {
    let body = form.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
    let own = [
      "Origin": "http://127.0.0.1:\(port)", "Sec-Fetch-Site": "same-origin", "Content-Length": "\(body.utf8.count)",
      "Content-Type": "application/x-www-form-urlencoded",
    ]
    return try await send(head("POST \(path)", own.merging(fields) { $1 }) + body)
  }

  /// Sends bytes and reads all that comes.
  func send(_ text: String) async throws -> Answer {
    let connection = try TestConnection(to: port)
    return try await Self.blocking {
      try connection.send(text)
      return Answer(text: String(decoding: try connection.rest(), as: UTF8.self))
    }
  }

  static func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      DetachedThread.start { continuation.resume(with: Result { try body() }) }
    }
  }
}

/// A connection to a port of 127.0.0.1.
final class TestConnection: Sendable {
  let descriptor: CInt

  /// - Parameter prepare: changes the socket before it connects; 0 if it could.
  init(to port: Int, _ prepare: (CInt) -> CInt = { _ in 0 }) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard prepare(descriptor) == 0 else { throw TestBrowser.Failure(description: "the socket cannot be changed") }
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let result = withUnsafeBytes(of: &address) {
      connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
    }
    guard result == 0 else { throw TestBrowser.Failure(description: "connect: \(String(cString: strerror(errno)))") }
  }

  deinit { Glibc.close(descriptor) }

  func send(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      // The server may have seen enough.
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Says that nothing more will be sent.
  func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Leaves, as a page that is closed.
  func abort() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// What comes next; empty at the end.
  func next() throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count < 0, errno == ECONNRESET { return [] }
    guard count >= 0 else { throw TestBrowser.Failure(description: "recv: \(String(cString: strerror(errno)))") }
    return Array(buffer[..<count])
  }

  func rest() throws -> [UInt8] {
    var all: [UInt8] = []
    while case let part = try next(), !part.isEmpty { all += part }
    return all
  }

  /// Reads until a text has come.
  func read(until text: String) throws -> String {
    var all: [UInt8] = []
    while !String(decoding: all, as: UTF8.self).contains(text) {
      let part = try next()
      guard !part.isEmpty else { throw TestBrowser.Failure(description: "the end came before “\(text)”") }
      all += part
    }
    return String(decoding: all, as: UTF8.self)
  }
}
