import MPin
import ModemModel
import OperatorSimulator

/// A website's session, or one in which a document is to be signed.
struct MIRACLSession: Sendable {
  enum Status: String, Hashable, Sendable {
    case new, wid, user, authenticated, abort, signed
  }

  /// What is to be signed.
  struct Document: Hashable, Sendable {
    /// Hexadecimal digits.
    var hash: String
    var description: String
  }

  var projectID: String
  /// The only user who may take it; nil for any.
  var expectedUser: String?
  var document: Document?
  var status = Status.new
  /// Who was chosen, and then who logged in.
  var userID: String?
  /// The signature's JSON, once it is there.
  var signature: String?
  var end: Timestamp

  /// Whether nobody has logged in, signed or given up.
  var isUnanswered: Bool { [.new, .wid, .user].contains(status) }

  /// Whether somebody may still do so.
  func isOpen(at now: Timestamp) -> Bool { isUnanswered && now.milliseconds < end.milliseconds }
}

/// A code that shows that a user is who they say.
struct MIRACLVerification: Sendable {
  var projectID: String
  var userID: String
  var code: String
  /// The website's session that it began in.
  var accessID: String?
  /// Of the device that asked; nil where it said none.
  var deviceTag: String?
  var end: Timestamp
  var triesLeft: Int
}

/// What an activation token, or one for renewal, is good for.
struct MIRACLActivation: Sendable {
  var projectID: String
  var userID: String
  var deviceTag: String?
  /// Whether it is for a new secret of somebody who is registered.
  var isRenewal = false
  var end: Timestamp
}

/// A registered client, by its M-Pin id in hexadecimal digits.
struct MIRACLIdentity: Sendable {
  var projectID: String
  var userID: String
  var deviceName: String
  var deviceTag: String?
  /// Which of the platform's secrets its own came from.
  var generation: String
  var dtas: String
  var issued: Timestamp
  /// Nil until the client has sent its public key.
  var mpin: MPinIdentity?
  /// The older registration's one-time token; nil in the newer.
  var registrationToken: String?
  /// The code of the mail that must be followed first; nil where nothing is missing.
  var awaitedCode: String?
  var wrongPINs = 0
  var isRevoked = false
}

/// A login under way.
struct MIRACLPass: Sendable {
  var mpinID: String
  var commitment: G1Point
  var challenge: ServerChallenge
  var scope: String
  var proof: G1Point?
  var accessID: String?
}

/// What the platform keeps.
struct MIRACLRecords: Sendable {
  var sessions: [String: MIRACLSession] = [:]
  /// Access ids by the website's one-time token.
  var accessIDs: [String: String] = [:]
  var verifications: [MIRACLVerification] = []
  /// Whose mail may be asked for again when, by project and user.
  var backoffs: [[String]: Timestamp] = [:]
  var activations: [String: MIRACLActivation] = [:]
  var identities: [String: MIRACLIdentity] = [:]
  /// M-Pin ids by the token of the addresses of their shares.
  var shares: [String: String] = [:]
  /// Logins behind pass 1, by M-Pin id.
  var passes: [String: MIRACLPass] = [:]
  /// Logins behind pass 2, by one-time token.
  var answered: [String: MIRACLPass] = [:]
  /// Ids of the tokens for quick codes that were used.
  var quickCodeTokens: Set<String> = []
  /// How many calls came to each fault, by project.
  var faultCounts: [String: [MIRACLFault: Int]] = [:]
}
