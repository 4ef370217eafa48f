import AuthCore
import JSONTree

/// A signed token in compact form (RFC 7515, 7.1), read strictly: what two readers could take
/// differently is none.
struct CompactToken {
  /// Of the protected header.
  let header: JSONValue
  /// Of the payload. What they must say is checked where it is known.
  let claims: JSONValue
  /// The bytes that were signed (RFC 7515, 5.1, step 5).
  let signed: [UInt8]
  let signature: [UInt8]

  /// Longer ones are no provider's.
  static let longest = 1 << 20

  /// Reads a token; nil for anything that is not exactly one.
  init?(_ text: String) {
    guard text.utf8.count <= Self.longest else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
      let signature = Self.bytes(parts[2])
    else { return nil }
    self.header = header
    self.claims = claims
    self.signature = signature
    signed = Array("\(parts[0]).\(parts[1])".utf8)
  }

  /// Signs claims.
  ///
  /// - Parameter signature: makes the signature of these bytes.
  static func make(_ header: JSONValue, _ claims: JSONValue, signature: ([UInt8]) -> [UInt8]?) -> String? {
    let signed = [header, claims].map { Base64.encodeURL(Array($0.text.utf8)) }.joined(separator: ".")
    return signature(Array(signed.utf8)).map { "\(signed).\(Base64.encodeURL($0))" }
  }

  private static func object(_ part: Substring) -> JSONValue? {
    guard let bytes = bytes(part), let value = JSONValue(parsing: bytes), case .object = value else { return nil }
    return value
  }

  /// The alphabet for URLs alone, without padding, and with no bit that says nothing (RFC 7515, 2):
  /// one text for each value.
  private static func bytes(_ part: Substring) -> [UInt8]? {
    guard let bytes = Base64.decode(part), Base64.encodeURL(bytes) == part else { return nil }
    return bytes
  }
}
