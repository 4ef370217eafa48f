import OperatorSimulator

/// An application that is registered with the simulated IPification. How it is served is part of it, so that one world shows many
/// ways to fail.
package struct SimulatedIPificationClient: Hashable, Sendable {
  /// What goes otherwise than it should.
  package enum Failure: String, Hashable, Sendable, CaseIterable {
    /// No network is served.
    case notCovered
    /// Coverage fails with `errorMessage` and 500.
    case coverageError
    /// A portal stands in place of coverage.
    case coveragePortal
    /// The operator shows a page to a person.
    case consentPage
    /// The redirect says `consent_required`.
    case consentRequired
    /// The redirect says `server_error`, without its state.
    case operatorError
    /// The redirect carries another state.
    case wrongState
    /// The authorization request is answered by 429 with Retry-After.
    case rateLimit
    /// The authorization request is answered in plain text.
    case plainText
    /// The redirect has no Location.
    case emptyLocation
    /// The answer leads into an application for messages, by fields of a redirect.
    case messages
    /// The operator does not answer.
    case silentOperator
    /// Codes are too old at once.
    case expiredCode
    /// The token's host is asked too often.
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
  /// Whether the chain ends with an error for who does not keep its cookie.
  package var needsCookie = false

  package init(id: String, secret: String, redirectURI: String) {
    self.id = id
    self.secret = secret
    self.redirectURI = redirectURI
  }
}
