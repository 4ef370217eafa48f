import AuthCore
import RedirectChain
import Web

/// Where Firebase Authentication (Identity Platform) is served.
package struct FirebaseHosts: Hashable, Sendable {
  /// Names of the services in the emulator's paths.
  private static let identityName: StaticString = "identitytoolkit.googleapis.com"
  private static let legacyName: StaticString = "www.googleapis.com"
  private static let tokenName: StaticString = "securetoken.googleapis.com"

  /// Has `/v1/accounts:…`.
  package var identity: Endpoint
  /// Serves `/identitytoolkit/v3/relyingparty/…`, the older form of the same methods.
  package var legacy: Endpoint
  /// Has `/v1/token`.
  package var tokens: Endpoint
  /// Whether it is the auth emulator, which sends no messages, accepts any key and ignores
  /// app-verification tokens.
  package let isEmulator: Bool

  package init(identity: Endpoint, legacy: Endpoint, tokens: Endpoint) {
    self.identity = identity
    self.legacy = legacy
    self.tokens = tokens
    isEmulator = false
  }

  private init(emulator base: String) throws(WebURL.Invalid) {
    identity = try Endpoint("\(base)/\(Self.identityName)")
    legacy = try Endpoint("\(base)/\(Self.legacyName)")
    tokens = try Endpoint("\(base)/\(Self.tokenName)")
    isEmulator = true
  }

  /// Google's own.
  package static let production = FirebaseHosts(
    identity: Endpoint(https: identityName), legacy: Endpoint(https: legacyName), tokens: Endpoint(https: tokenName))

  /// The auth emulator of the Firebase command-line tools: cleartext, with all services below one
  /// address.
  ///
  /// - Parameter address: host and port as in FIREBASE_AUTH_EMULATOR_HOST, for example
  ///   `localhost:9099`.
  /// - Throws: `WebURL.Invalid`.
  package static func emulator(_ address: String) throws(WebURL.Invalid) -> FirebaseHosts {
    guard !address.contains("/") else {
      throw WebURL.Invalid(description: "the emulator is host:port, without a scheme and a path")
    }
    return try FirebaseHosts(emulator: "http://\(address)")
  }
}
