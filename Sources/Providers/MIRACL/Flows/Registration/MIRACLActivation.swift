import AuthCore
import RedirectChain

/// How to verify a user before an identity is made.
package enum MIRACLVerification: Hashable, Sendable {
  /// By a mail of the platform, with a link or a code, as the project is set up.
  case mail
  /// By this machine, as the project's own backend.
  case backend
  /// By an existing link, from a mail or from the project's own way of verification.
  case link(Secret)
  /// By proof of a verified user: the quick code of another device, or an activation token.
  case activation(Secret)
}

/// The platform's token for a verified user, good for one registration.
package struct MIRACLActivation: Hashable, Sendable {
  let token: Secret
  /// Whether somebody typed it.
  let isTyped: Bool
}

/// The content of a verification link: the verified user, and the code that proves it.
struct MIRACLVerificationLink: Hashable, Sendable {
  /// Nil if only the code is known.
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
