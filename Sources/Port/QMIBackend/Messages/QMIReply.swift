import CQMI
import ModemModel

/// The modem's answer or indication: the TLVs of its message, copied out.
struct QMIReply: Sendable {
  /// The command's name in errors.
  let name: String
  private let fields: [UInt8: [UInt8]]

  init(name: String, fields: [UInt8: [UInt8]]) {
    self.name = name
    self.fields = fields
  }

  /// Copies a message's TLVs; libqmi has checked their bounds.
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

  /// The value of a TLV; nil if the message has none of this type.
  subscript(type: UInt8) -> [UInt8]? { fields[type] }

  /// Reads a TLV; nil if the message has none of this type.
  /// - Throws: `badReply` if it is too short.
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

  /// Like `read`, for a TLV that the answer must have.
  func require<Value>(
    _ type: UInt8, _ body: (inout FieldReader) throws(FieldReader.Short) -> Value
  ) throws(ModemError) -> Value {
    guard let value = try read(type, body) else { throw unreadable("its field \(type) is missing") }
    return value
  }

  /// The error in the modem's answer; nil if it succeeded.
  /// - Throws: `badReply` if the answer has no result.
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
