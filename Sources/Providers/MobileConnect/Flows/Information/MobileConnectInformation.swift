import AuthCore
import JSONTree
import AuthFlows

/// An operator's data about a subscriber, from userinfo or the identity services (premiuminfo). All
/// of it is personal.
public struct MobileConnectInformation: Hashable, Sendable {
  /// Which of the two to ask.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case userinfo, premiuminfo

    var relation: MobileConnectOperator.Relation { self == .userinfo ? .userinfo : .premiuminfo }
  }

  /// A postal address (OpenID Connect Core, 5.1.1).
  public struct Address: Hashable, Sendable {
    public var formatted: Secret?
    public var street: Secret?
    public var city: Secret?
    public var state: Secret?
    public var postalCode: Secret?
    public var country: Secret?

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

  public var subject: Secret?
  public var name: Secret?
  public var givenName: Secret?
  public var middleName: Secret?
  public var familyName: Secret?
  public var nickname: Secret?
  public var preferredUsername: Secret?
  public var title: Secret?
  /// Unchanged: in international form, or hashed.
  public var phoneNumber: Secret?
  public var phoneNumberAlternate: Secret?
  public var email: Secret?
  public var isEmailVerified: Bool?
  public var address: Address?
  public var birthdate: Secret?
  public var nationalIdentifier: Secret?
  public var clientName: String?
  public var idToken: Secret?
  public var accessToken: Secret?
  /// Unchanged: seconds since 1970, or text.
  public var updatedAt: String?
  public var correlationID: String?
  /// All of it.
  public var all: JSONValue

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
