import AuthCore
import JSONTree

/// Shows Firebase that a request for a message comes from the project's own app. A front end of the
/// project makes it. Firebase requires one unless the number is one of the project's test numbers
/// (Identity Platform REST, `accounts.sendVerificationCode`).
package enum AppVerification: Hashable, Sendable {
  /// `recaptchaToken`: reCAPTCHA v2, for web.
  case recaptcha(Secret)
  /// `playIntegrityToken`.
  case playIntegrity(Secret)
  /// `safetyNetToken`.
  case safetyNet(Secret)
  /// `iosReceipt` and `iosSecret`, of a silent push message.
  case ios(receipt: Secret, secret: Secret)
  /// `captchaResponse` with `clientType`, as in `CLIENT_TYPE_WEB`, and `recaptchaVersion`, as in
  /// `RECAPTCHA_ENTERPRISE`.
  case enterprise(response: Secret, clientType: String, version: String)

  /// The fields of the request's body.
  var fields: [String: JSONValue] {
    switch self {
    case .recaptcha(let token): ["recaptchaToken": .string(token.revealed)]
    case .playIntegrity(let token): ["playIntegrityToken": .string(token.revealed)]
    case .safetyNet(let token): ["safetyNetToken": .string(token.revealed)]
    case .ios(let receipt, let secret):
      ["iosReceipt": .string(receipt.revealed), "iosSecret": .string(secret.revealed)]
    case .enterprise(let response, let clientType, let version):
      [
        "captchaResponse": .string(response.revealed), "clientType": .string(clientType),
        "recaptchaVersion": .string(version),
      ]
    }
  }

  /// The fields of a request that belong together, each set in one of Firebase's forms.
  private static let forms: [Set<String>] = [
    ["recaptchaToken"], ["playIntegrityToken"], ["safetyNetToken"], ["iosReceipt", "iosSecret"],
    ["captchaResponse", "clientType", "recaptchaVersion"],
  ]

  /// Reads a JSON object in one of the forms, with Firebase's own names.
  ///
  /// - Throws: `AuthError` `invalidArgument`, which names the forms and holds no value.
  package init(_ object: JSONValue) throws(AuthError) {
    guard case .object(let members) = object, Self.forms.contains(Set(members.keys)),
      members.values.allSatisfy({ $0.string != nil })
    else { throw Self.invalid }
    let text = { (name: String) in members[name]?.string ?? "" }
    let secret = { (name: String) in Secret(text(name)) }
    if members["recaptchaToken"] != nil {
      self = .recaptcha(secret("recaptchaToken"))
    } else if members["playIntegrityToken"] != nil {
      self = .playIntegrity(secret("playIntegrityToken"))
    } else if members["safetyNetToken"] != nil {
      self = .safetyNet(secret("safetyNetToken"))
    } else if members["iosReceipt"] != nil {
      self = .ios(receipt: secret("iosReceipt"), secret: secret("iosSecret"))
    } else {
      self = .enterprise(
        response: secret("captchaResponse"), clientType: text("clientType"), version: text("recaptchaVersion"))
    }
  }

  private static var invalid: AuthError {
    let names = forms.map { $0.sorted().joined(separator: " + ") }.joined(separator: ", or ")
    return .invalid("appVerification", "an object with the text fields \(names), and no others")
  }
}
