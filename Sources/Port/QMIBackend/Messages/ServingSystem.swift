import ModemModel

/// Where the modem is registered (NAS Get Serving System, and its indication).
struct ServingSystem: Sendable {
  var state: Registration.State
  var isAttached: Bool
  var technology: Registration.Technology?
  var network: Network?

  /// - Parameter digitField: The TLV with the PCS digit: 0x27 of the reply; 0x29 of the indication,
  ///   whose 0x27 is a different field.
  init(_ reply: QMIReply, digitField: UInt8 = 0x27) throws(ModemError) {
    let (registration, attached, interfaces) = try reply.require(0x01) { field throws(FieldReader.Short) in
      let registration = try field.u8()
      _ = try field.u8()  // Attached to the circuit-switched domain.
      let attached = try field.u8()
      _ = try field.u8()  // 3GPP or 3GPP2.
      return (registration, attached, try field.array { field throws(FieldReader.Short) in try field.u8() })
    }
    let isRoaming = try reply.read(0x10) { field throws(FieldReader.Short) in try field.u8() } == 0
    state = Registration.State(registration: registration, isRoaming: isRoaming)
    isAttached = attached == 1
    technology = Registration.Technology(radioInterfaces: interfaces)
    network = try Self.network(reply, digitField)
  }

  private static func network(_ reply: QMIReply, _ digitField: UInt8) throws(ModemError) -> Network? {
    guard let current = try reply.read(0x12, { field throws(FieldReader.Short) in try NamedNetwork(&field) }) else {
      return nil
    }
    let digit = try reply.read(digitField) { field throws(FieldReader.Short) in
      (mcc: try field.u16(), mnc: try field.u16(), included: try field.u8() != 0)
    }
    guard let digit, digit.mcc == current.mcc, digit.mnc == current.mnc else {
      return current.network(hasPCSDigit: nil)
    }
    return current.network(hasPCSDigit: digit.included)
  }
}

/// A network's codes as numbers, and its name. QMI does not state whether MNC 20 is 20 or 020.
struct NamedNetwork {
  let mcc: UInt16
  let mnc: UInt16
  let name: String?

  init(_ field: inout FieldReader) throws(FieldReader.Short) {
    mcc = try field.u16()
    mnc = try field.u16()
    name = networkName(try field.array { field throws(FieldReader.Short) in try field.u8() })
  }

  /// The network in digits; nil if the codes are invalid. If the length of the MNC is unknown and
  /// the country uses both lengths, two digits are assumed.
  /// - Parameter hasPCSDigit: Whether the MNC has three digits; nil if the modem does not report
  ///   it.
  func network(hasPCSDigit: Bool?) -> Network? {
    guard let told = HomeNetwork.Told(mcc: mcc, mnc: mnc, hasThreeDigits: hasPCSDigit, name: name) else { return nil }
    return (told.settled() ?? told.candidates.first).map { Network($0, name: name) }
  }
}

extension Registration.State {
  init(registration: UInt8, isRoaming: Bool) {
    switch registration {
    case 0: self = .deregistered
    case 1: self = isRoaming ? .roaming : .home
    case 2: self = .searching
    case 3: self = .denied
    default: self = .unknown
    }
  }
}

extension Registration.Technology {
  /// The best of the radio interfaces in use. LTE together with 5G is a 5G cell that depends on an
  /// LTE cell.
  init?(radioInterfaces: [UInt8]) {
    let (gsm, umts, lte, tdscdma, nr): (UInt8, UInt8, UInt8, UInt8, UInt8) = (4, 5, 8, 9, 12)
    if radioInterfaces.contains(nr) {
      self = radioInterfaces.contains(lte) ? .nrNonStandalone : .nr
    } else if radioInterfaces.contains(lte) {
      self = .lte
    } else if radioInterfaces.contains(umts) || radioInterfaces.contains(tdscdma) {
      self = .umts
    } else if radioInterfaces.contains(gsm) {
      self = .gsm
    } else {
      return nil
    }
  }
}
