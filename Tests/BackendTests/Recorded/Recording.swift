import FoundationEssentials
import Glibc
import Testing

/// A message that was recorded, and what a library made of it.
struct Recording: Sendable, Decodable, CustomTestStringConvertible {
  let `protocol`: String
  let message: String
  let direction: String
  let hex: String
  let decoded: String
  /// By library and version: "ok", or why not.
  let verified: [String: String]
  let source: String?

  var testDescription: String { "\(self.protocol): \(message) (\(source ?? "built from the layout"))" }

  var bytes: [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  /// As much as arrives on a stream, whose reader goes by the length in the header.
  var streamed: [UInt8] {
    let bytes = bytes
    guard self.protocol == "MBIM", bytes.count >= 8 else { return bytes }
    return Array(bytes.prefix(Int(bytes.number(at: 4))))
  }

  /// Whether the libraries of Debian 12 read it.
  var isReadable: Bool {
    let words = verified.filter { $0.key == "deb12" || $0.key == "libmbim-1.28.2" || $0.key == "libqmi-1.32.2" }
    return words.values.allSatisfy { $0 == "ok" } && streamed.count == bytes.count
  }

  /// Whether it is in the form of MBIMEx 3.0.
  var isV3: Bool { message.contains(" v3") }

  /// All of them, or those of the file that `MODEMD_VECTORS` names.
  static let all: [Recording] = {
    let folder = "\(#filePath.dropLast("Recorded/Recording.swift".utf8.count))Vectors"
    let files =
      getenv("MODEMD_VECTORS").map { [String(cString: $0)] }
      ?? ["\(folder)/modem-transcripts.json", "\(folder)/modem-vectors.json"]
    return files.flatMap { file -> [Recording] in
      do {
        return try JSONDecoder().decode([Recording].self, from: try Data(contentsOf: URL(filePath: file)))
      } catch {
        fatalError("\(file) is no list of recordings: \(error)")
      }
    }
  }()

  /// Those that a modem sends in one protocol.
  static func from(modem protocol: String) -> [Recording] {
    all.filter { $0.protocol == `protocol` && $0.direction == "modem->host" }
  }

  // MARK: What was recorded of it

  /// The text of a field in the printed form; nil where it is not there or has none.
  subscript(name: String) -> String? {
    var rest = decoded[...]
    while let found = rest.firstRange(of: "\(name) = '") {
      let isWhole = found.lowerBound == rest.startIndex || decoded[decoded.index(before: found.lowerBound)] == " "
      rest = rest[found.upperBound...]
      guard isWhole else { continue }
      // A TLV in the form of MBIMEx 3.0 has its text at its end.
      if rest.hasPrefix("{ tlv"), let text = rest.firstRange(of: "tlv string = ") {
        rest = rest[text.upperBound...]
        guard let end = rest.firstRange(of: " }'") else { return nil }
        return String(rest[..<end.lowerBound]).presence
      }
      guard let end = rest.firstIndex(of: "'") else { return nil }
      return String(rest[..<end]).presence
    }
    return nil
  }

  /// What libqmi printed of a TLV; nil where there is none of this name.
  func field(_ name: String) -> String? {
    guard let found = decoded.firstRange(of: "\"\(name)\" (") else { return nil }
    let rest = decoded[found.upperBound...]
    // Either short, up to a semicolon, or with the bytes, up to the next TLV.
    if let start = rest.firstRange(of: "): "), rest.prefix(8).contains(":") {
      return String(rest[start.upperBound...].prefix { $0 != ";" }).presence
    }
    guard let start = rest.firstRange(of: "translated = ") else { return nil }
    let text = rest[start.upperBound...]
    return String(text[..<(text.firstRange(of: " TLV:")?.lowerBound ?? text.endIndex)]).presence
  }

  /// A number within what was printed of a TLV.
  func number(_ name: String, in field: String) -> Int? {
    guard let text = self.field(field), let found = text.firstRange(of: "\(name) = '") else { return nil }
    return Int(text[found.upperBound...].prefix { $0 != "'" })
  }

  /// Whether the modem refused, as libqmi has it.
  var isQMIRefusal: Bool { decoded.contains("FAILURE") }
}

extension String {
  /// Nil where it is what a library prints for nothing.
  fileprivate var presence: String? {
    let text = String(self.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    return text.isEmpty || text == "(null)" ? nil : text
  }
}

extension StringProtocol {
  fileprivate func firstRange(of text: String) -> Range<Index>? {
    var start = startIndex
    while start != endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      formIndex(after: &start)
    }
    return nil
  }
}

/// Whether a variable of the environment is not set.
func getenvIsUnset(_ name: String) -> Bool { getenv(name) == nil }
