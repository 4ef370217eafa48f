import AuthCore
import JSONTree
import ModemModel
import OutsideNumber
import Web

/// An error of MIRACL Trust: `{"error": CODE, "info": …, "context": {…}}`, or in older answers
/// `{"requestID": …, "error": {"code": CODE, "info": …, "context": {…}}}`.
struct MIRACLProblem: Sendable {
  /// Nil if the answer has none.
  let code: String?
  let status: Int
  private let context: JSONValue?
  private let retryAfter: Int?

  init(_ reply: BackendReply) {
    status = reply.status
    retryAfter = reply.retryAfter
    let body = reply.json
    code = body?["error"]?.string ?? body?["error"]?["code"]?.string
    context = body?["context"] ?? body?["error"]?["context"]
  }

  /// Its meaning for an identity that can no longer be used.
  func identityState(at place: MIRACLService.Place) -> MIRACLIdentity.State? {
    switch (code, status, place) {
    case ("REVOKED_MPINID", _, _), ("MPINID_REVOKED", _, _): .revoked
    case ("EXPIRED_MPINID", _, _), ("MPINID_EXPIRED", _, _): .expired
    case (nil, 410, _): .revoked
    case (nil, 409, .authenticate): .expired
    default: nil
    }
  }

  /// The code of a mail or a link was wrong; another may be tried.
  var isWrongCode: Bool { code == "INVALID_VERIFICATION_CODE" || code == "UNSUCCESSFUL_VERIFICATION" }

  /// Its meaning for a flow.
  ///
  /// - Parameter place: the call: older platforms answer with only a status.
  func outcome(of place: MIRACLService.Place?, at now: Timestamp) -> FlowOutcome {
    let (result, text) =
      code.flatMap { Self.meanings[$0] } ?? (code == nil ? Self.meaning(of: status, of: place) : nil)
      ?? Self.meaning(of: status)
    return FlowOutcome(
      result, code: code, status: status, retryAfter: result == .rateLimited ? wait(at: now) : nil, text)
  }

  /// Seconds until it may be asked again: `backoff` is a moment in seconds since 1970.
  private func wait(at now: Timestamp) -> Int? {
    guard let backoff = context?["backoff"]?.seconds else { return retryAfter }
    return RetryDelay.bounded((backoff - OutsideSeconds(now.seconds)).count)
  }

  private static let meanings: [String: (FlowResult, String)] = {
    let backoff: (FlowResult, String) = (.rateLimited, "a mail was sent to this user lately; ask for another one later")
    let verification: (FlowResult, String) = (
      .codeWrong, "the mail's link or code is not the right one, too old or was used; begin again with a new mail"
    )
    let pin: (FlowResult, String) = (
      .pinWrong, "the PIN is not the right one; a few wrong ones revoke the identity, so make sure before trying again"
    )
    let revoked: (FlowResult, String) = (
      .identityRevoked, "the service revoked this identity, as after too many wrong PINs; register the user again"
    )
    let expired: (FlowResult, String) = (.expired, "this identity is too old for the service; register the user again")
    let session: (FlowResult, String) = (
      .expired, "the session is over or was not known to the service; get a new link from the website"
    )
    return [
      "REQUEST_BACKOFF": backoff, "BACKOFF_ERROR": backoff,
      "INVALID_VERIFICATION_CODE": verification, "UNSUCCESSFUL_VERIFICATION": verification,
      "INVALID_ACTIVATION_TOKEN": (
        .expired, "the user's verification is too old, was used or is not known to the service; verify the user again"
      ),
      "UNSUCCESSFUL_AUTHENTICATION": pin, "INVALID_AUTH": pin,
      "REVOKED_MPINID": revoked, "MPINID_REVOKED": revoked,
      "EXPIRED_MPINID": expired, "MPINID_EXPIRED": expired,
      "INVALID_AUTHENTICATION_SESSION": session, "INVALID_AUTH_SESSION": session,
    ]
  }()

  /// Statuses that older platforms send without a code.
  private static func meaning(of status: Int, of place: MIRACLService.Place?) -> (FlowResult, String)? {
    switch (place, status) {
    case (.codeStatus, 404), (.codeStatus, 408), (.codeStatus, 410), (.signingDetails, 404), (.signingSession, 404):
      meanings["INVALID_AUTH_SESSION"]
    case (.signature, 400), (.signature, 401):
      (.codeRequired, "the user has not confirmed the mail; open its link, then register again")
    case (.signature, 408): (.expired, "the registration took too long; begin again")
    case (.authenticate, 401): meanings["INVALID_AUTH"]
    case (.authenticate, 403): (.userRefused, "the service does not let this user in")
    case (.authenticate, 408): meanings["INVALID_AUTH_SESSION"]
    case (.authenticate, 409): meanings["MPINID_EXPIRED"]
    case (.authenticate, 410), (.pass1, 410), (.pass2, 410): meanings["MPINID_REVOKED"]
    default: nil
    }
  }

  private static func meaning(of status: Int) -> (FlowResult, String) {
    switch status {
    case 401, 403: (.clientRefused, "the service refuses this client; look at the project's id and the credentials")
    case 404: (.notConfigured, "the service has no such call; look at api and generation in the provider's file")
    case 429: (.rateLimited, "the service wants to be asked later")
    case 400...499: (.badRequest, "the service refuses the request; its code says why")
    case 500...599: (.providerUnavailable, "the service failed; try again later")
    default: (.badAnswer, "the answer is not one of MIRACL Trust; look at api in the provider's file")
    }
  }
}
