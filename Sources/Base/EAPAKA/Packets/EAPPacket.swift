/// An EAP packet of a server (RFC 3748, 4).
package enum EAPPacket: Hashable, Sendable {
  case request(identifier: UInt8, type: UInt8)
  case success(identifier: UInt8)
  case failure(identifier: UInt8)

  /// Bytes of a packet that is read. The largest of EAP-AKA has less than a kilobyte.
  package static let limit = 4096

  enum Code {
    static let request: UInt8 = 1
    static let response: UInt8 = 2
    static let success: UInt8 = 3
    static let failure: UInt8 = 4
  }

  /// Types of RFC 3748, 5, which every peer has.
  enum BasicType {
    static let identity: UInt8 = 1
    static let notification: UInt8 = 2
    static let nak: UInt8 = 3
  }

  package init(_ bytes: [UInt8]) throws(EAPRefusal) {
    guard bytes.count <= Self.limit else { throw .tooLong }
    guard bytes.count >= 4, Int(bytes[2]) << 8 | Int(bytes[3]) == bytes.count else { throw .length }
    switch bytes[0] {
    case Code.request:
      guard bytes.count > 4 else { throw .length }
      self = .request(identifier: bytes[1], type: bytes[4])
    case Code.success, Code.failure:
      guard bytes.count == 4 else { throw .length }
      self = bytes[0] == Code.success ? .success(identifier: bytes[1]) : .failure(identifier: bytes[1])
    default: throw .code(bytes[0])
    }
  }

  /// The identifier that an answer to these bytes needs; nil if nobody waits for one.
  static func answerable(_ bytes: [UInt8]) -> UInt8? {
    bytes.count >= 2 && bytes[0] == Code.request ? bytes[1] : nil
  }

  /// A packet with a type and what belongs to it, the length set.
  static func composed(_ code: UInt8, _ identifier: UInt8, type: UInt8, _ data: [UInt8] = []) -> [UInt8] {
    [code, identifier] + UInt16(clamping: data.count + 5).bytes + [type] + data
  }
}
