import NIOCore

/// A reply's parameters as JSON, encoded once and sent for as long as they are valid.
public struct EncodedReply<Reply: Encodable & Sendable>: Sendable {
  let bytes: [UInt8]

  public init(_ reply: Reply) { bytes = JSONCoding.encode(reply) }

  /// The parameters as JSON.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// A reply whose only field is made of a part.
  package init(field: StaticString, _ part: EncodedPart) {
    bytes = Self.object(field, size: part.bytes.count) { $0 += part.bytes }
  }

  /// A reply whose only field is a list of parts.
  package init(field: StaticString, _ parts: [EncodedPart]) {
    bytes = Self.object(field, size: parts.reduce(2) { $0 + $1.bytes.count + 1 }) { bytes in
      bytes.append(UInt8(ascii: "["))
      for (position, part) in parts.enumerated() {
        if position > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes += part.bytes
      }
      bytes.append(UInt8(ascii: "]"))
    }
  }

  private static func object(_ field: StaticString, size: Int, _ write: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size + field.utf8CodeUnitCount + 5)
    bytes += "{\"".utf8
    field.withUTF8Buffer { bytes += $0 }
    bytes += "\":".utf8
    write(&bytes)
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }
}

/// A part of a reply as JSON, encoded once for several replies.
package struct EncodedPart: Sendable {
  fileprivate let bytes: [UInt8]

  package init(_ value: some Encodable) { bytes = JSONCoding.encode(value) }
}

/// Frames in wire format: an object around encoded parameters, ended by NUL.
enum Frame {
  static func reply(_ parameters: [UInt8], continues: Bool) -> ByteBuffer {
    var buffer = ByteBuffer()
    buffer.reserveCapacity(parameters.count + 40)
    buffer.writeStaticString("{\"parameters\":")
    buffer.writeBytes(parameters)
    buffer.writeStaticString(continues ? ",\"continues\":true}\0" : "}\0")
    return buffer
  }

  static func error(_ error: VarlinkError) -> ByteBuffer {
    var buffer = ByteBuffer()
    buffer.writeStaticString("{\"error\":")
    buffer.writeBytes(JSONCoding.encode(error.name))
    buffer.writeStaticString(",\"parameters\":")
    buffer.writeBytes(error.encodedParameters)
    buffer.writeStaticString("}\0")
    return buffer
  }

  static func call<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, more: Bool = false, upgrade: Bool = false
  ) -> ByteBuffer {
    var buffer = ByteBuffer()
    buffer.writeString("{\"method\":\"\(Method.name)\",\"parameters\":")
    buffer.writeBytes(JSONCoding.encode(parameters: parameters))
    if more { buffer.writeStaticString(",\"more\":true") }
    if upgrade { buffer.writeStaticString(",\"upgrade\":true") }
    buffer.writeStaticString("}\0")
    return buffer
  }
}
