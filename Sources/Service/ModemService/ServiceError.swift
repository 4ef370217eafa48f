/// Why the service cannot fulfil a request, before any modem was asked.
package struct ServiceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure a caller can act on; new ones may come.
  package enum Code: Hashable, Sendable {
    /// There is no modem at all.
    case noModem
    /// No modem was named and there are several: their names.
    case moreThanOneModem([String])
    /// No modem has that name.
    case noSuchModem(String)
    /// The modem's port does not run at present.
    case portUnavailable
    /// This many flows use the bearer.
    case inUse(flows: Int)
    /// Too many flows already wait for another one to wait; includes when the queue will probably
    /// be empty.
    case tooManyFlows(limit: Int, retryAfter: Duration)
    /// The flow waited, but its turn did not come in time.
    case waitedTooLong(limit: Int)
  }

  package let code: Code
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
