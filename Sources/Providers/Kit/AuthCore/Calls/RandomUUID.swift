import ModemModel

/// Random ids of one request (RFC 9562, 5.4).
package enum RandomUUID {
  /// - Parameter random: 16 bytes; what is missing counts as zeros.
  package static func text(of random: [UInt8]) -> String {
    var bytes = Array((random + [UInt8](repeating: 0, count: 16)).prefix(16))
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { Hexadecimal.text(of: bytes[$0]) }.joined(separator: "-")
  }
}
