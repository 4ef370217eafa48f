import OperatorSimulator

/// A project of the simulated MIRACL platform: an application's, and how it is served. Several projects let one world show many ways
/// to fail.
package struct SimulatedMIRACLProject: Hashable, Sendable {
  /// How the platform finds out that a user is who they say.
  package enum Verification: String, Hashable, Sendable, CaseIterable {
    /// A mail with a link, which has the code in it.
    case link
    /// A mail with a code to type.
    case code
    /// The application's own backend, by a page of its own.
    case custom
  }

  /// The older and the newer form of what the platform says when something is wrong.
  package enum Wording: String, Hashable, Sendable, CaseIterable {
    case current, former
  }

  /// What the page behind a QR code says to the programs that ask it for the service (older clients).
  package enum Landing: String, Hashable, Sendable, CaseIterable {
    case open
    /// 406: the application is not allowed.
    case forbidden
    /// 412: the client's version is too old.
    case deprecated
  }

  package var id: String
  package var name = "Example Shop"
  /// What the application's backend authenticates with.
  package var clientID: String
  package var clientSecret: String
  package var verification = Verification.code
  /// 4 to 6.
  package var pinLength = 4
  package var errorBody = Wording.current
  package var errorCodes = Wording.current
  /// The wrong PIN with this number revokes the identity.
  package var wrongPINs = 3
  /// Seconds until an identity expires; nil for never.
  package var identitySeconds: Int?
  /// Seconds for which a verification code is good, and tries that it has.
  package var codeSeconds = 600
  package var codeTries = 3
  /// Seconds until the next mail to an address may be asked for.
  package var backoffSeconds = 60
  /// Seconds for which a website's session is open.
  package var sessionSeconds = 300
  /// Seconds for which a token for an application's backend is good.
  package var tokenSeconds = 60
  package var landing = Landing.open
  package var faults: [MIRACLFault] = []

  package init(id: String, clientID: String, clientSecret: String) {
    self.id = id
    self.clientID = clientID
    self.clientSecret = clientSecret
  }
}
