import AuthCore

/// A caller's question for IPification, and what only the caller knows.
package struct IPificationQuestion: Hashable, Sendable {
  package enum Task: Hashable, Sendable {
    /// Whether the operator of the bearer's address is served and, with a number, whether the
    /// number is that operator's.
    case coverage
    /// An authorization code for the application's own backend.
    case authorize
    /// Coverage, authorization, and their result.
    case verify
  }

  package var task: Task
  package var number: SubscriberNumber?
  /// Nil for the configured one.
  package var scope: [String]?
  /// Nil for a generated one.
  package var state: Secret?
  /// Nil for none, or for a generated one if this machine reads the ID token itself.
  package var nonce: Secret?
  /// Nil for the configured ones.
  package var locales: [String]?
  /// Nil for the configured ones.
  package var channels: [String]?
  /// A signed request (OpenID Connect Core, 6.1) that is passed on unchanged.
  package var requestObject: Secret?
  /// The `mobile_id` of an earlier answer. It changes with the SIM or device.
  package var earlierMobileID: Secret?

  package init(_ task: Task, number: SubscriberNumber? = nil) {
    self.task = task
    self.number = number
  }
}
