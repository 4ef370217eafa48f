import RedirectChain
import Web

/// What became of connections that were made ready ahead.
package struct WarmTally: Hashable, Sendable {
  /// Connections over which a chain sent a request.
  package var used: Int
  /// Connections that no chain used.
  package var unused: Int
  /// Connections that could not be made.
  package var failed: Int
  /// Bytes that the unused ones moved in either direction, with the names that were asked.
  package var unusedBytes: Int
}

/// Connections of one owner over one bearer, to the origins that one kind of chain goes through.
struct WarmSet: Sendable {
  enum Start: Hashable, Sendable {
    case origin(WebURL.Origin)
    case kind(ChainKind)
  }

  /// All of it must be the same in a chain that takes the set.
  struct Key: Hashable, Sendable {
    let owner: ChainRequest.Owner
    let interface: BoundInterface
    /// Another bearer may have the same interface, addresses and servers.
    let bearerSince: Int64?
    /// The client, and with it the roots of trust and all options.
    let client: Int
    let start: Start
    let fit: ConnectionFit
  }

  let key: Key
  let connections: ConnectionsAhead
  let meter: ByteMeter
}
