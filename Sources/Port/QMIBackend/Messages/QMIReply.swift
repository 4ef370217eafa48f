import CQMI
import ModemModel

/// The modem's answer or indication: the TLVs of its message, copied out.
struct QMIReply: Sendable {
  /// The command's name in errors.
  let name: String
  /// The values of all TLVs, one behind the other, and where each is. A message has few TLVs.
  private var values: [UInt8] = []
  private var places: [(type: UInt8, range: Range<Int>)] = []

  init(name: String, fields: [UInt8: [UInt8]]) {
    self.name = name
    for (type, value) in fields { value.withUnsafeBufferPointer { add(type, $0) } }
  }

  /// Copies a message's TLVs; libqmi has checked their bounds.
  init(name: String, copying message: UnsafeMutablePointer<QmiMessage>) {
    self.init(name: name, fields: [:])
    withUnsafeMutablePointer(to: &self) {
      qmi_message_foreach_raw_tlv(
        message,
        { type, value, length, reply in
          // Impossible: the pointer is that of this reply, given below.
          reply!.assumingMemoryBound(to: QMIReply.self).pointee
            .add(type, UnsafeBufferPointer(start: value, count: Int(length)))
        }, $0)
    }
  }

  /// Adds a TLV. Of several of one type, the last one counts.
  private mutating func add(_ type: UInt8, _ value: UnsafeBufferPointer<UInt8>) {
    let range = values.count..<values.count + value.count
    values.append(contentsOf: value)
    if let index = places.firstIndex(where: { $0.type == type }) {
      places[index].range = range
    } else {
      places.append((type, range))
    }
  }

  private func value(_ type: UInt8) -> ArraySlice<UInt8>? {
    places.first { $0.type == type }.map { values[$0.range] }
  }

  /// The value of a TLV; nil if the message has none of this type.
  subscript(type: UInt8) -> [UInt8]? { value(type).map(Array.init) }

  /// Reads a TLV; nil if the message has none of this type.
  /// - Throws: `badReply` if it is too short.
  func read<Value>(
    _ type: UInt8, _ body: (inout FieldReader) throws(FieldReader.Short) -> Value
  ) throws(ModemError) -> Value? {
    guard let field = value(type) else { return nil }
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
