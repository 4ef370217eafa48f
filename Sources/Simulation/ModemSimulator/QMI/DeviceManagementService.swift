/// DMS: the device and its names.
extension QMIEndpoint {
  func deviceManagement(_ request: QMIRequest, engine: inout ModemEngine) throws(QMIError) -> QMITLVs {
    var fields = QMITLVs()
    let configuration = engine.configuration
    switch request.message {
    case 0x00, 0x01: break  // Reset, Set Event Report
    case 0x20: fields.add(1, Self.capabilities)
    case 0x21: fields.add(1, text: configuration.manufacturer)
    case 0x22: fields.add(1, text: configuration.model)
    case 0x23: fields.add(1, text: configuration.firmware)
    case 0x24: fields.add(1, text: try Self.number(engine))
    case 0x25:
      fields.add(0x10, text: "0")
      fields.add(0x11, text: configuration.imei)
      fields.add(0x13, text: "00")
    case 0x2c: fields.add(1, text: configuration.hardware)
    case 0x2d: fields.add(1, [engine.isRadioOn ? 0 : 1])
    case 0x2e: try setOperatingMode(request, engine: &engine)
    case 0x51: fields.add(1, text: configuration.firmware)
    default: throw .invalidQMICommand
    }
    return fields
  }

  /// Rates in bit/s, data without voice, a SIM, and the radio interfaces GSM, UMTS, LTE, 5G.
  private static var capabilities: [UInt8] {
    UInt32(50_000_000).littleEndianBytes + UInt32(150_000_000).littleEndianBytes + [2, 2, 4, 4, 5, 8, 10]
  }

  private static func number(_ engine: ModemEngine) throws(QMIError) -> String {
    guard let card = engine.openCard else { throw .uimUninitialized }
    guard engine.configuration.reportsNumberOverDMS, let number = card.sim.numbers.first else { throw .notProvisioned }
    return number
  }

  private func setOperatingMode(_ request: QMIRequest, engine: inout ModemEngine) throws(QMIError) {
    guard var field = request.fields[1], let mode = field.u8() else { throw .missingArgument }
    guard mode <= 1 || mode == 6 else { throw .invalidArgument }
    engine.follow { $0.isRadioOn = mode == 0 }
  }
}
