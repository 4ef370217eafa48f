import LimitClock
import ModemModel
import ModemPort
import PortAPI
import Synchronization
import Varlink

/// The sockets over the bearer, over org.modemd.Port.
extension PortRouter {
  /// Milliseconds between two reports.
  static let socketIntervals = 100...60_000

  static func addSockets(to router: inout VarlinkRouter, _ port: ModemPort) {
    router.stream(PortInterface.WatchSockets.self) { parameters, context, replies in
      let interval = parameters.intervalMilliseconds ?? 1000
      guard socketIntervals.contains(interval) else { throw VarlinkError.invalidParameter("intervalMilliseconds") }
      let last = Mutex(PortInterface.WatchSockets.Reply(sockets: [], ended: [], unlisted: 0))
      try await onSocketWire("list sockets") {
        try await port.watchSockets(every: .milliseconds(interval)) { sockets in
          let reply = PortInterface.WatchSockets.Reply(sockets)
          if context.more { replies.send(reply) } else { last.withLock { $0 = reply } }
          return context.more
        }
      }
      return last.withLock { $0 }
    }
    router.handle(PortInterface.EndSocket.self) { parameters, _ in
      guard let cookie = UInt64(cookie: parameters.cookie) else { throw VarlinkError.invalidParameter("cookie") }
      switch try await onSocketWire("end socket", { try await port.endSocket(cookie) }) {
      case .ended: return .init()
      case .unknown: throw VarlinkError(PortInterface.NoSuchSocket(cookie: parameters.cookie))
      case .refused(let text): throw VarlinkError(PortInterface.SocketNotEnded(text: text))
      }
    }
  }

  private static func onSocketWire<Reply>(_ operation: String, _ body: () async throws -> Reply) async throws -> Reply {
    do {
      return try await body()
    } catch let error as ModemError {
      throw VarlinkError(PortInterface.ModemFailed(operation: operation, cause: error.description))
    }
  }
}
