import ModemModel

/// What packets of one login, and of its fast re-authentications, are protected with.
package struct SessionKeys: Hashable, Sendable {
  package let method: EAPMethod
  /// K_encr: 16 bytes.
  package let encryption: WipedBytes
  /// K_aut: 16 bytes with EAP-AKA, 32 with EAP-AKA′.
  package let authentication: WipedBytes
  /// What the keys after a fast re-authentication come from: MK with EAP-AKA (20 bytes), K_re with
  /// EAP-AKA′ (32 bytes).
  package let reauthentication: WipedBytes

  /// The value of a packet's AT_MAC (RFC 4187, 10.15; RFC 9048, 3.5).
  ///
  /// - Parameters:
  ///   - packet: whole, zeros in place of the value.
  ///   - nonce: what follows it in an answer to a fast re-authentication: NONCE_S.
  /// - Returns: 16 bytes.
  package func code(of packet: [UInt8], nonce: [UInt8] = []) throws(EAPRefusal) -> WipedBytes {
    try Libcrypto.code(method.hash, key: authentication, WipedBytes(packet + nonce)).part(0..<16)
  }
}

extension EAPMethod {
  /// Of codes and of AT_CHECKCODE.
  var hash: Libcrypto.Hash { self == .aka ? .sha1 : .sha256 }

  /// The EAP type.
  package var type: UInt8 { self == .aka ? 23 : 50 }

  /// As people write it.
  var name: String { self == .aka ? "EAP-AKA" : "EAP-AKA′" }
}
