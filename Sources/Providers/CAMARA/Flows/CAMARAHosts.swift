import AuthCore
import RedirectChain
import Web
import AuthFlows
import CAMARACommonalities

/// Where known front ends of CAMARA are, and what they do differently: the only place with names of a vendor's hosts.
package enum CAMARAFrontEnd: String, Hashable, Sendable, CaseIterable {
  /// Telefónica Open Gateway's sandbox.
  case telefonica

  /// The base URL of `/authorize`, `/token` and the APIs.
  var root: Endpoint {
    switch self {
    case .telefonica: Endpoint(https: "sandbox.opengateway.telefonica.com", path: "/apigateway")
    }
  }

  /// The front end's own settings for a client. The redirect URI must belong to the backend there.
  ///
  /// - Parameter redirectURI: as registered.
  package func settings(client: OpenIDClient, redirectURI: WebURL?, _ tools: OpenIDTools) -> CAMARASettings {
    var settings = CAMARASettings(
      CAMARAServer(
        root: root, authorizationEndpoint: root.appending("/authorize"), tokenEndpoint: root.appending("/token"),
        client: client, tools))
    switch self {
    case .telefonica:
      settings.scopeForm = .purposeAndName
      settings.server.redirect = redirectURI.map { .fetched($0) }
    }
    return settings
  }
}
