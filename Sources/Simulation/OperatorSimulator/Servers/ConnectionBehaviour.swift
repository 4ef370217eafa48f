/// How a web server treats its connections: servers in the field differ, and each of these costs a
/// client time.
package struct ConnectionBehaviour: Hashable, Sendable {
  /// When what is written leaves.
  package enum Writes: String, Hashable, Sendable, CaseIterable {
    case atOnce
    /// By Nagle's algorithm (RFC 896), and a body behind its head in a write of its own: the body
    /// waits until the client has acknowledged the head, which it does late when it has nothing to
    /// send. Redirects have a small page as their body.
    case nagle
  }

  /// The versions of TLS that it speaks.
  package enum TLS: String, Hashable, Sendable, CaseIterable {
    /// 1.2 and 1.3.
    case current
    /// 1.2 alone.
    case only12
  }

  /// What happens to a connection after an answer.
  package enum Connections: String, Hashable, Sendable, CaseIterable {
    case kept
    /// `Connection: close` after each answer.
    case closed
  }

  package var writes = Writes.atOnce
  package var tls = TLS.current
  package var connections = Connections.kept

  package init() {}
}
