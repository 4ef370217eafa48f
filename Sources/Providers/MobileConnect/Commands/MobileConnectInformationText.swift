import JSONTree
import MobileConnectAPI
import ModemAPI
import ModemctlCore

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
    return all.map { ($0, $1.map { ForeignText.visible($0) }) }
  }

  /// All identifying values are masked; their presence stays visible.
  func masked() -> Self {
    Self(
      subject: Mask.hide(subject), name: Mask.hide(name), givenName: Mask.hide(givenName),
      middleName: Mask.hide(middleName),
      familyName: Mask.hide(familyName), nickname: Mask.hide(nickname), preferredUsername: Mask.hide(preferredUsername),
      title: Mask.hide(title), phoneNumber: phoneNumber.map { Mask.digits($0, readable: $0.hasPrefix("+") ? 2 : 0) },
      phoneNumberAlternate: phoneNumberAlternate.map { Mask.digits($0, readable: $0.hasPrefix("+") ? 2 : 0) },
      email: Mask.hide(email), emailVerified: emailVerified, address: address?.masked(),
      birthdate: Mask.hide(birthdate),
      nationalIdentifier: Mask.hide(nationalIdentifier), clientName: clientName, idToken: Mask.hide(idToken),
      accessToken: Mask.hide(accessToken), updatedAt: updatedAt, correlationID: correlationID, all: Self.hidden(all))
  }

  /// Only the names of the members.
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
    Self(
      formatted: Mask.hide(formatted), street: Mask.hide(street), city: Mask.hide(city), state: Mask.hide(state),
      postalCode: Mask.hide(postalCode), country: Mask.hide(country))
  }
}
