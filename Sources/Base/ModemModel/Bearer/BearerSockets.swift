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

    package init(cookie: UInt64, isDatagram: Bool, sent: Int?, received: Int?) {
      self.cookie = cookie
      self.isDatagram = isDatagram
      self.sent = sent
      self.received = received
    }
  }

  package var open: [Socket]
  /// Those that ended since the last report, with their last numbers.
  package var ended: [Socket]

  package init(open: [Socket], ended: [Socket] = []) {
    self.open = open
    self.ended = ended
  }
}
