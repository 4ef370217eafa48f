import FirebaseAPI
import ModemAPI
import ModemctlCore

extension PhoneSignInInterface.SignIn.Reply: FlowReply {
  package var findings: [(String, String?)] { user?.findings ?? [] }

  package func masked() -> Self {
    var reply = self
    reply.user = user?.masked()
    reply.verificationID = Mask.hide(verificationID)
    return reply
  }
}

extension PhoneSignInInterface.Refresh.Reply: FlowReply {
  package var findings: [(String, String?)] { user?.findings ?? [] }

  package func masked() -> Self {
    var reply = self
    reply.user = user?.masked()
    return reply
  }
}

extension PhoneSignInInterface.User {
  fileprivate var findings: [(String, String?)] {
    [
      ("user", user), ("phone number", number), ("new user", isNew.map { $0 ? "yes" : "no" }), ("ID token", idToken),
      ("refresh token", refreshToken), ("good for", expiresIn.map { "\($0) s" }),
    ]
  }

  /// The id only identifies a user within the project and stays; secrets do not.
  fileprivate func masked() -> Self {
    var shown = self
    shown.number = number.map { Mask.number($0) }
    shown.idToken = Mask.hide(idToken)
    shown.refreshToken = Mask.hide(refreshToken)
    shown.temporaryProof = Mask.hide(temporaryProof)
    return shown
  }
}
