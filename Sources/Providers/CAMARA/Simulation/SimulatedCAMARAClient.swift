/// An application that is registered at the simulated CAMARA operator, and what goes wrong for it.
public struct SimulatedCAMARAClient: Hashable, Sendable {
  /// How it must prove itself at the token endpoint.
  public enum Proof: Hashable, Sendable {
    case secret(String)
    /// PEM of a public key on P-256: assertions are signed with ES256.
    case key(String)
    case none
  }

  /// What becomes of an authorization request in place of a code.
  public enum Page: Hashable, Sendable {
    /// A redirect with this error.
    case error(String)
    /// A page of HTML, as for consent.
    case html
    /// Another state than was sent.
    case otherState
    /// The hop in clear never answers.
    case silence
  }

  /// What an API answers in place of its own answer.
  public struct Refusal: Hashable, Sendable {
    public var status: Int
    public var code: String
    /// Seconds.
    public var retryAfter: Int?

    public init(status: Int, code: String, retryAfter: Int? = nil) {
      self.status = status
      self.code = code
      self.retryAfter = retryAfter
    }
  }

  public var id: String
  public var proof: Proof
  public var redirectURI: String
  public var page: Page?
  public var tokenRefusal: Refusal?
  public var refusal: Refusal?
  /// For which codes, and tokens, are good; nothing is late by itself in a simulated world.
  public var codeSeconds = 60
  public var tokenSeconds = 300
  /// Whether an authorization request must carry a challenge.
  public var needsPKCE = true
  /// Days for which changes of SIM are watched; nil to leave that out.
  public var monitoredDays: Int?
  /// The name of the answer to a check of SIM changes.
  public var swapName = "swapped"

  public init(id: String, proof: Proof, redirectURI: String) {
    self.id = id
    self.proof = proof
    self.redirectURI = redirectURI
  }
}
