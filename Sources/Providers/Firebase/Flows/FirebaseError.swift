import AuthCore
import JSONTree
import Web

/// An error of Firebase Authentication: `{"error": {"message": "CODE : detail", "status": …}}`.
struct FirebaseError: Hashable, Sendable {
  /// The text before the first ` : ` if it is a word, else the reason in the details, else the
  /// general `status`.
  let code: String?
  let status: Int
  let retryAfter: Int?

  init(_ reply: BackendReply) {
    status = reply.status
    retryAfter = reply.retryAfter
    let error = reply.json?["error"]
    // The token service can also answer like OAuth, with only the code (RFC 6749, 5.2).
    let message = error?["message"]?.string ?? error?.string
    let word = message.map(Self.code)
    code =
      word.flatMap { Self.isCode($0) ? $0 : nil }
      ?? error?["details"]?.items.lazy.compactMap { $0["reason"]?.string }.first ?? error?["status"]?.string
  }

  /// The detail may hold a number or a key, and is never shown.
  private static func code(_ message: String) -> String {
    let text = Array(message)
    for index in text.indices.dropLast(2) where text[index...].starts(with: " : ") {
      return String(text[..<index])
    }
    return message
  }

  private static func isCode(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5f
          || byte == 0x2d
      }
  }

  /// The code was wrong; another one may be tried in the same session.
  var isWrongCode: Bool { code == "INVALID_CODE" }

  /// Its meaning for a flow.
  var outcome: FlowOutcome {
    let (result, text) = code.flatMap { Self.meanings[$0] } ?? Self.meaning(of: status)
    return FlowOutcome(
      result, code: code, status: status, retryAfter: result == .rateLimited ? retryAfter : nil, text)
  }

  private static let meanings: [String: (FlowResult, String)] = {
    let verification =
      "Firebase did not take the app verification; get a fresh token from the project's own front end and give it with the call"
    let session = "the sign-in's session is not known any more; begin again"
    let key = "Firebase does not take the project's API key; correct the provider's credential"
    let quota = "Firebase sends no more messages at the moment; try again later"
    return [
      "INVALID_PHONE_NUMBER": (
        .badRequest, "Firebase takes the number for none; give it with + and its country's code"
      ),
      "MISSING_PHONE_NUMBER": (.badRequest, "Firebase misses the number; give it with + and its country's code"),
      "MISSING_SESSION_INFO": (.badRequest, "Firebase misses the sign-in's session; begin again"),
      "MISSING_CODE": (.codeRequired, "Firebase misses the code; begin again and give the code of the message"),
      "INVALID_SESSION_INFO": (.expired, session),
      "SESSION_EXPIRED": (.expired, "the code is too old; begin again and give the code of the new message"),
      "INVALID_CODE": (.codeWrong, "the code is not that of the message; begin again with a new message"),
      "INVALID_TEMPORARY_PROOF": (.expired, "the proof of the number is too old or another's; sign in with a code"),
      "CAPTCHA_CHECK_FAILED": (.clientRefused, verification),
      "INVALID_APP_CREDENTIAL": (.clientRefused, verification),
      "MISSING_APP_CREDENTIAL": (.clientRefused, verification),
      "MISSING_CLIENT_IDENTIFIER": (
        .clientRefused,
        "Firebase wants an app verification for numbers that are no test numbers; get a token from the project's own front end and give it with the call"
      ),
      "INVALID_RECAPTCHA_TOKEN": (.clientRefused, verification),
      "MISSING_RECAPTCHA_TOKEN": (.clientRefused, verification),
      "QUOTA_EXCEEDED": (.rateLimited, quota),
      "RESOURCE_EXHAUSTED": (.rateLimited, quota),
      "TOO_MANY_ATTEMPTS_TRY_LATER": (.rateLimited, "Firebase has had too many tries for this number; try again later"),
      "OPERATION_NOT_ALLOWED": (
        .clientRefused, "sign-in by phone, or to this country, is off in the Firebase project; switch it on there"
      ),
      "USER_DISABLED": (.userRefused, "the user's account is disabled in the Firebase project"),
      "UNSUPPORTED_FIRST_FACTOR": (
        .userRefused, "the user's account has a second factor, and a phone number cannot be its first"
      ),
      "PHONE_NUMBER_EXISTS": (.userRefused, "the number belongs to another account; sign in to that one"),
      "PROJECT_DISABLED": (.clientRefused, "the Firebase project is disabled, or has no users of this kind"),
      "UNSUPPORTED_TENANT_OPERATION": (
        .clientRefused, "the tenant has no sign-in by phone; take it out of the settings"
      ),
      "INVALID_TENANT_ID": (.clientRefused, "Firebase does not know the tenant; correct it in the settings"),
      "TENANT_ID_MISMATCH": (
        .clientRefused, "the session or the account is of another tenant; correct it in the settings"
      ),
      "PERMISSION_DENIED": (.clientRefused, key),
      "INVALID_API_KEY": (.clientRefused, key),
      "API_KEY_INVALID": (.clientRefused, key),
      "INVALID_ID_TOKEN": (.expired, "the account's ID token is too old; refresh it and try again"),
      "TOKEN_EXPIRED": (.expired, "the token is too old; sign in again"),
      "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": (.expired, "the account's sign-in is too old; sign in again"),
      "USER_NOT_FOUND": (.userRefused, "the user's account is gone; sign in again"),
      "INVALID_REFRESH_TOKEN": (.expired, "Firebase does not take the refresh token; sign in again"),
      "MISSING_REFRESH_TOKEN": (.badRequest, "Firebase misses the refresh token"),
      "INVALID_GRANT_TYPE": (.badRequest, "Firebase does not take the request for a new token"),
      "invalid_grant": (.expired, "Firebase does not take the refresh token; sign in again"),
    ]
  }()

  private static func meaning(of status: Int) -> (FlowResult, String) {
    switch status {
    case 401, 403: (.clientRefused, "Firebase refuses the project's API key for this call; look at the key's limits")
    case 404: (.badAnswer, "there is no Firebase at the configured host; correct the host")
    case 429: (.rateLimited, "Firebase wants to be asked later")
    case 400...499: (.badRequest, "Firebase refuses the request; its code says why")
    case 500...599: (.providerUnavailable, "Firebase failed; try again later")
    default: (.badAnswer, "the answer is not one of Firebase; look at the configured host")
    }
  }
}
