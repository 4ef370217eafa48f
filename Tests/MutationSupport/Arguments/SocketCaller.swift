import FoundationEssentials
import Glibc
import JSONTree
import Logging
import NIOPosix
import Varlink

/// Calls a router's methods over a real socket, one connection for each call, as a client that
/// sends whatever it likes.
package struct SocketCaller: Sendable {
  /// What a call came to.
  package enum End: Hashable, Sendable {
    case answered
    /// By the error's name.
    case refused(String)
    /// The connection was closed.
    case closed
    /// The method waits, for a modem or for news: the caller left.
    case waiting
  }

  /// Milliseconds until a caller leaves a method that waits. Whether one waits or is slow makes no
  /// difference.
  private static let patience: Int32 = 20
  /// Milliseconds in which the service must tell of itself.
  private static let limit: Int32 = 60_000

  private let path: String
  private let server: VarlinkServer

  /// Serves a router.
  package static func start(_ router: VarlinkRouter) async throws -> SocketCaller {
    let path = "/tmp/modemd-mutation-\(UInt64.random(in: 0 ... .max))"
    let server = try await VarlinkServer.start(
      router, at: .path(path, mode: 0o600), on: MultiThreadedEventLoopGroup.singleton,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    return SocketCaller(path: path, server: server)
  }

  /// Ends the service, and takes its socket away.
  package func stop() async {
    await server.close()
    unlink(path)
  }

  /// Makes a call and waits for its first reply; then the caller leaves.
  package func call(_ frame: [UInt8]) -> End { call(frame, Self.patience) }

  /// As `call`, for a method that answers at once, however slow the machine is.
  package func callUntilItReplies(_ frame: [UInt8]) -> End { call(frame, Self.limit) }

  private func call(_ frame: [UInt8], _ patience: Int32) -> End {
    guard let reply = exchange(frame, patience) else { return .waiting }
    guard let json = JSONValue(parsing: reply) else { return .closed }
    return json["error"]?.string.map { .refused($0) } ?? .answered
  }

  /// The descriptions of the service's interfaces, as it tells them.
  package var descriptions: [String] {
    let information = exchange(Array(#"{"method":"org.varlink.service.GetInfo"}"#.utf8), Self.limit).flatMap {
      JSONValue(parsing: $0)
    }
    return (information?["parameters"]?["interfaces"]?.items ?? []).compactMap { name in
      let call = #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":\#(name.text)}}"#
      return exchange(Array(call.utf8), Self.limit).flatMap { JSONValue(parsing: $0) }?["parameters"]?["description"]?
        .string
    }
  }

  /// What is wrong with the end of a call: an error that no interface declares tells the caller
  /// nothing.
  package func faults(of end: End, _ frame: [UInt8]) -> [String] {
    let call = String(decoding: frame.prefix(300), as: UTF8.self)
    switch end {
    case .answered, .closed, .waiting: return []
    case .refused(let name):
      return name == "org.varlink.service.InternalError" ? ["\(name) for \(call)"] : []
    }
  }

  /// The first reply without its NUL, empty where the connection was closed; nil where none came.
  private func exchange(_ frame: [UInt8], _ patience: Int32) -> [UInt8]? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard connect(descriptor) else { return nil }
    var left = (frame + [0])[...]
    var reply: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      var wish = pollfd(fd: descriptor, events: Int16(POLLIN) | (left.isEmpty ? 0 : Int16(POLLOUT)), revents: 0)
      guard poll(&wish, 1, patience) > 0 else { return nil }
      if wish.revents & Int16(POLLOUT) != 0, !left.isEmpty {
        let count = left.withUnsafeBytes {
          send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
        if count < 0, errno != EAGAIN { left = [] }
        left = left.dropFirst(max(count, 0))
      }
      guard wish.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 else { continue }
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      guard count > 0 else {
        if count < 0, errno == EAGAIN { continue }
        return []
      }
      if let end = buffer[..<count].firstIndex(of: 0) { return reply + buffer[..<end] }
      reply += buffer[..<count]
    }
  }

  private func connect(_ socket: Int32) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }
}
