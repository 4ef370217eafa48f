import FirebaseAPI
import ModemAPI

extension PhoneSignInInterface.SignIn.Reply: FlowReply {
  var findings: [(String, String?)] { user?.findings ?? [] }

  func masked() -> Self {
    var reply = self
    reply.user = user?.masked()
    return reply
  }
}

extension PhoneSignInInterface.Refresh.Reply: FlowReply {
  var findings: [(String, String?)] { user?.findings ?? [] }

  func masked() -> Self {
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

  /// The id names a user within the project alone and stays; what opens a door does not.
  fileprivate func masked() -> Self {
    var shown = self
    shown.number = number.map { Mask.digits($0, readable: 2) }
    shown.idToken = idToken.map { _ in Mask.hidden }
    shown.refreshToken = refreshToken.map { _ in Mask.hidden }
    shown.temporaryProof = temporaryProof.map { _ in Mask.hidden }
    return shown
  }
}
