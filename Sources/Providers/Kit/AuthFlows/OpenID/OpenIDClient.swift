import AuthCore
import JSONTree
import ModemModel
import RedirectChain
import Web

/// A client registered with an OpenID provider, and how it authenticates.
package struct OpenIDClient: Sendable {
  /// How it authenticates itself (OpenID Connect Core, 9).
  package enum Authentication: Sendable {
    /// It has no secret.
    case none
    /// `client_secret_basic`
    case basic(Secret)
    /// `client_secret_post`
    case post(Secret)
    /// `private_key_jwt`, or `client_secret_jwt` with a shared key. If the audience is nil, it is
    /// the token endpoint.
    case signature(any ClaimsSigner, audience: String?)
  }

  /// The longest validity of an assertion (CAMARA's security profile).
  package static let assertionTime = 300

  package var id: String
  package var authentication: Authentication

  package init(id: String, _ authentication: Authentication) {
    self.id = id
    self.authentication = authentication
  }

  /// The client's proof in one request to the token endpoint.
  ///
  /// - Parameters:
  ///   - lifetime: of an assertion, 1 to 300 seconds.
  ///   - now: the start of an assertion's validity.
  /// - Throws: `AuthError` if the key cannot sign.
  package func proof(
    for endpoint: WebURL, lifetime: Int = 240, _ tools: OpenIDTools, at now: Timestamp
  ) async throws(AuthError) -> ClientProof {
    switch authentication {
    case .none: return .none
    case .basic(let secret): return .basic(secret)
    case .post(let secret): return .post(secret)
    case .signature(let signer, let audience):
      let seconds = Int(now.milliseconds / 1000)
      return .assertion(
        try await signer.sign(
          .object([
            "iss": .string(id), "sub": .string(id), "aud": .string(audience ?? endpoint.text),
            "jti": .string(Base64.encodeURL(tools.random(16))), "iat": .int(seconds),
            "exp": .int(seconds + min(max(lifetime, 1), Self.assertionTime)),
          ])))
    }
  }
}

/// A client's proof in one request.
package enum ClientProof: Hashable, Sendable {
  case none
  case basic(Secret)
  case post(Secret)
  /// A signed token that identifies the client (RFC 7523).
  case assertion(Secret)

  /// Fields and headers of a token request.
  package func token(_ id: String, _ fields: FormFields) -> (headers: [WebHeader], fields: FormFields) {
    var fields = fields
    switch self {
    case .none: fields.add("client_id", id)
    case .basic(let secret):
      // Both are encoded as in a form first (RFC 6749, 2.3.1).
      return ([.basic(FormFields.encode(id), Secret(FormFields.encode(secret.revealed)))], fields)
    case .post(let secret):
      fields.add("client_id", id)
      fields.add("client_secret", secret.revealed)
    case .assertion(let token):
      fields.add("client_id", id)
      fields.add("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
      fields.add("client_assertion", token.revealed)
    }
    return ([], fields)
  }
}
