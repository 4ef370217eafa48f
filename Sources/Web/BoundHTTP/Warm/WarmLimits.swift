/// How much may be made ready ahead of chains, and for how long.
package struct WarmLimits: Hashable, Sendable {
  /// Sets of one owner over one bearer; each has a connection to each origin of a kind of chain.
  package var setsPerBearer = 4
  /// Sets of one owner over all bearers.
  package var setsPerOwner = 8
  /// Sets of all owners beside root.
  package var sets = 24
  /// Sets of root, over all bearers.
  package var setsOfRoot = 8
  /// How long a set waits for a flow's chain. Servers close idle connections after 5 s and more.
  package var flowTime = Duration.seconds(10)
  /// How long a set waits for the chain that a caller announced.
  package var preparedTime = Duration.seconds(20)
  /// How long the caller's answer waits for connections to be ready.
  package var answerTime = Duration.seconds(5)
  /// Most bytes of one set, in either direction. A handshake takes 3 to 8 kB.
  package var bytesPerSet = 131_072
  /// Bytes in an hour that one owner may spend over one bearer for what no chain used.
  package var unusedBytes = 262_144

  package init() {}
}
