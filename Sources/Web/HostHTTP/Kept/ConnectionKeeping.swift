/// How many connections are kept for their user's next calls, and how long.
package struct ConnectionKeeping: Hashable, Sendable {
  /// Longest time from an answer to the next request. A server may ask for less.
  package var idle = Duration.seconds(10)
  /// The same before a request that must not be sent twice. Servers keep connections for 5 s and
  /// more, so such a request does not meet the server's own end of the time.
  package var idleBeforeUnrepeatable = Duration.seconds(4)
  /// Longest time from opening a connection to its last request, so that a server whose address has
  /// changed is found anew.
  package var life = Duration.seconds(60)
  /// How long a connection must stay quiet after an answer before the next request is written to
  /// it, including time that has already passed.
  package var quiet = Duration.milliseconds(1)
  /// A server that ends a connection sooner than this after its answer, without notice, closes
  /// after each answer: nothing is kept for it during `distrust`.
  package var notice = Duration.seconds(1)
  package var distrust = Duration.seconds(600)
  /// Idle connections of one user to one origin, of one user, and in all.
  package var perOrigin = 4
  package var perUser = 8
  package var total = 32

  package init() {}
}
