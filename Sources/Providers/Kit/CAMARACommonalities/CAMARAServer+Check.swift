import AuthCore
import AuthFlows
import Web

extension CAMARAServer {
  /// Asks for a token of the client's own (RFC 6749, 4.4), which nothing is asked with.
  package func credentialCheck(scope: String) -> CredentialCheck {
    if case .none = client.authentication { return .notNeeded("the client has neither secret nor key") }
    return .ask { _, run in
      let proof = try await proof(at: run.now)
      let (headers, fields) = proof.token(
        client.id, FormFields(["grant_type": "client_credentials", "scope": scope]))
      let call = BackendCall(
        "checkCredentials", .post, tokenEndpoint, headers: headers + [.accept("application/json")],
        body: .form(fields), route: route)
      return try await run(CredentialMachine(token: call)).outcome
    }
  }
}
