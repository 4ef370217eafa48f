import AuthCore
import JSONTree
import MPin
import RedirectChain
import Web

/// A website's session that waits for a user to log in or sign.
package struct MIRACLSession: Hashable, Sendable {
  /// What a website wants signed.
  package struct Document: Hashable, Sendable {
    package var hash: MIRACLHash
    package var description: String?
  }

  /// Limit in UTF-8 bytes for a website's description of itself and of the signed content, because
  /// a person must read it before entering the PIN.
  static let mostWords = 1000

  /// The access id, `wid`.
  package let id: Secret
  package let service: MIRACLService
  /// The user that the website expects, `prerollId`; nil for any.
  package var user: MIRACLUser?
  package var projectName: String?
  package var logoURL: String?
  /// The length of its PINs, 4 to 6; nil if it does not give it.
  package var pinLength: Int?
  package var verificationMethod: String?
  package var verificationURL: String?
  package var verificationText: String?
  /// As in `email`, and its label.
  package var identityType: String?
  package var identityLabel: String?
  /// Whether a quick code registers a second device; nil if it does not say.
  package var allowsQuickCode: Bool?
  /// Whether a quick code only works for verified users; nil if it does not say.
  package var limitsQuickCode: Bool?
  /// Set if something must be signed.
  package var document: Document?

  /// A session about which nothing is known yet.
  init(id: Secret, service: MIRACLService) {
    self.id = id
    self.service = service
  }

  /// Reads the answer of `codeStatus`.
  ///
  /// - Returns: nil if the content to sign cannot be read.
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
  /// Why a description cannot be shown for signing; nil if it can. A truncated one could have
  /// another meaning.
  static func unreadable(_ description: String?, _ reply: BackendReply) -> FlowOutcome? {
    guard let count = description?.utf8.count, count > MIRACLSession.mostWords else { return nil }
    return FlowOutcome(
      .badAnswer, status: reply.status,
      "the website's description of what is to be signed has \(count) bytes, and at most \(MIRACLSession.mostWords) can be shown; nothing was signed"
    )
  }
}
