import AuthCore
import AuthFlows
import JSONTree
import ModemModel
import Web

/// How an operator token becomes an access token (CAMARA's Security and Interoperability Profile).
package enum OperatorTokenGrant: Hashable, Sendable {
  /// By an assertion of the client about it, which also proves the client (RFC 7523, 2.1).
  case jwtBearer
  /// As the hint of a backchannel request in poll mode (CIBA), at this URL.
  case backchannel(WebURL)
}

extension CAMARAServer {
  /// The form of an operator token in claims and hints.
  private static let prefix = "operatortoken:"
  /// TS.43 names no limit; tokens of this kind are below 4 kB.
  private static let longestToken = 4096

  /// What spends an operator token: once, for one flow.
  ///
  /// - Parameters:
  ///   - token: opaque to everybody but its operator.
  ///   - scope: with exactly one purpose.
  /// - Throws: `AuthError` if the client has no key where one is needed, or it cannot sign, and for
  ///   a token of a length that no operator gives.
  package func grant(
    _ grant: OperatorTokenGrant, spending token: OperatorToken, scope: String, at now: Timestamp
  ) async throws(AuthError) -> CAMARAAccess.Grant {
    guard (1...Self.longestToken).contains(token.secret.revealed.utf8.count) else {
      throw AuthError(
        .notConfigured, "the operator token does not have 1 to \(Self.longestToken) bytes; ask the operator")
    }
    let subject = Secret(Self.prefix + token.secret.revealed)
    switch grant {
    case .jwtBearer: return .assertion(try await assertion(about: subject, scope: scope, at: now))
    case .backchannel(let endpoint):
      // The last question is asked no later than this.
      let time = max(assertionTime, Int(authorizationTime.components.seconds))
      var proofs: [ClientProof] = []
      for _ in 0..<BackchannelTicket.polls {
        proofs.append(try await client.proof(for: tokenEndpoint, lifetime: time, tools, at: now))
      }
      return .backchannel(
        BackchannelTicket(
          at: endpoint, hint: subject,
          proof: try await client.proof(for: endpoint, lifetime: assertionTime, tools, at: now), pollProofs: proofs))
    }
  }

  /// The client's assertion about a subscriber. The scope is a claim, and never a field of the
  /// form.
  private func assertion(
    about subject: Secret, scope: String, at now: Timestamp
  ) async throws(AuthError) -> Secret {
    guard case .signature(let signer, let audience) = client.authentication else {
      throw AuthError(
        .notConfigured,
        "jwtBearer needs a client that signs; give the credential client-key, and register its public key")
    }
    let seconds = Int(now.milliseconds / 1000)
    return try await signer.sign(
      .object([
        "iss": .string(client.id), "sub": .string(subject.revealed),
        "aud": .string(audience ?? tokenEndpoint.text), "jti": .string(Base64.encodeURL(tools.random(16))),
        "iat": .int(seconds), "exp": .int(seconds + min(max(assertionTime, 1), OpenIDClient.assertionTime)),
        // An assertion asks for no ID token.
        "scope": .string(scope.split(separator: " ").filter { $0 != "openid" }.joined(separator: " ")),
      ]))
  }
}
