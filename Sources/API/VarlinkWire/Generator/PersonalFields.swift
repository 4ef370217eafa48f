/// Which fields of the interfaces hold what no log may show: numbers, identities, codes, PINs,
/// tokens, and text that may hold them.
///
/// The generated types of other languages leave their values out of what they print of themselves.
/// It is a list of names, because an interface does not mark such fields; a name that is not in it
/// is shown. A test has the names that are shown, so that whoever adds a field decides.
enum PersonalFields {
  private static let names: Set<String> = [
    // The subscription and the device.
    "number", "simNumber", "simID", "imsi", "iccid", "imei", "msisdn", "sender", "phoneNumber", "phoneNumberAlternate",
    // Secrets that people type, and those that come with messages and mails.
    "pin", "code", "mail", "text", "base64", "verificationID", "flow", "proof", "activation",
    // Tokens, and what stands for one.
    "idToken", "idTokenHint", "refreshToken", "accessToken", "token", "temporaryProof", "requestObject", "certificate",
    "loginHintToken", "subscriberID", "subscriberIDToken", "hintNumber", "hintEncrypted", "hintCustomer", "state",
    "nonce", "session", "signingSession", "signature", "document", "hash", "value", "appVerification",
    // Addresses with parameters, and bodies.
    "url", "uri", "redirect", "redirectURI", "callback", "page", "link", "links", "parameters", "json", "serverAnswer",
    "headers", "endpoint",
    // Who somebody is.
    "user", "subject", "mobileID", "earlierMobileID", "claims", "name", "givenName", "middleName", "familyName",
    "nickname", "preferredUsername", "title", "email", "birthdate", "nationalIdentifier", "formatted", "street",
    "city", "postalCode", "all", "kyc", "id",
    // What a person is asked to agree to or to sign, and what somebody else wrote about a check.
    "dtbs", "bindingMessage", "context", "description", "purpose", "message", "attributes",
  ]

  /// Fields with such a name that hold nothing of that kind, with the types that have them.
  private static let plain: [String: Set<String>] = [
    "Outcome": ["code", "text"], "Cause": ["text"], "Failure": ["text"], "ProviderFault": ["text", "name"],
    "Step": ["name"], "Network": ["name"], "Provider": ["name"], "Operator": ["name"], "Field": ["name"],
    "Modem": ["id"], "Product": ["id", "name"], "Check": ["id"], "Trace": ["id"],
  ]

  /// Whether a field of a struct must not be printed. Words of enums, numbers and booleans are
  /// printed.
  ///
  /// - Parameters:
  ///   - field: the field as its interface declares it.
  ///   - type: the name of the declared struct, or of the method whose parameters or reply has the
  ///     field.
  static func contains(_ field: InterfaceSyntax.Field, of type: String) -> Bool {
    guard names.contains(field.name), plain[type]?.contains(field.name) != true else { return false }
    return mayHoldText(field.type)
  }

  private static func mayHoldText(_ type: TypeSyntax) -> Bool {
    switch type {
    case .string, .object: true
    case .array(let inner), .map(let inner), .nullable(let inner): mayHoldText(inner)
    // A struct prints its own fields, and leaves out those of the list.
    case .bool, .int, .float, .enum, .named, .struct: false
    }
  }
}
