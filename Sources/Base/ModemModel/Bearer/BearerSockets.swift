import NetworkAddress

/// The sockets over a bearer, as the kernel reports them.
package struct BearerSockets: Hashable, Sendable {
  package struct Socket: Hashable, Sendable {
    /// SO_COOKIE.
    package var cookie: UInt64
    package var isDatagram: Bool
    /// Bytes that the other end acknowledged; nil for datagrams.
    package var sent: Int?
    /// Bytes that came in; nil for datagrams.
    package var received: Int?
    /// Its addresses; nil if they are not needed.
    package var ends: Ends?

    package init(cookie: UInt64, isDatagram: Bool, sent: Int?, received: Int?, ends: Ends? = nil) {
      self.cookie = cookie
      self.isDatagram = isDatagram
      self.sent = sent
      self.received = received
      self.ends = ends
    }
  }

  /// Where a socket's packets come from and go to.
  package struct Ends: Hashable, Sendable {
    /// Unspecified if the kernel chooses it for each datagram.
    package var source: IPAddress
    /// 0 to 65535.
    package var sourcePort: Int
    /// Nil if the socket is not connected.
    package var address: IPAddress?
    /// 1 to 65535; nil if the socket is not connected.
    package var port: Int?

    package init(source: IPAddress, sourcePort: Int, address: IPAddress?, port: Int?) {
      self.source = source
      self.sourcePort = sourcePort
      self.address = address
      self.port = port
    }
  }

  package var open: [Socket]
  /// Those that ended since the last report, with their last numbers.
  package var ended: [Socket]
  /// How many more there are, for which a report has no place.
  package var unlisted: Int

  package init(open: [Socket], ended: [Socket] = [], unlisted: Int = 0) {
    self.open = open
    self.ended = ended
    self.unlisted = unlisted
  }
}
