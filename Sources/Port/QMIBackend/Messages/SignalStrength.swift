import ModemModel

/// The TLVs of NAS Get Signal Info.
private enum SignalField {
  static let gsm: UInt8 = 0x12
  static let umts: UInt8 = 0x13
  /// RSSI and RSRQ of one byte, RSRP and SNR of two; SNR in steps of 0.1 dB.
  static let lte: UInt8 = 0x14
  /// RSRP and SNR of two bytes.
  static let nr: UInt8 = 0x17
  /// RSRQ of two bytes.
  static let nrQuality: UInt8 = 0x18
}

extension QMIReply {
  /// The received signal strength from NAS Get Signal Info for the technology in use, in dBm; nil
  /// if it has none, as with 5G alone.
  func signalInfo(for technology: Registration.Technology?) throws(ModemError) -> Int? {
    let order: [UInt8] =
      switch technology {
      case .gsm: [SignalField.gsm]
      case .umts: [SignalField.umts]
      case .lte, .nrNonStandalone: [SignalField.lte]
      case .nr: []
      case nil: [SignalField.lte, SignalField.umts, SignalField.gsm]
      }
    for type in order {
      let strength = try read(type) { field throws(FieldReader.Short) in try field.i8() }
      if let strength, let rssi = rssi(strength) { return rssi }
    }
    return nil
  }

  /// The measurements from NAS Get Signal Info of the cell that a modem with this technology is
  /// registered with.
  ///
  /// - Parameter technology: nil if the modem is not registered; then any cell counts, LTE first.
  func referenceSignal(for technology: Registration.Technology?) -> ReferenceSignal {
    switch technology {
    case .gsm, .umts: .none
    case .lte, .nrNonStandalone: lteSignal ?? .none
    case .nr: nrSignal ?? .none
    case nil: lteSignal ?? nrSignal ?? .none
    }
  }

  /// Nil if the modem does not hear LTE, or has old firmware whose TLV ends after the RSSI.
  private var lteSignal: ReferenceSignal? {
    let signal = try? read(SignalField.lte) { field throws(FieldReader.Short) in
      _ = try field.i8()  // RSSI.
      return (rsrq: try field.i8(), rsrp: try field.i16(), snr: try field.i16())
    }
    return signal.flatMap { measured(rsrp: $0.rsrp, rsrq: Double($0.rsrq), snr: $0.snr) }
  }

  private var nrSignal: ReferenceSignal? {
    let signal = try? read(SignalField.nr) { field throws(FieldReader.Short) in
      (rsrp: try field.i16(), snr: try field.i16())
    }
    let quality = try? read(SignalField.nrQuality) { field throws(FieldReader.Short) in try field.i16() }
    return signal.flatMap { measured(rsrp: $0.rsrp, rsrq: quality.map(Double.init), snr: $0.snr) }
  }

  /// Nil without an RSRP in its range: then the modem has no such cell, and fills the other fields
  /// with anything.
  private func measured(rsrp: Int16, rsrq: Double?, snr: Int16) -> ReferenceSignal? {
    let signal = ReferenceSignal(rsrp: Double(rsrp), rsrq: rsrq, sinr: Double(snr) / 10)
    return signal.rsrp == nil ? nil : signal
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
