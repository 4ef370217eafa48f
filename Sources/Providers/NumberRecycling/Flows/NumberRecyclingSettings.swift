import AuthCore
import AuthFlows
import CAMARACommonalities
import Web

/// What is configured of an operator that offers CAMARA's Number Recycling.
package struct NumberRecyclingSettings: ProviderConfiguration {
  package static let kind = "numberRecycling"

  /// Versions of the API that differ in their paths.
  package enum Version: String, Hashable, Sendable, CaseIterable {
    case v0_1 = "v0.1"
    case v0_2 = "v0.2"
    case v0_3 = "v0.3"
  }

  /// The API's scope.
  static let scope = "number-recycling:check"

  package var server: CAMARAServer
  package var version = Version.v0_2
  /// In place of `/number-recycling/VERSION`.
  package var path: String?
  /// Whose token the API is asked with.
  package var token = CAMARATokenChoice.byNumber

  package init(_ server: CAMARAServer) { self.server = server }

  package var configuredURLs: [WebURL] { server.configuredURLs }

  package var otherAbilities: [ProviderAbility] { [.numberRecycling] }

  package func credentialCheck(named name: String) -> CredentialCheck {
    server.credentialCheck(scope: Self.scope)
  }

  var url: WebURL { server.root.appending((path ?? "/number-recycling/\(version.rawValue)") + "/check") }

  func scope(for grant: CAMARAAccess.Grant) -> String {
    grant == .client ? Self.scope : "openid dpv:\(server.purpose) \(Self.scope)"
  }
}
