import ModemModel

extension QMIReply {
  /// The received signal strength from NAS Get Signal Info for the technology in use, in dBm; nil
  /// if it has none, as with 5G alone.
  func signalInfo(for technology: Registration.Technology?) throws(ModemError) -> Int? {
    let (gsm, umts, lte): (UInt8, UInt8, UInt8) = (0x12, 0x13, 0x14)
    let order: [UInt8] =
      switch technology {
      case .gsm: [gsm]
      case .umts: [umts]
      case .lte, .nrNonStandalone: [lte]
      case .nr: []
      case nil: [lte, umts, gsm]
      }
    for type in order {
      let strength = try read(type) { field throws(FieldReader.Short) in try field.i8() }
      if let strength, let rssi = rssi(strength) { return rssi }
    }
    return nil
  }

  /// The strength from NAS Get Signal Strength, in dBm.
  func signalStrength() throws(ModemError) -> Int? {
    let strength = try read(0x01) { field throws(FieldReader.Short) in
      (dBm: try field.i8(), interface: try field.u8())
    }
    guard let strength, strength.interface != 0 else { return nil }
    return rssi(strength.dBm)
  }

  /// Within the range of +CSQ (3GPP TS 27.007, 8.5); nil for the values that modems report without
  /// a signal.
  private func rssi(_ dBm: Int8) -> Int? {
    dBm < 0 && dBm > -126 ? min(max(Int(dBm), -113), -51) : nil
  }
}
