import FoundationEssentials

/// Base64 for URLs and tokens, without padding (RFC 4648, 5).
package enum Base64URL {
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    String(
      Data(Array(bytes)).base64EncodedString().compactMap { character in
        character == "+" ? "-" : character == "/" ? "_" : character == "=" ? nil : character
      })
  }

  /// Nil for what is no Base64.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let plain = String(text).replacing("-", with: "+").replacing("_", with: "/")
    return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)).map { Array($0) }
  }
}
