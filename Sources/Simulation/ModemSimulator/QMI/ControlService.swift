/// CTL: versions, client ids, synchronisation.
extension QMIEndpoint {
  mutating func control(_ request: QMIRequest, engine: inout ModemEngine) throws(QMIError) -> QMITLVs {
    var fields = QMITLVs()
    switch request.message {
    case 0x20:  // Set Instance ID
      guard var id = request.fields[1], let value = id.u8() else { throw .missingArgument }
      fields.add(1, UInt16(value))
    case 0x21:  // Get Version Info
      let list = QMIService.allCases.flatMap {
        [$0.rawValue] + $0.version.major.littleEndianBytes + $0.version.minor.littleEndianBytes
      }
      fields.add(1, [UInt8(QMIService.allCases.count)] + list)
    case 0x22:  // Allocate CID
      guard var value = request.fields[1], let number = value.u8() else { throw .missingArgument }
      guard let service = QMIService(rawValue: number), service != .ctl else { throw .invalidServiceType }
      fields.add(1, [number, try allocate(service)])
    case 0x23:  // Release CID
      guard var value = request.fields[1], let number = value.u8(), let id = value.u8() else { throw .missingArgument }
      guard let service = QMIService(rawValue: number) else { throw .invalidServiceType }
      try release(service, id, engine: &engine)
      fields.add(1, [number, id])
    case 0x26:  // Set Data Format
      guard let format = request.fields[1], format.remaining == 1 else { throw .missingArgument }
      if var link = request.fields[0x10], let value = link.u16() {
        isRawIP = value == 2
        fields.add(0x10, value)
      }
    case 0x27:  // Sync: every client id is void
      engine.endSessions(.hostAsked) { _ in true }
      clients = []
    default: throw .invalidQMICommand
    }
    return fields
  }
}
