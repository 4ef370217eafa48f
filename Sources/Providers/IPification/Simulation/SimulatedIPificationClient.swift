import OperatorSimulator

/// An application that is registered with the simulated IPification. It includes how it is served,
/// so that one world shows many failures.
package struct SimulatedIPificationClient: Hashable, Sendable {
  /// What goes wrong.
  package enum Failure: String, Hashable, Sendable, CaseIterable {
    /// No network is served.
    case notCovered
    /// Coverage fails with `errorMessage` and 500.
    case coverageError
    /// A portal answers instead of coverage.
    case coveragePortal
    /// The operator shows a page to a person.
    case consentPage
    /// The redirect says `consent_required`.
    case consentRequired
    /// The redirect has `server_error`, without its state.
    case operatorError
    /// The redirect carries another state.
    case wrongState
    /// The authorization request is answered by 429 with Retry-After.
    case rateLimit
    /// The authorization request is answered in plain text.
    case plainText
    /// The redirect has no Location.
    case emptyLocation
    /// The answer leads into a messaging application, by fields of a redirect.
    case messages
    /// The operator does not answer.
    case silentOperator
    /// Codes expire at once.
    case expiredCode
    /// The token's host receives too many requests.
    case tokenRateLimit
    /// The answer is about another number.
    case otherNumber
    /// The subject is anonymous, as after a failed verification.
    case anonymous
    /// The verdict is left out.
    case missingVerdict
  }

  /// How the redirect URI is reached.
  package enum Form: String, Hashable, Sendable, CaseIterable {
    /// By a Location with a query.
    case query
    /// By a Location with a fragment.
    case fragment
    /// As the body of a 200.
    case body
  }

  package var id: String
  package var secret: String
  package var redirectURI: String
  package var failure: Failure?
  package var form = Form.query
  /// Whether the chain ends with an error if its cookie was not kept.
  package var needsCookie = false

  package init(id: String, secret: String, redirectURI: String) {
    self.id = id
    self.secret = secret
    self.redirectURI = redirectURI
  }
}
