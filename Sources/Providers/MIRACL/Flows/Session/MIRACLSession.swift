import AuthCore
import JSONTree
import MPin
import RedirectChain
import Web

/// A session of a website that waits for somebody to log in, or to sign.
public struct MIRACLSession: Hashable, Sendable {
  /// What a website wants signed.
  public struct Document: Hashable, Sendable {
    public var hash: MIRACLHash
    public var description: String?
  }

  /// Bytes of UTF-8 of what a website says about itself and about what is to be signed: a person is to read it before the PIN.
  static let mostWords = 1000

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
    projectName = details["projectName"]?.string.flatMap { $0.utf8.count <= Self.mostWords ? $0 : nil }
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

extension FlowOutcome {
  /// Why a description cannot be signed for; nil where it can. A part of it would say something else.
  static func unreadable(_ description: String?, _ reply: BackendReply) -> FlowOutcome? {
    guard let count = description?.utf8.count, count > MIRACLSession.mostWords else { return nil }
    return FlowOutcome(
      .badAnswer, status: reply.status,
      "the website's description of what is to be signed has \(count) bytes, and at most \(MIRACLSession.mostWords) can be shown; nothing was signed"
    )
  }
}
