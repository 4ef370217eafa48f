/// Times for opening connections and for using them again.
package struct ConnectionTiming: Hashable, Sendable {
  /// Head start of each address before the next (RFC 8305, 5).
  package var nextAddress = Duration.milliseconds(250)
  /// Head start of the chain's own family before the other one is also tried. A server that answers
  /// only on the other family is still reached, and a slow server does not change the chain's
  /// address.
  package var otherFamily = Duration.seconds(2)
  /// How long a connection must stay quiet after an answer before the next request is written to
  /// it, including time that has already passed. Servers that close without notice do so within
  /// this time. An answer that says that the connection stays open needs no such time.
  package var quiet = Duration.milliseconds(1)
  /// How long a connection may take to become free before another one is opened: slightly more than
  /// a round trip.
  package var reuse = Duration.milliseconds(250)

  package init() {}
}
