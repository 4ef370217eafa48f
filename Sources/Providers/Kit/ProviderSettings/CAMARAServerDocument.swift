import AuthCore
import AuthFlows
import CAMARACommonalities
import RedirectChain
import SettingsFile
import TokenSigning
import Web

/// The part of a provider's file about an operator's authorization server and the client that is
/// registered there. It is the same for all of CAMARA's APIs, whose documents read it from the same
/// file. The client's secret is the credential
/// `NAME.client-secret` or `NAME.client-key`.
package struct CAMARAServerDocument: Decodable {
  /// The https URL under which the APIs are.
  ///
  /// - Default: that of `frontEnd`, else it is needed
  /// - Example: `"https://api.operator.example"`
  package var root: String?
  /// The https URL of authorizations. It is needed for everything that goes over the bearer.
  ///
  /// - Default: that of `frontEnd`
  /// - Example: `"https://auth.operator.example/authorize"`
  package var authorizationEndpoint: String?
  /// The https URL where tokens are given.
  ///
  /// - Default: that of `frontEnd`, else it is needed
  /// - Example: `"https://auth.operator.example/token"`
  package var tokenEndpoint: String?
  /// The client id of the registration.
  ///
  /// - Default: none: it is needed
  /// - Example: `"app-1"`
  package var clientID: String?
  /// How the client proves itself: secretBasic or secretPost with the credential
  /// NAME.client-secret, privateKey with NAME.client-key, or none.
  ///
  /// - Default: what fits the credential that exists
  /// - Example: `"privateKey"`
  package var clientAuthentication: String?
  /// The algorithm of privateKey: RS256, PS256, ES256, or HS256 with a shared key.
  ///
  /// - Default: `"RS256"`
  /// - Example: `"ES256"`
  package var keyAlgorithm: String?
  /// The key's id (kid).
  ///
  /// - Default: none
  /// - Example: `"key-1"`
  package var keyID: String?
  /// For whom the client signs (aud).
  ///
  /// - Default: the token endpoint
  /// - Example: `"https://auth.operator.example"`
  package var assertionAudience: String?
  /// How long the client's signature counts, in seconds, 1 to 300.
  ///
  /// - Default: `240`
  /// - Example: `60`
  package var assertionSeconds: Int?
  /// The redirect URI of the registration. It is never fetched, unless `redirectIsBackend` is true.
  ///
  /// - Default: that of `frontEnd`
  /// - Example: `"https://app.example/back"`
  package var redirectURI: String?
  /// Whether the redirect URI belongs to the backend, which is then fetched over the bearer and
  /// answers for itself.
  ///
  /// - Default: that of `frontEnd`, else `false`
  /// - Example: `true`
  package var redirectIsBackend: Bool?
  /// A term of the Data Privacy Vocabulary, in letters.
  ///
  /// - Default: `"FraudPreventionAndDetection"`
  /// - Example: `"FraudPreventionAndDetection"`
  package var purpose: String?
  /// Whether the authorization is bound to its code by PKCE (RFC 7636).
  ///
  /// - Default: `true`
  /// - Example: `false`
  package var pkce: Bool?
  /// Whether the operator is told to ask nobody (prompt=none).
  ///
  /// - Default: `true`
  /// - Example: `false`
  package var promptNone: Bool?
  /// The network for calls whose source address proves nothing: host or bearer.
  ///
  /// - Default: `"host"`
  /// - Example: `"bearer"`
  package var route: String?
  /// How long an authorization may take, in seconds, 1 to 300.
  ///
  /// - Default: `60`
  /// - Example: `30`
  package var authorizationSeconds: Int?
}

extension CAMARAServerDocument {
  /// Reads the client.
  ///
  /// - Parameter secrets: the provider's credentials.
  package func client(_ secrets: ProviderSecrets) throws(SettingsError) -> OpenIDClient {
    guard let clientID, !clientID.isEmpty else {
      throw SettingsError(key: "clientID", expected: "the client id of the registration")
    }
    return OpenIDClient(id: clientID, try authentication(secrets))
  }

