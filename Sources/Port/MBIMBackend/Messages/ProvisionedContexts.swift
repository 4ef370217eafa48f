import ModemModel

/// The contexts that the operator or the manufacturer put into the modem
/// (MBIM_CID_PROVISIONED_CONTEXTS; MBIM 1.0, 10.5.13).
///
/// They are read from the bytes and not by libmbim, whose parser for such lists trusts the modem's
/// counts.
enum ProvisionedContexts {
  /// The context type "internet" (MBIM 1.0, table 10-64).
  private static let internet: [UInt8] = [
    0x7e, 0x5e, 0x2a, 0x7e, 0x4e, 0x6f, 0x72, 0x72, 0x73, 0x6b, 0x65, 0x6e, 0x7e, 0x5e, 0x2a, 0x7e,
  ]
  /// More are not looked at.
  private static let limit = 64

  /// The access points for the Internet, without duplicates, in the modem's order.
  ///
  /// - Parameter information: the information buffer.
  /// - Returns: nil if lengths and offsets do not fit together.
  static func accessPoints(_ information: [UInt8]) -> [AccessPoint]? {
    guard let count = word(information, 0), count <= information.count / 8 else { return nil }
    var found: [AccessPoint] = []
    for position in 0..<min(Int(count), limit) {
      guard let offset = word(information, 4 + position * 8), let size = word(information, 8 + position * 8),
        let context = slice(information, offset, size)
      else { return nil }
      guard context.count >= 52 else { return nil }
      guard Array(context[4..<20]) == internet else { continue }
      guard let name = text(context, 20), let user = text(context, 28), let password = text(context, 36) else {
        return nil
      }
      guard !name.isEmpty else { continue }
      let accessPoint = AccessPoint(
        name: name, user: user.isEmpty ? nil : user, password: password.isEmpty ? nil : APNPassword(password),
        authentication: authentication(word(context, 48) ?? 0), source: .modem)
      if !found.contains(accessPoint) { found.append(accessPoint) }
    }
    return found
  }

  private static func authentication(_ number: UInt32) -> BearerRequest.Authentication {
    switch number {
    case 1: .pap
    case 2: .chap
    case 3: .mschapv2
    default: .none
    }
  }

  private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32? {
    guard offset + 4 <= bytes.count else { return nil }
    return (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) }
  }

  private static func slice(_ bytes: [UInt8], _ offset: UInt32, _ size: UInt32) -> [UInt8]? {
    guard Int(offset) + Int(size) <= bytes.count else { return nil }
    return Array(bytes[Int(offset)..<Int(offset) + Int(size)])
  }

  /// A string, given by its offset and size in bytes, in UTF-16.
  private static func text(_ context: [UInt8], _ position: Int) -> String? {
    guard let offset = word(context, position), let size = word(context, position + 4), size.isMultiple(of: 2),
      let bytes = size == 0 ? [] : slice(context, offset, size)
    else { return nil }
    let units = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
    return String(validating: units.prefix { $0 != 0 }, as: UTF16.self)
  }
}
