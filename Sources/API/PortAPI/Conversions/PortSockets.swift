import ModemModel
import NetworkAddress

/// Converts sockets over a bearer to and from org.modemd.Port.
extension PortInterface.WatchSockets.Reply {
  package init(_ sockets: BearerSockets) {
    self.init(
      sockets: sockets.open.map { PortInterface.Socket($0) }, ended: sockets.ended.map { PortInterface.Socket($0) },
      unlisted: sockets.unlisted)
  }
}

extension PortInterface.Socket {
  package init(_ socket: BearerSockets.Socket) {
    self.init(
      cookie: socket.cookie.cookieDigits, kind: socket.isDatagram ? .datagram : .stream,
      source: socket.ends?.source.description ?? "", sourcePort: socket.ends?.sourcePort ?? 0,
      address: socket.ends?.address?.description, port: socket.ends?.port, sent: socket.sent,
      received: socket.received)
  }
}

extension BearerSockets {
  /// - Throws: `ConversionError` for a cookie that is none.
  package init(_ reply: PortInterface.WatchSockets.Reply) throws {
    self.init(
      open: try reply.sockets.map { try Socket($0) }, ended: try reply.ended.map { try Socket($0) },
      unlisted: reply.unlisted)
  }
}

extension BearerSockets.Socket {
  fileprivate init(_ socket: PortInterface.Socket) throws {
    let cookie = try UInt64(cookie: socket.cookie).required("cookie", "16 hexadecimal digits")
    self.init(
      cookie: cookie, isDatagram: socket.kind == .datagram, sent: socket.sent, received: socket.received,
      ends: IPAddress(socket.source).map {
        BearerSockets.Ends(
          source: $0, sourcePort: socket.sourcePort, address: socket.address.flatMap { IPAddress($0) },
          port: socket.port)
      })
  }
}

extension UInt64 {
  /// SO_COOKIE as 16 hexadecimal digits.
  package var cookieDigits: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Reads 16 hexadecimal digits; nil for anything else.
  package init?(cookie: String) {
    guard cookie.utf8.count == 16, cookie.allSatisfy(\.isHexDigit) else { return nil }
    self.init(cookie, radix: 16)
  }
}
