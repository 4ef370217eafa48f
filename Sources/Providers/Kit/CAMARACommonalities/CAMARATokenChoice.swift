import AuthCore

/// Whose token an API is asked with that takes a number with the client's own token, and none with the subscriber's.
package enum CAMARATokenChoice: String, Hashable, Sendable, CaseIterable {
  /// The client's own where a number is given, else the subscriber's.
  case byNumber
  /// Always the client's: a number is needed.
  case client
  /// Always the subscriber's: the SIM in this machine alone can be asked about.
  case subscriber

  /// Whether a question takes the subscriber's token.
  ///
  /// - Parameters:
  ///   - number: the number asked about; nil for the SIM in this machine.
  ///   - subscriber: that SIM.
  /// - Throws: `AuthError` where the number is missing, or may not be given.
  package func usesSubscriberToken(
    for number: SubscriberNumber?, of subscriber: Subscriber
  ) throws(AuthError) -> Bool {
    switch (self, number) {
    case (.byNumber, let number): return number == nil
    case (.client, .some): return false
    case (.client, nil): throw .invalid("number", "the number to ask about: the provider's token is the client's own")
    case (.subscriber, nil): return true
    case (.subscriber, let number?):
      // The answer is about the SIM in this machine, and must not be taken for another's.
      guard number == subscriber.number else {
        throw .invalid(
          "number", "none, or the number that the SIM holds: the provider tells of the SIM in this machine alone")
      }
      return true
    }
  }
}
