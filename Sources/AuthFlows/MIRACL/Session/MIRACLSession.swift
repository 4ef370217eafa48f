import AuthCore
import JSONTree
import MPin
import RedirectChain

/// A session of a website that waits for somebody to log in, or to sign.
public struct MIRACLSession: Hashable, Sendable {
  /// What a website wants signed.
  public struct Document: Hashable, Sendable {
    public var hash: MIRACLHash
    public var description: String?
  }

  /// The access id, `wid`.
  public let id: Secret
  public let service: MIRACLService
  /// Whom the website expects, `prerollId`; nil for anybody.
  public var user: MIRACLUser?
  public var projectName: String?
  public var logoURL: String?
  /// How many digits its PINs have, 4 to 6; nil where it does not say.
  public var pinLength: Int?
  public var verificationMethod: String?
  public var verificationURL: String?
  public var verificationText: String?
  /// As in `email`, and the word for it.
  public var identityType: String?
  public var identityLabel: String?
  /// Whether a quick code registers a second device; nil where it does not say.
  public var allowsQuickCode: Bool?
  /// Whether a quick code works only for users who were verified; nil where it does not say.
  public var limitsQuickCode: Bool?
  /// Set where something is to be signed.
  public var document: Document?

  /// A session of which nothing is known yet.
  init(id: Secret, service: MIRACLService) {
    self.id = id
    self.service = service
  }

  /// Reads the answer of `codeStatus`.
  ///
  /// - Returns: nil where what is to be signed cannot be read.
  init?(_ details: JSONValue, id: Secret, service: MIRACLService) {
    self.init(id: id, service: service)
    user = details["prerollId"]?.string.map { MIRACLUser($0) }
    projectName = details["projectName"]?.string
    logoURL = details["projectLogoURL"]?.string
    pinLength = details["pinLength"]?.integer.flatMap { MIRACLIdentity.pinLengths.contains($0) ? $0 : nil }
    verificationMethod = details["verificationMethod"]?.string
    verificationURL = details["verificationURL"]?.string
    verificationText = details["verificationCustomText"]?.string
    identityType = details["identityType"]?.string
    identityLabel = details["identityTypeLabel"]?.string
    allowsQuickCode = details["enableRegistrationCode"]?.boolean
    limitsQuickCode = details["limitRegCodeVerified"]?.boolean
    guard let text = details["hash"]?.string else { return }
    guard let hash = MIRACLHash(text) else { return nil }
    document = Document(hash: hash, description: details["description"]?.string)
  }
}
