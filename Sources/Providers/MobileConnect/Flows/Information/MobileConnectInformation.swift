import AuthCore
import JSONTree
import AuthFlows

/// An operator's data about a subscriber, from userinfo or the identity services (premiuminfo). All
/// of it is personal.
package struct MobileConnectInformation: Hashable, Sendable {
  /// Which of the two to ask.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case userinfo, premiuminfo

    var relation: MobileConnectOperator.Relation { self == .userinfo ? .userinfo : .premiuminfo }
  }

  /// A postal address (OpenID Connect Core, 5.1.1).
  package struct Address: Hashable, Sendable {
    package var formatted: Secret?
    package var street: Secret?
    package var city: Secret?
    package var state: Secret?
    package var postalCode: Secret?
    package var country: Secret?

    init(_ json: JSONValue) {
      let text = { (names: String...) in names.lazy.compactMap { json[$0]?.string }.first.map { Secret($0) } }
      formatted = text("formatted")
      street = text("street_address")
      city = text("locality", "city")
      state = text("region", "state")
      postalCode = text("postal_code")
      country = text("country")
    }

    var isEmpty: Bool { [formatted, street, city, state, postalCode, country].allSatisfy { $0 == nil } }
  }

  package var subject: Secret?
  package var name: Secret?
  package var givenName: Secret?
  package var middleName: Secret?
  package var familyName: Secret?
  package var nickname: Secret?
  package var preferredUsername: Secret?
  package var title: Secret?
  /// Unchanged: in international form, or hashed.
  package var phoneNumber: Secret?
  package var phoneNumberAlternate: Secret?
  package var email: Secret?
  package var isEmailVerified: Bool?
  package var address: Address?
  package var birthdate: Secret?
  package var nationalIdentifier: Secret?
  package var clientName: String?
  package var idToken: Secret?
  package var accessToken: Secret?
  /// Unchanged: seconds since 1970, or text.
  package var updatedAt: String?
  package var correlationID: String?
  /// All of it.
  package var all: JSONValue

  /// - Parameter json: an object.
  init(_ json: JSONValue) {
    all = json
    let text = { (name: String) in json[name]?.string.map { Secret($0) } }
    subject = text("sub")
    name = text("name")
    givenName = text("given_name")
    middleName = text("middle_name")
    familyName = text("family_name")
    nickname = text("nickname")
    preferredUsername = text("preferred_username")
    title = text("title")
    phoneNumber = text("phone_number")
    phoneNumberAlternate = text("phone_number_alternate")
    email = text("email")
    isEmailVerified = json["email_verified"]?.looseBoolean
    // Userinfo has an object; premiuminfo has the same parts beside its other fields.
    let place = Address(json["address"] ?? json)
    address = place.isEmpty ? nil : place
    if let line = text("address") { address = Address(.object(["formatted": .string(line.revealed)])) }
    birthdate = text("birthdate")
    nationalIdentifier = text("national_identifier")
    clientName = json["client_name"]?.string
    idToken = text("id_token")
    accessToken = text("access_token")
    updatedAt = json["updated_at"].flatMap { $0.string ?? $0.integer.map { "\($0)" } }
    correlationID = json["correlation_id"]?.string
  }
}

/// Whether an operator's number is the requested one.
enum ToldNumber {
  /// In clear, with or without its `+`, or as the hex SHA-256 of either.
  ///
  /// - Returns: nil if it is neither a number nor a hash.
  static func matches(_ told: Secret, _ number: SubscriberNumber, _ tools: OpenIDTools) -> Bool? {
    let text = told.revealed.lowercased()
    let isHash =
      text.utf8.count == 64 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    if isHash {
      return [number.digits, number.revealed].contains { tools.hexDigest($0) == text }
    }
    return (try? SubscriberNumber(told.revealed)).map { $0 == number }
  }
}
