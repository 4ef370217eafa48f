import ModemModel

/// NAS: networks, registration, signal.
extension QMIEndpoint {
  func networkAccess(
    _ request: QMIRequest, _ client: inout Client, engine: inout ModemEngine
  ) throws(QMIError) -> QMITLVs {
    switch request.message {
    case 0x00, 0x02: return QMITLVs()  // Reset, Set Event Report
    case 0x03:
      Self.register(request, &client)
      return QMITLVs()
    case 0x20: return engine.qmiSignalStrength
    case 0x22:
      // Initiate Network Register. The simulated modem always looks for a network by itself.
      guard var field = request.fields[0x01], let action = field.u8() else { throw .missingArgument }
      guard action == 1 else { throw .invalidArgument }
      return QMITLVs()
    case 0x23:
      guard var field = request.fields[0x10], let action = field.u8() else { throw .missingArgument }
      return try attach(action, engine: &engine)
    case 0x24: return engine.qmiServingSystem(isIndication: false)
    case 0x25: return try engine.qmiHomeNetwork()
    case 0x4d: return engine.qmiSystemInfo
    case 0x4f: return engine.qmiSignalInfo
    default: throw .invalidQMICommand
    }
  }

  private static func register(_ request: QMIRequest, _ client: inout Client) {
    let flag = { (type: UInt8, old: Bool) -> Bool in
      guard var field = request.fields[type], let value = field.u8() else { return old }
      return value != 0
    }
    client.wantsServingSystem = flag(0x13, client.wantsServingSystem)
    client.wantsSystemInfo = flag(0x18, client.wantsSystemInfo)
    client.wantsSignalInfo = flag(0x19, client.wantsSignalInfo)
  }

  private func attach(_ action: UInt8, engine: inout ModemEngine) throws(QMIError) -> QMITLVs {
    guard action == 1 || action == 2 else { throw .invalidArgument }
    guard engine.wantsAttach != (action == 1) else { throw .noEffect }
    engine.follow { $0.wantsAttach = action == 1 }
    return QMITLVs()
  }
}

extension ModemEngine {
  /// Codes and name of the SIM's own network, and whether its MNC has three digits.
  func qmiHomeNetwork() throws(QMIError) -> QMITLVs {
    guard let home = openCard?.sim.home else { throw .uimUninitialized }
    var fields = QMITLVs()
    fields.add(1, home.qmiCodes + home.qmiName)
    fields.add(0x12, [1, home.plmn.hasThreeDigits])
    return fields
  }

  /// Serving System, as response and as indication: two fields differ in number.
  func qmiServingSystem(isIndication: Bool) -> QMITLVs {
    let registration = registration
    var fields = QMITLVs()
    let radios = registration.technology.map { [$0.qmiRadioInterface] } ?? []
    let attach: UInt8 = isAttached ? 1 : 2
    let networkType: UInt8 = radios.isEmpty ? 0 : 2
    fields.add(
      1, [registration.state.qmiRegistrationState, attach, attach, networkType, UInt8(radios.count)] + radios)
    if registration.state.allowsData {
      fields.add(0x10, [registration.state == .roaming ? 0 : 1])
      fields.add(0x11, registration.technology.map { [1, $0.qmiDataCapability] } ?? [0])
    }
    if let serving = registration.serving {
      fields.add(0x12, serving.qmiCodes + serving.qmiName)
      fields.add(isIndication ? 0x29 : 0x27, serving.qmiCodes + [serving.plmn.hasThreeDigits])
    }
    return fields
  }

  /// Get System Info for the serving technology: GSM 0x12 and 0x17, UMTS 0x13 and 0x18, LTE 0x14
  /// and 0x19, 5G 0x4a and 0x4b.
  var qmiSystemInfo: QMITLVs {
    let registration = registration
    var fields = QMITLVs()
    guard let technology = registration.technology, let serving = registration.serving else {
      for status: UInt8 in [0x12, 0x13, 0x14] { fields.add(status, [0, 0, 0]) }
      return fields
    }
    let status: UInt8 = registration.state.allowsData ? 2 : 1
    fields.add(technology.qmiStatusField, [status, status, 1])
    fields.add(technology.qmiStatusField + (technology == .nr ? 1 : 5), systemInfo(technology, registration, serving))
    return fields
  }

