import AuthCore

/// A caller's question for IPification, and what only the caller knows.
public struct IPificationQuestion: Hashable, Sendable {
  public enum Task: Hashable, Sendable {
    /// Whether the operator of the bearer's address is served and, with a number, whether the
    /// number is that operator's.
    case coverage
    /// An authorization code for the application's own backend.
    case authorize
    /// Coverage, authorization, and their result.
    case verify
  }

  public var task: Task
  public var number: SubscriberNumber?
  /// Nil for the configured one.
  public var scope: [String]?
  /// Nil for a generated one.
  public var state: Secret?
  /// Nil for none, or for a generated one if this machine reads the ID token itself.
  public var nonce: Secret?
  /// Nil for the configured ones.
  public var locales: [String]?
  /// Nil for the configured ones.
  public var channels: [String]?
  /// A signed request (OpenID Connect Core, 6.1) that is passed on unchanged.
  public var requestObject: Secret?
  /// The `mobile_id` of an earlier answer. It changes with the SIM or device.
  public var earlierMobileID: Secret?

  public init(_ task: Task, number: SubscriberNumber? = nil) {
    self.task = task
    self.number = number
  }
}
