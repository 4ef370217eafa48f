internal import CEAPCrypto
import ModemModel

/// The hashes, the code and the cipher of EAP-AKA, of libcrypto. Each throws `library` where
/// libcrypto refuses: without memory, where its openssl.cnf leaves the algorithm out, or where it
/// cannot be loaded.
enum Libcrypto {
  enum Hash: Sendable {
    case sha1
    case sha256

    /// Bytes of a digest.
    var count: Int { self == .sha1 ? 20 : 32 }
  }

  /// Bytes of a block of AES, and of its key.
  static let blockCount = 16

  static func digest(_ hash: Hash, _ message: WipedBytes) throws(EAPRefusal) -> WipedBytes {
    try output(hash.count) { output in
      message.withBytes { ceap_digest(hash.count, $0.baseAddress, $0.count, output) == 1 }
    }
  }

  /// HMAC (RFC 2104), of all its bytes.
  static func code(_ hash: Hash, key: WipedBytes, _ message: WipedBytes) throws(EAPRefusal) -> WipedBytes {
    try output(hash.count) { output in
      key.withBytes { key in
        message.withBytes { ceap_code(hash.count, key.baseAddress, key.count, $0.baseAddress, $0.count, output) == 1 }
      }
    }
  }

  /// SHA-1's compression of one block, from its first state and without padding.
  ///
  /// - Parameter block: 64 bytes.
  /// - Returns: 20 bytes.
  static func sha1Compression(of block: WipedBytes) throws(EAPRefusal) -> WipedBytes {
    guard block.count == 64 else { throw .library }
    return try output(Hash.sha1.count) { output in
      block.withBytes { ceap_sha1_compression($0.bindMemory(to: UInt8.self).baseAddress, output) == 1 }
    }
  }

  enum Direction: Int32 {
    case decrypt = 0
    case encrypt = 1
  }

  /// AES-128-CBC (NIST SP 800-38A) without padding.
  ///
  /// - Parameters:
  ///   - vector: 16 bytes.
  ///   - text: whole blocks.
  static func cipher(
    _ direction: Direction, key: WipedBytes, vector: [UInt8], _ text: [UInt8]
  ) throws(EAPRefusal) -> [UInt8] {
    guard key.count == blockCount, vector.count == blockCount, text.count.isMultiple(of: blockCount) else {
      throw .library
    }
    var result = [UInt8](repeating: 0, count: text.count)
    let isDone = key.withBytes {
      let start = $0.bindMemory(to: UInt8.self).baseAddress
      return ceap_cipher(direction.rawValue, start, vector, text, text.count, &result) == 1
    }
    guard isDone else { throw .library }
    return result
  }

  /// Takes the same time wherever the first difference is.
  static func isEqual(_ one: WipedBytes, _ other: [UInt8]) -> Bool { one == WipedBytes(other) }

  private static func output(
    _ count: Int, _ fill: (UnsafeMutablePointer<UInt8>?) -> Bool
  ) throws(EAPRefusal) -> WipedBytes {
    var isDone = false
    let bytes = WipedBytes(count: count) { isDone = fill($0.bindMemory(to: UInt8.self).baseAddress) }
    guard isDone else { throw .library }
    return bytes
  }
}

extension WipedBytes {
  /// One after the other, without another copy.
  init(joining parts: WipedBytes...) { self.init(joining: parts) }

  init(joining parts: [WipedBytes]) {
    self.init(count: parts.reduce(0) { $0 + $1.count }) { buffer in
      var place = 0
      for part in parts {
        part.withBytes { UnsafeMutableRawBufferPointer(rebasing: buffer[place...]).copyMemory(from: $0) }
        place += part.count
      }
    }
  }

  /// A part of them; what is past the end is left out.
  func part(_ range: Range<Int>) -> WipedBytes { withBytes { WipedBytes($0[range.clamped(to: 0..<count)]) } }
}