  private func systemInfo(
    _ technology: Registration.Technology, _ registration: Registration, _ serving: Network
  ) -> [UInt8] {
    let domain: UInt8 = registration.state.allowsData ? 2 : 0
    let common: [UInt8] = [1, domain, 1, domain, 1, registration.state == .roaming ? 1 : 0]
    let forbidden: [UInt8] = [1, registration.state == .denied ? 1 : 0]
    let area: [UInt8] = [1, 0x01, 0x00, 1, 0x01, 0x00, 0x00, 0x00]
    let rejection: [UInt8] = registration.cause?.code.map { [1, 2, UInt8($0)] } ?? [0, 0, 0]
    // Text of three bytes each; a two-digit MNC is filled up with FF.
    let network = [1] + Array(serving.plmn.mcc.utf8) + (Array(serving.plmn.mnc.utf8) + [0xff]).prefix(3)
    let tail: [UInt8] =
      switch technology {
      case .gsm: [0, 0, 0, 0]
      case .umts: [0, 0, 0, 0, 0, 0, 0]
      case .lte, .nrNonStandalone, .nr: [1, 0x01, 0x00]
      }
    return common + forbidden + area + rejection + network + tail
  }

  /// Get Signal Info: dBm, and for LTE and 5G also RSRQ, RSRP and SNR.
  var qmiSignalInfo: QMITLVs {
    var fields = QMITLVs()
    guard let rssi, let technology = registration.technology else { return fields }
    let strength = UInt8(bitPattern: Int8(clamping: rssi))
    let serving = registration.referenceSignal
    switch technology {
    case .gsm: fields.add(0x12, [strength])
    case .umts: fields.add(0x13, [strength] + Int16(10).littleEndianBytes)
    case .lte, .nrNonStandalone:
      let quality = UInt8(bitPattern: Int8(clamping: serving.rsrq ?? -128))
      fields.add(0x14, [strength, quality] + serving.qmiPowerAndRatio)
    case .nr: break
    }
    guard technology == .nr || technology == .nrNonStandalone else { return fields }
    let cell = technology == .nr ? serving : network.secondarySignal
    fields.add(0x17, cell.qmiPowerAndRatio)
    fields.add(0x18, Int16(clamping: cell.rsrq ?? -32768).littleEndianBytes)
    return fields
  }

  /// The older Get Signal Strength: dBm and radio interface.
  var qmiSignalStrength: QMITLVs {
    var fields = QMITLVs()
    let radio = registration.technology?.qmiRadioInterface ?? 0
    let strength = UInt8(bitPattern: Int8(clamping: rssi ?? -125))
    fields.add(1, [strength, radio])
    if let rssi { fields.add(0x11, [1, 0, UInt8(clamping: -rssi), radio]) }
    return fields
  }
}

extension ReferenceSignal {
  /// RSRP in dBm and SNR in steps of 0.1 dB; -32768 is unknown.
  fileprivate var qmiPowerAndRatio: [UInt8] {
    [rsrp ?? -32768, sinr.map { 10 * $0 } ?? -32768].flatMap { Int16(clamping: $0).littleEndianBytes }
  }
}

extension Network {
  /// MCC and MNC as numbers: the number of the MNC's digits is reported elsewhere.
  fileprivate var qmiCodes: [UInt8] {
    UInt16(plmn.mcc)!.littleEndianBytes + UInt16(plmn.mnc)!.littleEndianBytes
  }

  fileprivate var qmiName: [UInt8] {
    let text = Array((name ?? "").utf8.prefix(255))
    return [UInt8(text.count)] + text
  }
}

extension PLMN {
  fileprivate var hasThreeDigits: UInt8 { mnc.utf8.count == 3 ? 1 : 0 }
}

extension Registration.State {
  fileprivate var qmiRegistrationState: UInt8 {
    switch self {
    case .deregistered: 0
    case .home, .roaming, .partner: 1
    case .searching: 2
    case .denied: 3
    case .unknown: 4
    }
  }
}

extension Registration.Technology {
  fileprivate var qmiRadioInterface: UInt8 {
    switch self {
    case .gsm: 4
    case .umts: 5
    case .lte, .nrNonStandalone: 8
    case .nr: 12
    }
  }

  fileprivate var qmiDataCapability: UInt8 {
    switch self {
    case .gsm: 2
    case .umts: 3
    case .lte, .nrNonStandalone, .nr: 11
    }
  }

  fileprivate var qmiStatusField: UInt8 {
    switch self {
    case .gsm: 0x12
    case .umts: 0x13
    case .lte, .nrNonStandalone: 0x14
    case .nr: 0x4a
    }
  }
}
