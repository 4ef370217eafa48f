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
  package var root: String?
  package var authorizationEndpoint: String?
  package var tokenEndpoint: String?
  package var clientID: String?
  package var clientAuthentication: String?
  package var keyAlgorithm: String?
  package var keyID: String?
  package var assertionAudience: String?
  package var assertionSeconds: Int?
  package var redirectURI: String?
  package var redirectIsBackend: Bool?
  package var purpose: String?
  package var pkce: Bool?
  package var promptNone: Bool?
  package var route: String?
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

  /// Refuses a server at which a client can do nothing: without a secret, it gets tokens for codes
  /// alone.
  package static func checkUse(of server: CAMARAServer) throws(SettingsError) {
    guard case .none = server.client.authentication, server.authorizationEndpoint == nil || server.redirect == nil
    else { return }
    throw SettingsError(
      .wrongValue,
      "there is neither a secret nor authorizationEndpoint with redirectURI, so that nothing can be asked; give the credential client-secret or client-key, or add both keys"
    )
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
