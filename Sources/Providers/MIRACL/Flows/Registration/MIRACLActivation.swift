import AuthCore
import RedirectChain

/// How a user is verified, before an identity is made for them.
public enum MIRACLVerification: Hashable, Sendable {
  /// By a mail of the platform, with a link or a code as the project has it.
  case mail
  /// By this machine, which is the project's own backend and vouches for the user.
  case backend
  /// By a link that is there already: of a mail, or of the project's own way of verification.
  case link(Secret)
  /// By what stands for a verified user: the quick code of another device, or an activation token.
  case activation(Secret)
}

/// What a platform gives for a verified user, and takes for one registration.
public struct MIRACLActivation: Hashable, Sendable {
  let token: Secret
  /// Whether somebody typed it.
  let isTyped: Bool
}

/// What a verification's link holds: who is verified, and the code that proves it.
struct MIRACLVerificationLink: Hashable, Sendable {
  /// Nil where only the code is known.
  let user: MIRACLUser?
  let code: Secret

  /// Reads a link with `user_id` and `code` in its query, or a bare code; nil for anything else.
  init?(_ text: Secret) {
    guard text.revealed.contains("?") || text.revealed.contains("://") else {
      user = nil
      code = text
      return
    }
    guard RedirectURI.doubled(["user_id", "code"], in: text.revealed) == nil else { return nil }
    let parameters = RedirectURI.parameters(of: text.revealed)
    guard let user = parameters["user_id"], !user.isEmpty, let code = parameters["code"], !code.isEmpty else {
      return nil
    }
    self.user = MIRACLUser(user)
    self.code = Secret(code)
  }
}
