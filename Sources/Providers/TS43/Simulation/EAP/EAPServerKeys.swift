import Crypto
import CryptoExtras
import ModemModel

/// The keys that the server derives of one authentication (RFC 4187, 7; RFC 9048, 3.3).
struct EAPServerKeys: Hashable, Sendable {
  let method: EAPMethod
  /// K_encr: encrypts attributes.
  let encryption: [UInt8]
  /// K_aut: authenticates packets.
  let authentication: [UInt8]

  /// Of EAP-AKA.
  ///
  /// - Parameter identity: what the peer said last.
  init(aka identity: [UInt8], ck: [UInt8], ik: [UInt8]) {
    method = .aka
    let stream = PseudorandomFunction.fips186(key: Array(Insecure.SHA1.hash(data: identity + ik + ck)), count: 32)
    encryption = Array(stream[..<16])
    authentication = Array(stream[16...])
  }

  /// Of EAP-AKA′.
  ///
  /// - Parameter concealed: SQN ⊕ AK, the first six bytes of AUTN.
  init(akaPrime identity: [UInt8], ck: [UInt8], ik: [UInt8], networkName: [UInt8], concealed: [UInt8]) {
    method = .akaPrime
    // 3GPP TS 33.402, A.2: FC, the name with its length, SQN ⊕ AK with its length.
    let input = [0x20] + networkName + EAPServerPacket.word(networkName.count) + concealed + [0, 6]
    let bound = PseudorandomFunction.hmacSHA256(ck + ik, input)
    let (ckPrime, ikPrime) = (Array(bound[..<16]), Array(bound[16...]))
    let stream = PseudorandomFunction.iterated(
      key: ikPrime + ckPrime, seed: Array("EAP-AKA'".utf8) + identity, count: 48)
    encryption = Array(stream[..<16])
    authentication = Array(stream[16...])
  }

  /// The 16 bytes of AT_MAC.
  func mac(_ bytes: [UInt8]) -> [UInt8] {
    let key = SymmetricKey(data: authentication)
    switch method {
    case .aka: return Array(HMAC<Insecure.SHA1>.authenticationCode(for: bytes, using: key).prefix(16))
    case .akaPrime: return Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key).prefix(16))
    }
  }

  /// AT_IV and AT_ENCR_DATA with some attributes, padded to whole blocks.
  func encrypted(_ fields: [EAPServerPacket.Field], vector: [UInt8]) -> [EAPServerPacket.Field] {
    var plain = fields.flatMap(\.bytes)
    let missing = (16 - plain.count % 16) % 16
    if missing > 0 {
      plain += [EAPServerPacket.Attribute.padding, UInt8(missing / 4)] + [UInt8](repeating: 0, count: missing - 2)
    }
    guard let iv = try? AES._CBC.IV(ivBytes: vector),
      let hidden = try? AES._CBC.encrypt(plain, using: SymmetricKey(data: encryption), iv: iv, noPadding: true)
    else { return [] }
    return [
      .reserved(EAPServerPacket.Attribute.vector, vector),
      .reserved(EAPServerPacket.Attribute.encrypted, Array(hidden)),
    ]
  }

  /// The attributes in AT_ENCR_DATA of a packet; nil if there are none that can be read.
  func decrypted(_ packet: EAPServerPacket) -> [EAPServerPacket.Field]? {
    guard let vector = packet.first(EAPServerPacket.Attribute.vector)?.afterReserved,
      let hidden = packet.first(EAPServerPacket.Attribute.encrypted)?.afterReserved,
      let iv = try? AES._CBC.IV(ivBytes: vector),
      let plain = try? AES._CBC.decrypt(hidden, using: SymmetricKey(data: encryption), iv: iv, noPadding: true)
    else { return nil }
    return EAPServerPacket.fields(Array(plain))
  }

  /// AT_CHECKCODE's value over some whole packets; empty without any (RFC 4187, 10.13).
  static func checkcode(_ method: EAPMethod, _ packets: [[UInt8]]) -> [UInt8] {
    if packets.isEmpty { return [] }
    let bytes = packets.flatMap { $0 }
    return method == .aka ? Array(Insecure.SHA1.hash(data: bytes)) : Array(SHA256.hash(data: bytes))
  }
}

/// How the two methods make keys.
enum PseudorandomFunction {
  static func hmacSHA256(_ key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: key)))
  }

  /// PRF′ (RFC 9048, 3.4.1).
  static func iterated(key: [UInt8], seed: [UInt8], count: Int) -> [UInt8] {
    var (stream, block, number) = ([UInt8](), [UInt8](), UInt8(1))
    while stream.count < count {
      block = hmacSHA256(key, block + seed + [number])
      stream += block
      number += 1
    }
    return Array(stream.prefix(count))
  }

  /// The generator of FIPS 186-2, change notice 1, with 160 bits and no XSEED (RFC 4187, appendix
  /// A). Its G is SHA-1's compression alone, which no library offers.
  static func fips186(key: [UInt8], count: Int) -> [UInt8] {
    var (stream, seed) = ([UInt8](), key)
    while stream.count < count {
      let block = compressed(seed + [UInt8](repeating: 0, count: 44))
      stream += block
      // seed = (1 + seed + block) mod 2^160
      var carry = 1
      for index in seed.indices.reversed() {
        carry += Int(seed[index]) + Int(block[index])
        seed[index] = UInt8(carry & 0xff)
        carry >>= 8
      }
    }
    return Array(stream.prefix(count))
  }

  /// SHA-1's compression of one block of 64 bytes, from its initial value (FIPS 180-4, 6.1.2).
  private static func compressed(_ block: [UInt8]) -> [UInt8] {
    func turned(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
    var words = (0..<16).map { index in
      block[(index * 4)..<(index * 4 + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<80 {
      words.append(turned(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1))
    }
    let start: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
    var (a, b, c, d, e) = (start[0], start[1], start[2], start[3], start[4])
    for (index, word) in words.enumerated() {
      let (mixed, constant): (UInt32, UInt32)
      switch index / 20 {
      case 0: (mixed, constant) = (b & c | ~b & d, 0x5a82_7999)
      case 1: (mixed, constant) = (b ^ c ^ d, 0x6ed9_eba1)
      case 2: (mixed, constant) = (b & c | b & d | c & d, 0x8f1b_bcdc)
      default: (mixed, constant) = (b ^ c ^ d, 0xca62_c1d6)
      }
      let next = turned(a, 5) &+ mixed &+ e &+ constant &+ word
      (a, b, c, d, e) = (next, a, turned(b, 30), c, d)
    }
    return zip(start, [a, b, c, d, e]).flatMap { one, other in
      let sum = one &+ other
      return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
    }
  }
}
