import FoundationEssentials

/// Base64 in its two alphabets (RFC 4648, 4 and 5).
package enum Base64 {
  package static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  /// Without padding, for URLs and tokens.
  package static func encodeURL(_ bytes: [UInt8]) -> String {
    String(
      encode(bytes).compactMap { character in
        switch character {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: character
        }
      })
  }

  /// Reads either alphabet, with or without padding; nil for anything else.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var plain = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    if !plain.hasSuffix("=") { plain += String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4) }
    return Data(base64Encoded: plain).map { Array($0) }
  }
}
