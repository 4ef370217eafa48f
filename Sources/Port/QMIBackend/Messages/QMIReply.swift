import CQMI
import ModemModel

/// What the modem answered or indicated: the TLVs of its message, copied out.
struct QMIReply: Sendable {
  /// What the command is called in errors.
  let name: String
  private let fields: [UInt8: [UInt8]]

  init(name: String, fields: [UInt8: [UInt8]]) {
    self.name = name
    self.fields = fields
  }

  /// Copies a message's TLVs; libqmi has checked that they lie in it.
  init(name: String, copying message: UnsafeMutablePointer<QmiMessage>) {
    var fields: [UInt8: [UInt8]] = [:]
    withUnsafeMutablePointer(to: &fields) {
      qmi_message_foreach_raw_tlv(
        message,
        { type, value, length, fields in
          // Impossible: the pointer is that of the fields, given below.
          fields!.assumingMemoryBound(to: [UInt8: [UInt8]].self).pointee[type] =
            Array(UnsafeBufferPointer(start: value, count: Int(length)))
        }, $0)
    }
    self.init(name: name, fields: fields)
  }

  /// The value of a TLV; nil where the message has none of this type.
  subscript(type: UInt8) -> [UInt8]? { fields[type] }

  /// Reads a TLV; nil where the message has none of this type.
  /// - Throws: `badReply` when it is shorter than what is read from it.
  func read<Value>(
    _ type: UInt8, _ body: (inout FieldReader) throws(FieldReader.Short) -> Value
  ) throws(ModemError) -> Value? {
    guard let field = fields[type] else { return nil }
    var reader = FieldReader(field)
    do throws(FieldReader.Short) {
      return try body(&reader)
    } catch {
      throw unreadable("its field \(type) has \(field.count) bytes and should have more")
    }
  }

  /// As `read`, for a TLV without which the answer is of no use.
  func require<Value>(
    _ type: UInt8, _ body: (inout FieldReader) throws(FieldReader.Short) -> Value
  ) throws(ModemError) -> Value {
    guard let value = try read(type, body) else { throw unreadable("its field \(type) is missing") }
    return value
  }

  /// The error that the modem answered with; nil when it did what it was asked.
  /// - Throws: `badReply` where the answer does not say.
  var refusal: QmiProtocolError? {
    get throws(ModemError) {
      let (status, code) = try require(2) { field throws(FieldReader.Short) in (try field.u16(), try field.u16()) }
      return status == 0 ? nil : QmiProtocolError(rawValue: .init(clamping: code))
    }
  }

  /// Throws when the modem refused.
  func check() throws(ModemError) {
    if let refusal = try refusal { throw ModemError(refusal, during: name) }
  }

  private func unreadable(_ why: String) -> ModemError {
    ModemError(.badReply, "\(name): the modem's answer cannot be read", cause: why)
  }
}
