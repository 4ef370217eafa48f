import AuthCore
import JSONTree
import MPin
import ModemModel

/// A signature of a document's hash, with the data that a verifier needs.
package struct MIRACLSignature: Hashable, Sendable {
  package let hash: MIRACLHash
  package let signature: MPinSignature
  let key: MPinIdentity
  let dtas: String

  /// Seconds since 1970.
  package var timestamp: UInt32 { signature.timestamp }

  /// Signs with an identity whose PIN has just been proved: a wrong PIN would make a signature that
  /// nobody accepts.
  ///
  /// - Parameters:
  ///   - now: the date of the signature.
  ///   - randomness: gives x.
  init(
    of hash: MIRACLHash, by identity: MIRACLIdentity, pin: UserPIN, at now: Timestamp, randomness: RandomSource
  ) throws(MPinError) {
    self.hash = hash
    signature = try MPinSignature(
      of: hash.bytes, timestamp: UInt32(clamping: now.milliseconds / 1000), identity: identity.key,
      token: identity.token, pin: pin, randomness: randomness)
    key = identity.key
    dtas = identity.dtas
  }

  /// In the form for verifiers. The M-Pin id contains the user's name.
  ///
  /// - Parameter withTime: whether to include the timestamp; older sessions take it separately.
  package func document(withTime: Bool = true) -> JSONValue {
    .members([
      "hash": .string(hash.hex), "u": .string(signature.u.hex), "v": .string(signature.v.hex),
      "mpinId": .string(key.mpinIdHex), "publicKey": .string(key.publicKey.hex), "dtas": .string(dtas),
      "timestamp": withTime ? .int(Int(timestamp)) : nil,
    ])
  }

  /// In the form for a session: its document in base64.
  var encoded: String { Base64.encode(Array(document().text.utf8)) }
}
