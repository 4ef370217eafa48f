import JSONTree
import MobileConnectAPI
import ModemAPI

extension MobileConnectInterface.Information {
  /// For people: label and value.
  var findings: [(String, String?)] {
    let all: [(String, String?)] = [
      ("user", subject), ("name", name), ("title", title), ("given name", givenName), ("middle name", middleName),
      ("family name", familyName), ("nickname", nickname), ("user name", preferredUsername),
      ("phone number", phoneNumber), ("other number", phoneNumberAlternate), ("email", email),
      ("email verified", emailVerified.map { $0 ? "yes" : "no" }), ("address", address?.line),
      ("birth date", birthdate), ("national id", nationalIdentifier), ("client", clientName), ("updated", updatedAt),
    ]
    return all.map { ($0, $1.map { MessageRendering.visible($0) }) }
  }

  /// All that identifies a person is hidden; what is there is seen all the same.
  func masked() -> Self {
    let hide = { (text: String?) in text.map { _ in Mask.hidden } }
    return Self(
      subject: hide(subject), name: hide(name), givenName: hide(givenName), middleName: hide(middleName),
      familyName: hide(familyName), nickname: hide(nickname), preferredUsername: hide(preferredUsername),
      title: hide(title), phoneNumber: phoneNumber.map { Mask.digits($0, readable: $0.hasPrefix("+") ? 2 : 0) },
      phoneNumberAlternate: phoneNumberAlternate.map { Mask.digits($0, readable: $0.hasPrefix("+") ? 2 : 0) },
      email: hide(email), emailVerified: emailVerified, address: address?.masked(), birthdate: hide(birthdate),
      nationalIdentifier: hide(nationalIdentifier), clientName: clientName, idToken: hide(idToken),
      accessToken: hide(accessToken), updatedAt: updatedAt, correlationID: correlationID, all: Self.hidden(all))
  }

  /// The names of the members alone.
  private static func hidden(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members): .object(members.mapValues { hidden($0) })
    case .array(let items): .array(items.map { hidden($0) })
    case .null, .bool: value
    case .int, .double, .string: .string(Mask.hidden)
    }
  }
}

extension MobileConnectInterface.Address {
  /// On one line.
  fileprivate var line: String? {
    let parts = [formatted, street, postalCode, city, state, country].compactMap(\.self)
    return parts.isEmpty
      ? nil : parts.joined(separator: ", ").split(whereSeparator: \.isNewline).joined(separator: ", ")
  }

  fileprivate func masked() -> Self {
    let hide = { (text: String?) in text.map { _ in Mask.hidden } }
    return Self(
      formatted: hide(formatted), street: hide(street), city: hide(city), state: hide(state),
      postalCode: hide(postalCode), country: hide(country))
  }
}
