import AuthCore
import RedirectChain
import Web

/// One platform and the addresses of its calls. Identities belong to a platform and a project on
/// it.
package struct MIRACLService: Hashable, Sendable {
  /// What is called.
  enum Place: Hashable, Sendable, CaseIterable {
    case codeStatus, pass1, pass2, authenticate, user, signature, renewal
    case registration, mail, confirmation, verification, quickCode
    case signingDetails, signingSession, signatureCheck

    /// Below the project's URL.
    ///
    /// - Parameter prefix: `rps`, unless a landing page gives another.
    func path(_ prefix: String) -> String {
      switch self {
      case .codeStatus: "/\(prefix)/v2/codeStatus"
      case .pass1: "/\(prefix)/v2/pass1"
      case .pass2: "/\(prefix)/v2/pass2"
      case .authenticate: "/\(prefix)/v2/authenticate"
      case .user: "/\(prefix)/v2/user"
      case .signature: "/\(prefix)/v2/signature"
      case .renewal: "/\(prefix)/v2/dvsregister"
      case .registration: "/registration"
      case .mail: "/verification/email"
      case .confirmation: "/verification/confirmation"
      case .verification: "/verification"
      case .quickCode: "/verification/quickcode"
      case .signingDetails: "/dvs/session/details"
      case .signingSession: "/dvs/session"
      case .signatureCheck: "/dvs/verify"
      }
    }
  }

  package let root: Endpoint
  private let prefix: String
  /// The addresses in the platform's settings for clients.
  private var given: [Place: Endpoint] = [:]

  package init(_ root: Endpoint, prefix: String = "rps") {
    self.root = root
    self.prefix = prefix
  }

  /// The platform's name in identities.
  package var name: String { root.appending("").text }

  /// The address of a call.
  ///
  /// - Parameter path: appended to it, already encoded.
  func url(_ place: Place, _ path: String = "", _ query: FormFields = FormFields()) -> WebURL {
    guard let endpoint = given[place] else { return root.appending(place.path(prefix) + path, query) }
    return endpoint.appending(path, query)
  }

  /// The client settings of a platform that was found through a landing page.
  var clientSettings: WebURL { root.appending("/\(prefix)/clientSettings") }

  /// Applies an address from the platform's client settings.
  mutating func set(_ place: Place, _ endpoint: Endpoint) { given[place] = endpoint }
}
