import AuthCore

/// What a caller wants of IPification, and what only the caller knows.
public struct IPificationQuestion: Hashable, Sendable {
  public enum Task: Hashable, Sendable {
    /// Whether the operator of the bearer's address is served; with a number also whether it is that operator's.
    case coverage
    /// An authorization code for the application's own backend.
    case authorize
    /// Coverage, authorization, and what they lead to.
    case verify
  }

  public var task: Task
  public var number: SubscriberNumber?
  /// Nil for the configured one.
  public var scope: [String]?
  /// Nil for a generated one.
  public var state: Secret?
  /// Nil for none, or a generated one where this machine reads the ID token itself.
  public var nonce: Secret?
  /// Nil for the configured ones.
  public var locales: [String]?
  /// Nil for the configured ones.
  public var channels: [String]?
  /// A signed request (OpenID Connect Core, 6.1) that is passed on as it is.
  public var requestObject: Secret?
  /// The `mobile_id` of an earlier answer: the operator gives another one after a change of SIM or device.
  public var earlierMobileID: Secret?

  public init(_ task: Task, number: SubscriberNumber? = nil) {
    self.task = task
    self.number = number
  }
}
