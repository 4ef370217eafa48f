import ModemModel

/// A message of EAP-AKA or EAP-AKA′ that is to be sent (RFC 4187, 8.1).
package struct AKAMessage: Hashable, Sendable {
  package let subtype: AKASubtype
  private var attributes = AttributeText()

  package init(_ subtype: AKASubtype) { self.subtype = subtype }

  package mutating func add(_ type: AttributeType, _ content: [UInt8] = []) throws(EAPRefusal) {
    try attributes.add(type, content)
  }

  package mutating func add(_ type: AttributeType, _ number: UInt16) throws(EAPRefusal) {
    try attributes.add(type, number)
  }

  /// Adds AT_IV and AT_ENCR_DATA (RFC 4187, 10.12).
  ///
  /// - Parameter vector: 16 random bytes.
  package mutating func addEncrypted(
    _ inner: AttributeText, keys: SessionKeys, vector: [UInt8]
  ) throws(EAPRefusal) {
    var inner = inner
    let missing = (16 - inner.bytes.count % 16) % 16
    if missing > 0 { try inner.add(.padding, [UInt8](repeating: 0, count: missing - 2)) }
    let text = try Libcrypto.cipher(.encrypt, key: keys.encryption, vector: vector, inner.bytes)
    try attributes.add(.vector, vector)
    try attributes.add(.encryptedData, text)
  }

  /// The packet without AT_MAC.
  ///
  /// - Parameter isRequest: whether it is a server's.
  package func packet(_ method: EAPMethod, identifier: UInt8, isRequest: Bool = false) -> [UInt8] {
    EAPPacket.composed(
      isRequest ? EAPPacket.Code.request : EAPPacket.Code.response, identifier, type: method.type,
      [subtype.rawValue, 0, 0] + attributes.bytes)
  }

  /// The packet with AT_MAC behind all else.
  ///
  /// - Parameter nonce: as of `SessionKeys.code`.
  package func packet(
    protectedBy keys: SessionKeys, identifier: UInt8, nonce: [UInt8] = [], isRequest: Bool = false
  ) throws(EAPRefusal) -> [UInt8] {
    var message = self
    try message.add(.mac, [UInt8](repeating: 0, count: 16))
    let packet = message.packet(keys.method, identifier: identifier, isRequest: isRequest)
    return packet.dropLast(16) + (try keys.code(of: packet, nonce: nonce)).revealed
  }
}

/// A message of EAP-AKA or EAP-AKA′ that came.
package struct ReceivedMessage: Hashable, Sendable {
  /// All of it, EAP's header included.
  package let packet: [UInt8]
  package let identifier: UInt8
  package let subtype: AKASubtype

  /// Bytes ahead of the attributes.
  private static let headCount = 8

  /// - Parameter packet: of an EAP packet whose header has been checked.
  package init(_ packet: [UInt8]) throws(EAPRefusal) {
    guard packet.count >= Self.headCount else { throw .length }
    guard let subtype = AKASubtype(rawValue: packet[5]) else { throw .subtype(packet[5]) }
    self.packet = packet
    self.subtype = subtype
    identifier = packet[1]
  }

  package func attributes(_ expected: AttributeList.Expected) throws(EAPRefusal) -> AttributeList {
    try AttributeList(reading: packet[Self.headCount...], expected)
  }

  /// Compares AT_MAC, in constant time.
  package func check(_ attributes: AttributeList, _ keys: SessionKeys, nonce: [UInt8] = []) throws(EAPRefusal) {
    guard let place = attributes.macPlace else { throw .missingAttribute(.mac) }
    let range = (place + Self.headCount)..<(place + Self.headCount + 16)
    var blank = packet
    blank.replaceSubrange(range, with: repeatElement(0, count: range.count))
    guard Libcrypto.isEqual(try keys.code(of: blank, nonce: nonce), Array(packet[range])) else { throw .mac }
  }
}

extension AttributeList {
  /// The attributes in AT_ENCR_DATA; nil if there are none.
  package func decrypted(_ keys: SessionKeys, _ expected: Expected) throws(EAPRefusal) -> AttributeList? {
    guard let text = self[.encryptedData] else { return nil }
    let plain = try Libcrypto.cipher(.decrypt, key: keys.encryption, vector: try content(.vector), text)
    return try AttributeList(reading: plain[...], expected)
  }
}