  /// Reads the server.
  ///
  /// - Parameter known: a front end's values for what the file leaves out.
  package func server(
    _ client: OpenIDClient, _ tools: OpenIDTools, known: CAMARAServer? = nil
  ) throws(SettingsError) -> CAMARAServer {
    let root = try SettingsError.endpoint(root, "root")
    if let root, root.url.scheme != .https { throw SettingsError(key: "root", expected: "an https URL") }
    let authorization = try Self.url(authorizationEndpoint, "authorizationEndpoint")
    let token = try Self.url(tokenEndpoint, "tokenEndpoint")
    guard let root = root ?? known?.root else {
      throw SettingsError(key: "root", expected: "the https URL under which the APIs are")
    }
    guard let token = token ?? known?.tokenEndpoint else {
      throw SettingsError(key: "tokenEndpoint", expected: "the https URL where tokens are given")
    }
    var server =
      known ?? CAMARAServer(root: root, authorizationEndpoint: nil, tokenEndpoint: token, client: client, tools)
    server.root = root
    server.tokenEndpoint = token
    server.authorizationEndpoint = authorization ?? server.authorizationEndpoint
    server.redirect = try redirect(server.redirect)
    try applyOptions(to: &server)
    return server
  }

  /// A value that must be an https URL.
  package static func url(_ text: String?, _ key: String) throws(SettingsError) -> WebURL? {
    guard let text else { return nil }
    guard let url = try? WebURL(text), url.scheme == .https else {
      throw SettingsError(key: key, expected: "an https URL")
    }
    return url
  }

  private func redirect(_ own: CAMARAServer.Redirect?) throws(SettingsError) -> CAMARAServer.Redirect? {
    guard let redirectURI else { return own }
    if redirectIsBackend ?? own?.isFetched ?? false {
      return try Self.url(redirectURI, "redirectURI").map { .fetched($0) }
    }
    guard let uri = try? RedirectURI(redirectURI) else {
      throw SettingsError(key: "redirectURI", expected: "the redirect URI of the registration")
    }
    return .intercepted(uri, text: redirectURI)
  }

  private func applyOptions(to server: inout CAMARAServer) throws(SettingsError) {
    server.usesPKCE = pkce ?? server.usesPKCE
    server.promptsNone = promptNone ?? server.promptsNone
    server.route = try SettingsError.word(route, "route") ?? server.route
    server.assertionTime =
      try SettingsError.number(assertionSeconds, "assertionSeconds", 1...300) ?? server.assertionTime
    if let seconds = try SettingsError.number(authorizationSeconds, "authorizationSeconds", 1...300) {
      server.authorizationTime = .seconds(seconds)
    }
    guard let purpose else { return }
    guard !purpose.isEmpty, purpose.utf8.allSatisfy({ (0x41...0x5a).contains($0 & 0xdf) }) else {
      throw SettingsError(key: "purpose", expected: "a term of the Data Privacy Vocabulary, in letters")
    }
    server.purpose = purpose
  }

  private func authentication(_ secrets: ProviderSecrets) throws(SettingsError) -> OpenIDClient.Authentication {
    let secret = try secrets.text("client-secret")
    let key = try secrets.text("client-key")
    let way: ClientAuthentication =
      try SettingsError.word(clientAuthentication, "clientAuthentication")
      ?? (key != nil ? .privateKey : secret != nil ? .secretBasic : .none)
    switch way {
    case .none: return .none
    case .secretBasic: return .basic(try Self.needed(secret, "client-secret"))
    case .secretPost: return .post(try Self.needed(secret, "client-secret"))
    case .privateKey:
      let algorithm: SigningKey.Algorithm = try SettingsError.word(keyAlgorithm, "keyAlgorithm") ?? .rs256
      let text = try Self.needed(key, "client-key")
      do throws(AuthError) {
        return .signature(try SigningKey(text, algorithm, id: keyID), audience: assertionAudience)
      } catch {
        throw SettingsError(.wrongValue, "the credential client-key does not fit: \(error.message)")
      }
    }
  }

  private static func needed(_ secret: Secret?, _ name: String) throws(SettingsError) -> Secret {
    guard let secret else {
      throw SettingsError(
        .wrongValue, "clientAuthentication needs the credential \(name) of this provider", key: "clientAuthentication")
    }
    return secret
  }
}

/// How a client proves itself at the token endpoint.
private enum ClientAuthentication: String, CaseIterable {
  case none, secretBasic, secretPost, privateKey
}
