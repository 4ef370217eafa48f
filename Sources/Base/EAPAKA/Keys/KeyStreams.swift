import ModemModel

/// The two generators that stretch a secret to the keys of a login.
enum KeyStreams {
  /// FIPS 186-2, appendix 3.1 with change notice 1, as EAP-AKA uses it (RFC 4187, appendix A): no
  /// seed of the user's, and no reduction modulo q.
  ///
  /// - Parameters:
  ///   - seed: XKEY, 20 bytes.
  ///   - count: bytes that are wanted.
  static func fips186(seed: WipedBytes, count: Int) throws(EAPRefusal) -> WipedBytes {
    var key = seed
    var words: [WipedBytes] = []
    while words.count * Libcrypto.Hash.sha1.count < count {
      let block = WipedBytes(joining: key, WipedBytes(count: 64 - key.count) { _ in })
      let word = try Libcrypto.sha1Compression(of: block)
      key = next(key, word)
      words.append(word)
    }
    return WipedBytes(joining: words).part(0..<count)
  }

  /// 1 + XKEY + w, modulo 2^160.
  private static func next(_ key: WipedBytes, _ word: WipedBytes) -> WipedBytes {
    WipedBytes(count: word.count) { sum in
      key.withBytes { key in
        word.withBytes { word in
          var carry = 1
          for place in sum.indices.reversed() {
            carry += Int(key[place]) + Int(word[place])
            sum[place] = UInt8(truncatingIfNeeded: carry)
            carry >>= 8
          }
        }
      }
    }
  }

  /// PRF′ (RFC 9048, 3.4.1).
  ///
  /// - Parameters:
  ///   - text: S.
  ///   - count: bytes that are wanted, at most 255 times 32.
  static func prfPrime(key: WipedBytes, _ text: WipedBytes, count: Int) throws(EAPRefusal) -> WipedBytes {
    var parts: [WipedBytes] = []
    var last = WipedBytes([])
    var number: UInt8 = 0
    while parts.count * Libcrypto.Hash.sha256.count < count {
      guard number < .max else { throw .library }
      number += 1
      last = try Libcrypto.code(.sha256, key: key, WipedBytes(joining: last, text, WipedBytes([number])))
      parts.append(last)
    }
    return WipedBytes(joining: parts).part(0..<count)
  }
}
