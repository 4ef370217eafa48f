import ModemModel

/// All keys of a full authentication. The peer keeps those of the session alone.
package struct LoginKeys: Hashable, Sendable {
  package let session: SessionKeys
  /// MSK: 64 bytes, for whoever EAP protects, such as a Wi-Fi. Nothing in modemd uses it.
  package let master: WipedBytes
  /// EMSK: 64 bytes.
  package let extendedMaster: WipedBytes

  /// Of EAP-AKA (RFC 4187, 7).
  ///
  /// - Parameter identity: the one that the peer sent last, byte for byte.
  package init(identity: [UInt8], ck: WipedBytes, ik: WipedBytes) throws(EAPRefusal) {
    let key = try Libcrypto.digest(.sha1, WipedBytes(joining: WipedBytes(identity), ik, ck))
    let stream = try KeyStreams.fips186(seed: key, count: 160)
    session = SessionKeys(
      method: .aka, encryption: stream.part(0..<16), authentication: stream.part(16..<32), reauthentication: key)
    master = stream.part(32..<96)
    extendedMaster = stream.part(96..<160)
  }

  /// Of EAP-AKA′ (RFC 9048, 3.3).
  ///
  /// - Parameters:
  ///   - identity: the one that the peer sent last, byte for byte.
  ///   - networkName: of AT_KDF_INPUT.
  ///   - autn: of the challenge, 16 bytes.
  package init(
    identity: [UInt8], ck: WipedBytes, ik: WipedBytes, networkName: [UInt8], autn: [UInt8]
  ) throws(EAPRefusal) {
    let bound = try BoundKeys(ck: ck, ik: ik, networkName: networkName, autn: autn)
    let text = WipedBytes(Array("EAP-AKA'".utf8) + identity)
    let stream = try KeyStreams.prfPrime(key: WipedBytes(joining: bound.ik, bound.ck), text, count: 208)
    session = SessionKeys(
      method: .akaPrime, encryption: stream.part(0..<16), authentication: stream.part(16..<48),
      reauthentication: stream.part(48..<80))
    master = stream.part(80..<144)
    extendedMaster = stream.part(144..<208)
  }
}

/// CK′ and IK′: the card's keys, bound to the name of a network (3GPP TS 33.402, annex A.2).
struct BoundKeys: Hashable, Sendable {
  let ck: WipedBytes
  let ik: WipedBytes

  init(ck: WipedBytes, ik: WipedBytes, networkName: [UInt8], autn: [UInt8]) throws(EAPRefusal) {
    // SQN⊕AK is the first part of AUTN.
    let text = [0x20] + networkName + UInt16(clamping: networkName.count).bytes + autn.prefix(6) + UInt16(6).bytes
    let both = try Libcrypto.code(.sha256, key: WipedBytes(joining: ck, ik), WipedBytes(text))
    self.ck = both.part(0..<16)
    self.ik = both.part(16..<32)
  }
}

extension UInt16 {
  /// The higher byte first.
  var bytes: [UInt8] { [UInt8(self >> 8), UInt8(self & 0xff)] }
}
