import OperatorSimulator

/// An application that is registered at the exchange and at the operator, and what goes wrong for it.
package struct SimulatedMobileConnectApplication: Hashable, Sendable {
  /// What goes otherwise than it should.
  package enum Fault: String, Hashable, Sendable, CaseIterable {
    // Discovery.
    /// The exchange answers with another correlation id.
    case discoveryCorrelation
    /// The exchange leaves the correlation id out, which is allowed.
    case missingCorrelation
    /// The exchange's links lead to paths that the operator has left; its metadata has the right ones.
    case oldLinks
    /// The exchange names neither metadata nor an issuer.
    case missingMetadata
    /// The operator does not serve its metadata.
    case metadataError

    // Authorization.
    /// The redirect carries another state.
    case state
    /// The redirect carries no state.
    case missingState
    /// The redirect carries another correlation id.
    case correlation
    /// The host in clear does not answer.
    case silentOperator
    /// The operator redirects to itself without end.
    case endless

    // Tokens: each is what an ID token gets wrong.
    case signature
    /// `kid` names no key of the set.
    case unknownKey
    /// `alg` is `none`, and there is no signature.
    case algorithmNone
    /// Signed with HS256 by the client's secret.
    case sharedKey
    case iss
    case aud
    /// Several audiences, this client among them, and `azp` is another.
    case azp
    /// Several audiences, this client among them, without `azp`.
    case missingAzp
    /// Several audiences, this client among them, and `azp` is this client: allowed.
    case severalAudiences
    case nonce
    case missingNonce
    case exp
    case missingExp
    /// Issued, and the user authenticated, longer ago than any `max_age`.
    case iat
    /// Issued tomorrow.
    case futureIat
    case atHash = "at_hash"
    case missingAtHash
    /// A lower level than was asked for.
    case acr
    case missingAcr
    case amr
    case hashedLoginHint = "hashed_login_hint"
    case missingHashedLoginHint
    /// Two parts in place of three.
    case malformedIDToken
    case missingIDToken
    case missingAccessToken
    /// The token answer carries another correlation id.
    case tokenCorrelation
    /// The token endpoint is asked too often.
    case tokenRateLimit
    /// Codes are too old at once.
    case expiredCode

    // Attributes.
    /// Userinfo and premiuminfo are about another subject.
    case otherSubject
    /// Userinfo and premiuminfo are refused, which only `WWW-Authenticate` says.
    case refusedAttributes
    /// Where attributes come as a JWT, its signature is wrong.
    case attributeSignature
  }

  /// The operator's `client_id`.
  package var id: String
  /// The operator's `client_secret`.
  package var secret: String
  /// What authenticates it at the exchange, distinct from the operator's.
  package var exchangeID: String
  package var exchangeSecret: String
  package var name = "Example Shop"
  /// Any of them may be `Redirect_URL` and `redirect_uri`.
  package var redirectURIs: [String]
  /// PEM of the RSA key that signs its server-initiated requests; nil where it may make none.
  package var key: String?
  package var faults: Set<Fault> = []
  /// The error with which each authorization ends; nil for none.
  package var refusal: String?
  /// Whether the operator asks the user on a page.
  package var asksConsent = false
  /// Redirects of the operator to itself while it waits for the handset.
  package var waits = 0
  /// Polls of a server-initiated request that find it pending.
  package var polls = 2
  /// Whether userinfo and premiuminfo are JWTs.
  package var answersInTokens = false
  /// Whether `mc_mnv_validate` trusts the login hint where the bearer's number is another.
  package var trustsHint = false
  /// For which codes, and access tokens, are good.
  package var codeSeconds = 60
  package var tokenSeconds = 3600

  package init(id: String, secret: String, exchangeID: String, exchangeSecret: String, redirectURIs: [String]) {
    self.id = id
    self.secret = secret
    self.exchangeID = exchangeID
    self.exchangeSecret = exchangeSecret
    self.redirectURIs = redirectURIs
  }

  func has(_ fault: Fault) -> Bool { faults.contains(fault) }
}
