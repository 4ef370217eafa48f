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

  /// How long it is by its own header; nil where it is too short for one.
  private var statedLength: Int? {
    let bytes = bytes
    if self.protocol == "MBIM" { return bytes.count >= 12 ? Int(bytes.number(at: 4)) : nil }
    return bytes.count >= 12 ? Int(bytes[1]) + Int(bytes[2]) << 8 + 1 : nil
  }

  /// Whether a reader of a stream has all of it: it ends no earlier than its header says, and is no
  /// fragment of another one.
  var isWhole: Bool {
    let bytes = bytes
    guard let length = statedLength, length <= bytes.count else { return false }
    let hasFragments = self.protocol == "MBIM" && [0x8000_0003, 0x8000_0007].contains(bytes.number(at: 0))
    return !hasFragments || bytes.count >= 20 && bytes.number(at: 12) == 1
  }

  /// As much as arrives on a stream, whose reader goes by the length in the header.
  var streamed: [UInt8] {
    guard self.protocol == "MBIM", let length = statedLength else { return bytes }
    return Array(bytes.prefix(length))
  }

  /// Whether the libraries of Debian 12 read it; those of the file where it names others.
  var isReadable: Bool {
    let own = verified.filter { $0.key == "deb12" || $0.key == "libmbim-1.28.2" || $0.key == "libqmi-1.32.2" }
    return (own.isEmpty ? verified : own).values.allSatisfy { $0 == "ok" } && streamed.count == bytes.count
  }

  /// The files of `MODEMD_VECTORS`, or all of this folder's.
  static let all: [Recording] = {
    let folder = "\(#filePath.dropLast("Recorded/Recording.swift".utf8.count))Vectors"
    let files =
      getenv("MODEMD_VECTORS").map { [String(cString: $0)] }
      ?? ["modem-transcripts", "modem-vectors", "other-modems"].map { "\(folder)/\($0).json" }
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

  /// All that was printed of it.
  var words: PrintedWords { PrintedWords(decoded) }

  /// The text of a field in the printed form; nil where it is not there or has none.
  subscript(name: String) -> String? { words[name] }

  /// What libqmi printed of a TLV; nil where there is none of this name.
  func field(_ name: String) -> PrintedWords? {
    // The message may have the same name, and a number of four digits.
    guard
      let rest = words.parts(behind: "\"\(name)\" (0x").map(\.printed).first(where: { $0.dropFirst(2).first == ")" })
    else { return nil }
    // Either short, up to a semicolon, or with the bytes, up to the next TLV.
    if rest.dropFirst(3).first == ":" { return PrintedWords(rest.dropFirst(4).prefix { $0 != ";" }) }
    guard let start = rest.firstRange(of: "translated =") else { return nil }
    return PrintedWords(rest[start.upperBound...]).before(" TLV:")
  }
}

/// Whether a variable of the environment is not set.
func getenvIsUnset(_ name: String) -> Bool { getenv(name) == nil }
