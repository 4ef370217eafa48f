import OperatorSimulator

/// An application that is registered with the simulated CAMARA operator, and its failures.
package struct SimulatedCAMARAClient: Hashable, Sendable {
  /// How it must authenticate at the token endpoint.
  package enum Proof: Hashable, Sendable {
    case secret(String)
    /// PEM of a public key on P-256: assertions are signed with ES256.
    case key(String)
    case none
  }

  /// What happens to an authorization request instead of a code.
  package enum Page: Hashable, Sendable {
    /// A redirect with this error.
    case error(String)
    /// A page of HTML, as for consent.
    case html
    /// Another state than was sent.
    case otherState
    /// The cleartext hop never answers.
    case silence
  }

  /// An API's answer instead of its own.
  package struct Refusal: Hashable, Sendable {
    package var status: Int
    package var code: String
    /// Seconds.
    package var retryAfter: Int?

    package init(status: Int, code: String, retryAfter: Int? = nil) {
      self.status = status
      self.code = code
      self.retryAfter = retryAfter
    }
  }

  package var id: String
  package var proof: Proof
  package var redirectURI: String
  package var page: Page?
  package var tokenRefusal: Refusal?
  package var refusal: Refusal?
  /// What `/bc-authorize` answers instead.
  package var hintRefusal: Refusal?
  /// With CIBA: polls that come too soon, the seconds between two, how long the answer can be asked
  /// for, and the word of an error in place of a token.
  package var pendingPolls = 1
  package var pollSeconds = 1
  package var pollEndSeconds = 120
  package var pollError: String?
  /// How long codes and tokens are valid; nothing is late by itself in a simulated world.
  package var codeSeconds = 60
  package var tokenSeconds = 300
  /// Whether an authorization request must carry a challenge.
  package var needsPKCE = true
  /// Days for which changes of SIM are watched; nil to leave that out.
  package var monitoredDays: Int?
  /// The field with the answer to a check of SIM changes.
  package var swapName = "swapped"

  package init(id: String, proof: Proof, redirectURI: String) {
    self.id = id
    self.proof = proof
    self.redirectURI = redirectURI
  }
}
