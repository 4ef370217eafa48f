import AuthCore
import JSONTree
import MPin
import ModemModel

/// A signature of a document's hash, with what a verifier needs beside it.
public struct MIRACLSignature: Hashable, Sendable {
  public let hash: MIRACLHash
  public let signature: MPinSignature
  let key: MPinIdentity
  let dtas: String

  /// Seconds since 1970.
  public var timestamp: UInt32 { signature.timestamp }

  /// Signs with an identity whose PIN was found right just before: a wrong one would make a signature that nobody accepts.
  ///
  /// - Parameters:
  ///   - now: the moment that the signature is dated with.
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

  /// As verifiers read it. The M-Pin id has the user's name in it.
  ///
  /// - Parameter withTime: whether the timestamp stands in it; older sessions have it beside the signature.
  public func document(withTime: Bool = true) -> JSONValue {
    .members([
      "hash": .string(hash.hex), "u": .string(signature.u.hex), "v": .string(signature.v.hex),
      "mpinId": .string(key.mpinIdHex), "publicKey": .string(key.publicKey.hex), "dtas": .string(dtas),
      "timestamp": withTime ? .int(Int(timestamp)) : nil,
    ])
  }

  /// As a session takes it: its document in base64.
  var encoded: String { Base64.encode(Array(document().text.utf8)) }
}
