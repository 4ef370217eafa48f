import NIOCore

/// A reply's parameters as JSON, encoded once and sent for as long as they are valid.
public struct EncodedReply<Reply: Encodable & Sendable>: Sendable {
  let bytes: [UInt8]

  public init(_ reply: Reply) { bytes = JSONCoding.encode(reply) }
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
