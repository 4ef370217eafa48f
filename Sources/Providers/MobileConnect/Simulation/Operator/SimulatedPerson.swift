import JSONTree
import OperatorSimulator

/// What an operator has in its books of a customer. All simulated customers are one person with different numbers.
struct SimulatedPerson {
  /// E.164.
  let number: String

  init(_ number: String) { self.number = number }

  private static let profile: [String: JSONValue] = [
    "name": .string("Alex Robin Example"), "given_name": .string("Alex"), "middle_name": .string("Robin"),
    "family_name": .string("Example"), "nickname": .string("Lex"), "preferred_username": .string("alex.example"),
    "updated_at": .string("2026-01-31T12:00:00Z"),
  ]
  private static let mail: [String: JSONValue] = [
    "email": .string("alex@mail.example"), "email_verified": .bool(true),
  ]
  private static let home: [String: JSONValue] = [
    "street_address": .string("1 Sample Street"), "city": .string("Sampletown"), "state": .string("Sample County"),
    "postal_code": .string("12345"), "country": .string("Germany"),
  ]

  /// By scopes of OpenID (OpenID Connect Core, 5.4) and of number validation.
  func userinfo(_ scope: [String]) -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    if scope.contains("profile") { members.merge(Self.profile) { $1 } }
    if scope.contains("email") { members.merge(Self.mail) { $1 } }
    if scope.contains("address") {
      members["address"] = .object([
        "street_address": .string("1 Sample Street"), "locality": .string("Sampletown"),
        "region": .string("Sample County"), "postal_code": .string("12345"), "country": .string("Germany"),
        "formatted": .string("1 Sample Street\n12345 Sampletown\nGermany"),
      ])
    }
    if scope.contains("phone") {
      members["phone_number"] = .string(number)
      members["phone_number_verified"] = .bool(true)
    }
    if scope.contains("mc_identity_phonenumber_hashed") {
      members["phone_number"] = .string(MobileConnectKeys.hash(number.filter { $0 != "+" }))
    }
    return members
  }

  /// By scopes of identity.
  ///
  /// - Parameter asked: what the application wants compared, by name.
  func premiuminfo(_ scope: [String], asked: [String: JSONValue]) -> [String: JSONValue] {
    let scope = Set(scope)
    var members: [String: JSONValue] = [:]
    if !scope.isDisjoint(with: ["mc_identity_phonenumber", "mc_phonenumber"]) {
      members["phone_number"] = .string(number)
    }
    let signUp: Set = ["mc_identity_signup", "mc_identity_signupplus", "mc_signup"]
    let national: Set = ["mc_identity_nationalid", "mc_nationalid"]
    if !scope.isDisjoint(with: signUp.union(national)) {
      members.merge(Self.profile) { $1 }
      members.merge(Self.home) { $1 }
      members["title"] = .string("Dr")
      members["birthdate"] = .string("1990-02-28")
    }
    if !scope.isDisjoint(with: signUp) {
      members.merge(Self.mail) { $1 }
      members["phone_number"] = .string(number)
      members["phone_number_alternate"] = .string(number)
    }
    if !scope.isDisjoint(with: national) { members["national_identifier"] = .string("ID-0042-1990") }
    if scope.contains("mc_kyc_plain") { members.merge(compared(asked, suffix: "")) { $1 } }
    if scope.contains("mc_kyc_hashed") { members.merge(compared(asked, suffix: "_hashed")) { $1 } }
    return members
  }

  private static let book = [
    "name": "Alex Robin Example", "given_name": "Alex", "family_name": "Example", "birthdate": "1990-02-28",
    "address": "1 Sample Street, 12345 Sampletown, Germany", "houseno_or_housename": "1", "postal_code": "12345",
    "town": "Sampletown", "country": "Germany",
  ]

  /// Whether each value that was sent is as in the book: `NAME_match` with Y or N.
  private func compared(_ asked: [String: JSONValue], suffix: String) -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    for (name, value) in Self.book {
      guard let sent = asked[name + suffix]?["value"]?.string else { continue }
      let own = suffix.isEmpty ? value : MobileConnectKeys.hash(value)
      members["\(name)\(suffix)_match"] = .string(sent.lowercased() == own.lowercased() ? "Y" : "N")
    }
    return members
  }
}
