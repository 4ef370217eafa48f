/// A project of the simulated MIRACL platform: an application's, and how it is served. Several projects let one world show many ways
/// to fail.
public struct SimulatedMIRACLProject: Hashable, Sendable {
  /// How the platform finds out that a user is who they say.
  public enum Verification: String, Hashable, Sendable, CaseIterable {
    /// A mail with a link, which has the code in it.
    case link
    /// A mail with a code to type.
    case code
    /// The application's own backend, by a page of its own.
    case custom
  }

  /// The older and the newer form of what the platform says when something is wrong.
  public enum Wording: String, Hashable, Sendable, CaseIterable {
    case current, former
  }

  /// What the page behind a QR code says to the programs that ask it for the service (older clients).
  public enum Landing: String, Hashable, Sendable, CaseIterable {
    case open
    /// 406: the application is not allowed.
    case forbidden
    /// 412: the client's version is too old.
    case deprecated
  }

  public var id: String
  public var name = "Example Shop"
  /// What the application's backend authenticates with.
  public var clientID: String
  public var clientSecret: String
  public var verification = Verification.code
  /// 4 to 6.
  public var pinLength = 4
  public var errorBody = Wording.current
  public var errorCodes = Wording.current
  /// The wrong PIN with this number revokes the identity.
  public var wrongPINs = 3
  /// Seconds until an identity expires; nil for never.
  public var identitySeconds: Int?
  /// Seconds for which a verification code is good, and tries that it has.
  public var codeSeconds = 600
  public var codeTries = 3
  /// Seconds until the next mail to an address may be asked for.
  public var backoffSeconds = 60
  /// Seconds for which a website's session is open.
  public var sessionSeconds = 300
  /// Seconds for which a token for an application's backend is good.
  public var tokenSeconds = 60
  public var landing = Landing.open
  public var faults: [MIRACLFault] = []

  public init(id: String, clientID: String, clientSecret: String) {
    self.id = id
    self.clientID = clientID
    self.clientSecret = clientSecret
  }
}
