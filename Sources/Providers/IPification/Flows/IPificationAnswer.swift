import AuthCore

/// The results of IPification besides the outcome.
public struct IPificationAnswer: Hashable, Sendable {
  /// An answer that leads into a messaging application.
  public struct MessageFallback: Hashable, Sendable {
    public var session: Secret
    /// Where to ask about the session.
    public var endpoint: Secret?
    /// By channel: `wa`, `telegram`, `viber`.
    public var links: [String: Secret]

    public init(session: Secret, endpoint: Secret? = nil, links: [String: Secret] = [:]) {
      self.session = session
      self.endpoint = endpoint
      self.links = links
    }
  }

  /// The operator's code in the coverage answer.
  public var operatorCode: String?
  /// Used once, and soon expired.
  public var code: Secret?
  public var state: Secret?
  public var nonce: Secret?
  /// The complete URI at which the chain ended.
  public var redirect: Secret?
  public var subject: Secret?
  /// With the scope `ip:phone`.
  public var number: SubscriberNumber?
  /// With the scope `ip:mobile_id`: the operator's hash of number, SIM and device.
  public var mobileID: Secret?
  public var idToken: Secret?
  public var messageFallback: MessageFallback?

  public init() {}
}
