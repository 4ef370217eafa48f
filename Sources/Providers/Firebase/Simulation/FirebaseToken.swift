import JSONTree
import ModemModel
import OperatorSimulator

/// ID tokens as the auth emulator makes them: without a signature (`alg: none`, RFC 7519, 6).
enum FirebaseToken {
  static func unsigned(user: String, number: String, now: Timestamp) -> String {
    let seconds = Int(now.milliseconds / 1000)
    let payload = JSONValue.object([
      "iss": .string("https://securetoken.google.com/example-project"), "aud": .string("example-project"),
      "auth_time": .int(seconds), "iat": .int(seconds), "exp": .int(seconds + 3600), "user_id": .string(user),
      "sub": .string(user), "phone_number": .string(number),
      // Two tokens of one second are not the same.
      "jti": .int(Int(now.milliseconds)),
      "firebase": .object([
        "identities": .object(["phone": .array([.string(number)])]), "sign_in_provider": .string("phone"),
      ]),
    ])
    return "\(part(.object(["alg": .string("none"), "typ": .string("JWT")]))).\(part(payload))."
  }

  private static func part(_ value: JSONValue) -> String { Base64URL.encode(value.text.utf8) }
}
