/// WDA: the link layer of the data port.
extension QMIEndpoint {
  mutating func dataFormat(_ request: QMIRequest, engine: ModemEngine) throws(QMIError) -> QMITLVs {
    switch request.message {
    case 0x20:
      if var field = request.fields[0x11], let link = field.u32() {
        guard link == 1 || link == 2 else { throw .invalidArgument }
        if !keepsLinkLayer { isRawIP = link == 2 }
      }
      let wanted = try (up: Self.aggregation(request.fields[0x12]), down: Self.aggregation(request.fields[0x13]))
      // Multiplexed packets are bare.
      guard isRawIP || wanted == (0, 0) else { throw .invalidArgument }
      // A modem reports what it does, which may differ from the request.
      if !insistsOnMultiplexing { aggregation = engine.configuration.sessionLimit > 1 ? wanted : (0, 0) }
    case 0x21: break
    default: throw .invalidQMICommand
    }
    var fields = QMITLVs()
    fields.add(0x10, [0])
    fields.add(0x11, UInt32(isRawIP ? 2 : 1))
    fields.add(0x12, aggregation.up)
    fields.add(0x13, aggregation.down)
    if aggregation.down != 0 {
      // Packets in a transfer to the host, and its bytes.
      fields.add(0x15, UInt32(32))
      fields.add(0x16, UInt32(16384))
    }
    return fields
  }

  /// None, or QMAP.
  private static func aggregation(_ field: ByteReader?) throws(QMIError) -> UInt32 {
    guard var field else { return 0 }
    guard let number = field.u32(), number == 0 || number == 5 else { throw .invalidArgument }
    return number
  }
}
