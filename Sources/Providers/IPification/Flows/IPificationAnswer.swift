import AuthCore
import JSONTree

/// The results of IPification besides the outcome.
package struct IPificationAnswer: Hashable, Sendable {
  /// An answer that leads into a messaging application.
  package struct MessageFallback: Hashable, Sendable {
    package var session: Secret
    /// Where to ask about the session.
    package var endpoint: Secret?
    /// By channel: `wa`, `telegram`, `viber`.
    package var links: [String: Secret]

    package init(session: Secret, endpoint: Secret? = nil, links: [String: Secret] = [:]) {
      self.session = session
      self.endpoint = endpoint
      self.links = links
    }
  }

  /// The operator's code in the coverage answer.
  package var operatorCode: String?
  /// Used once, and soon expired.
  package var code: Secret?
  package var state: Secret?
  package var nonce: Secret?
  /// The complete URI at which the chain ended.
  package var redirect: Secret?
  package var subject: Secret?
  /// With the scope `ip:phone`.
  package var number: SubscriberNumber?
  /// With the scope `ip:mobile_id`: the operator's hash of number, SIM and device.
  package var mobileID: Secret?
  package var idToken: Secret?
  package var messageFallback: MessageFallback?
  /// What the app's own server answered, if it decided: an object.
  package var serverAnswer: JSONValue?

  package init() {}
}
