/// A domain name as its labels, in lower case, so that equal names compare equal (RFC 4343).
package struct DomainName: Hashable, Sendable, CustomStringConvertible {
  /// The root has no labels. Each label has 1 to 63 bytes.
  package let labels: [[UInt8]]

  /// The name of the root.
  package static let root = DomainName(unchecked: [])

  private init(unchecked labels: [[UInt8]]) { self.labels = labels }

  /// Makes a name from labels; ASCII letters become lower case.
  ///
  /// - Throws: `DNSError` `badName` for a label that is empty or over 63 bytes, or a name over 255
  ///   bytes on the wire.
  package init(labels: [[UInt8]]) throws(DNSError) {
    guard labels.allSatisfy({ (1...63).contains($0.count) }) else {
      throw DNSError(.badName, "a label of the name is empty or over 63 bytes")
    }
    guard labels.reduce(1, { $0 + $1.count + 1 }) <= 255 else {
      throw DNSError(.badName, "the name is over 255 bytes")
    }
    self.labels = labels.map { $0.map(Self.lowered) }
  }

  /// Reads letters, digits, dashes, underscores and dots, as in `www.example.com` or
  /// `www.example.com.`
  ///
  /// - Throws: `DNSError` `badName`.
  package init(_ text: some StringProtocol) throws(DNSError) {
    if text == "." {
      self = .root
      return
    }
    let body = text.hasSuffix(".") ? text.dropLast() : text[...]
    let isPlain = body.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
        true
      default: false
      }
    }
    guard isPlain, !body.isEmpty else {
      throw DNSError(.badName, "the name is empty or holds more than letters, digits, dashes and dots")
    }
    try self.init(labels: body.split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) })
  }

  /// The labels with dots between them and none at the end. Bytes that are not plain text appear as
  /// `\` and three digits.
  package var description: String {
    labels.isEmpty ? "." : labels.map { $0.map(Self.shown).joined() }.joined(separator: ".")
  }

  /// Whether this is `parent` or a name below it, compared label by label.
  package func isWithin(_ parent: DomainName) -> Bool {
    labels.count >= parent.labels.count && labels.suffix(parent.labels.count).elementsEqual(parent.labels)
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func shown(_ byte: UInt8) -> String {
    if (0x21...0x7e).contains(byte), byte != UInt8(ascii: "."), byte != UInt8(ascii: "\\") {
      return String(UnicodeScalar(byte))
    }
    let digits = String(byte)
    return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
  }
}
