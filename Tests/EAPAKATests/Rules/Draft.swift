import ModemModel
import Testing

@testable import EAPAKA

/// A server's message of which a test may change anything. AT_MAC is right unless the test damages
/// the packet itself.
struct Draft: Sendable {
  var method: EAPMethod
  var subtype: UInt8
  /// Each of them whole, type and length included.
  var attributes: [[UInt8]] = []

  init(_ method: EAPMethod, _ subtype: AKASubtype) {
    self.method = method
    self.subtype = subtype.rawValue
  }

  mutating func add(_ type: AttributeType, _ content: [UInt8] = []) throws {
    var text = AttributeText()
    try text.add(type, content)
    attributes.append(text.bytes)
  }

  mutating func add(_ type: AttributeType, _ number: UInt16) throws { try add(type, number.bytes) }

  mutating func add(encrypted inner: Draft, _ keys: SessionKeys, unpadded: Bool = false) throws {
    var bytes = inner.attributes.flatMap(\.self)
    let missing = (16 - bytes.count % 16) % 16
    if missing > 0, !unpadded {
      bytes += [AttributeType.padding.rawValue, UInt8(missing / 4)] + [UInt8](repeating: 0, count: missing - 2)
    }
    let vector = [UInt8](0x20..<0x30)
    try add(.vector, vector)
    try add(.encryptedData, try Libcrypto.cipher(.encrypt, key: keys.encryption, vector: vector, bytes))
  }

  mutating func remove(_ type: AttributeType) { attributes.removeAll { $0[0] == type.rawValue } }

  /// Puts another content into an attribute that is there.
  mutating func set(_ type: AttributeType, _ content: [UInt8]) throws {
    var text = AttributeText()
    try text.add(type, content)
    let place = try #require(attributes.firstIndex { $0[0] == type.rawValue })
    attributes[place] = text.bytes
  }

  /// Puts other bytes in place of an attribute that is there.
  mutating func replace(_ type: AttributeType, _ bytes: [UInt8]) throws {
    let place = try #require(attributes.firstIndex { $0[0] == type.rawValue })
    attributes[place] = bytes
  }

  func packet(identifier: UInt8, _ keys: SessionKeys? = nil, nonce: [UInt8] = []) throws -> [UInt8] {
    var packet = EAPPacket.composed(
      EAPPacket.Code.request, identifier, type: method.type, [subtype, 0, 0] + attributes.flatMap(\.self))
    guard let keys else { return packet }
    var place = 8
    for attribute in attributes {
      if attribute[0] == AttributeType.mac.rawValue, attribute.count == 20 {
        let code = try keys.code(of: packet, nonce: nonce).revealed
        packet.replaceSubrange((place + 4)..<(place + 20), with: code)
      }
      place += attribute.count
    }
    return packet
  }
}

/// A challenge of the tests' subscriber.
struct Challenge: Sendable {
  let vector: AKAChallenge
  var draft: Draft

  /// - Parameters:
  ///   - sequence: the last byte of SQN.
  ///   - amf: two bytes; the first bit is the separation bit.
  init(_ method: EAPMethod, sequence: UInt8 = 0x20, amf: [UInt8] = [0x80, 0]) throws {
    let made = Subscriber.milenage.vector(
      rand: [UInt8](repeating: sequence, count: 16), sequence: [0, 0, 0, 0, 0, sequence], amf: amf)
    vector = try #require(AKAChallenge(rand: made.rand, autn: made.autn))
    draft = Draft(method, .challenge)
    try draft.add(.rand, made.rand)
    try draft.add(.autn, made.autn)
    if method == .akaPrime {
      try draft.add(.keyDerivation, 1)
      try draft.add(.keyDerivationInput, Array(Subscriber.network.utf8))
    }
    try draft.add(.mac, [UInt8](repeating: 0, count: 16))
  }

  /// Without a right AT_MAC.
  func packet(identifier: UInt8) throws -> [UInt8] { try draft.packet(identifier: identifier) }
}
