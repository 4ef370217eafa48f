/// WDA: the link layer of the data port.
extension QMIEndpoint {
  mutating func dataFormat(_ request: QMIRequest) throws(QMIError) -> QMITLVs {
    switch request.message {
    case 0x20:
      if var field = request.fields[0x11], let link = field.u32() {
        guard link == 1 || link == 2 else { throw .invalidArgument }
        isRawIP = link == 2
      }
    case 0x21: break
    default: throw .invalidQMICommand
    }
    var fields = QMITLVs()
    fields.add(0x10, [0])
    fields.add(0x11, UInt32(isRawIP ? 2 : 1))
    // No aggregation in either direction.
    fields.add(0x12, UInt32(0))
    fields.add(0x13, UInt32(0))
    return fields
  }
}
