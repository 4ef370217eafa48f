import AuthCore

/// The secrets of one authorization request, made for each request.
package struct AuthorizationTicket: Hashable, Sendable {
  /// Ties the redirect to the request (RFC 6749, 10.12).
  package let state: Secret
  /// Ties the ID token to the request (OpenID Connect Core, 3.1.2.1).
  package let nonce: Secret
  /// Ties the exchange of the code to the request (RFC 7636).
  package let verifier: Secret
  /// What is sent instead of the verifier: its SHA-256.
  package let challenge: String

  package init(_ tools: OpenIDTools) {
    // 32 bytes are 43 characters, the shortest that a verifier may have (RFC 7636, 4.1).
    let text = { Base64.encodeURL(tools.random(32)) }
    self.init(state: text(), nonce: text(), verifier: text(), tools)
  }

  /// Takes existing secrets.
  package init(state: String, nonce: String, verifier: String, _ tools: OpenIDTools) {
    self.state = Secret(state)
    self.nonce = Secret(nonce)
    self.verifier = Secret(verifier)
    challenge = Base64.encodeURL(tools.sha256(Array(verifier.utf8)))
  }
}
