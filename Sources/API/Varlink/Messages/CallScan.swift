import Glibc

/// Scans a long call while its bytes arrive, for its method's name and for anything that no call
/// may contain.
///
/// It reads no values. It reports early how large a call may become, and that a call is too deep or
/// has too many values, before memory is spent on it. The reader later decides whether the call is
/// valid JSON.
struct CallScan {
  /// Why the bytes cannot become a call.
  enum Flaw: Error, Hashable {
    case noCall
    case tooDeep
    case tooManyValues
  }

  private enum Place {
    case between
    case text
    case escape
  }

  /// A longer name cannot be a method's.
  private static let nameBytes = 256

  private let depthLimit: Int
  private let valueLimit: Int
  private var place = Place.between
  private var depth = 0
  private var values = 0
  /// The text that is being read, if it may be the name of a member or of the method.
  private var text: [UInt8] = []
  private var isWanted = false
  /// The name of the call's own member whose value follows.
  private var member: [UInt8]?
  private var isValue = false
  /// The method, as soon as it has been read. Only the reader finds a name with an escape.
  private(set) var method: String?
  /// Bytes that were looked at.
  private(set) var count = 0

  init(depth: Int, values: Int) {
    depthLimit = depth
    valueLimit = values
  }

  /// Looks at the next bytes.
  mutating func read(_ bytes: some Sequence<UInt8>) throws(Flaw) {
    let inPlace: Flaw?? = bytes.withContiguousStorageIfAvailable { firstFlaw(in: $0) }
    // Non-contiguous bytes are copied into one piece.
    if let flaw = inPlace ?? Array(bytes).withUnsafeBufferPointer({ firstFlaw(in: $0) }) { throw flaw }
  }

  private mutating func firstFlaw(in bytes: UnsafeBufferPointer<UInt8>) -> Flaw? {
    var index = 0
    do throws(Flaw) {
      while index < bytes.count {
        let passed = isPassing ? Self.plainBytes(bytes, from: index) : 0
        count += passed
        index += passed
        guard index < bytes.count else { return nil }
        try read(bytes[index])
        index += 1
      }
      return nil
    } catch {
      return error
    }
  }

  /// Whether the bytes up to the text's end are irrelevant.
  private var isPassing: Bool { place == .text && !isWanted }

  /// How many of the next 256 bytes from `index` on neither end a text nor escape anything. There
  /// are enough of them for the C library's search, and few enough that a text of quotes does not
  /// take quadratic time.
  private static func plainBytes(_ bytes: UnsafeBufferPointer<UInt8>, from index: Int) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    let start = base + index
    let length = min(bytes.count - index, 256)
    let marks: [Unicode.Scalar] = ["\"", "\\"]
    return marks.reduce(length) { least, mark in
      guard let found = memchr(start, Int32(mark.value), least) else { return least }
      return UnsafeRawPointer(found) - UnsafeRawPointer(start)
    }
  }

  private mutating func read(_ byte: UInt8) throws(Flaw) {
    count += 1
    switch place {
    case .escape: place = .text
    case .text: readText(byte)
    case .between: try readBetween(byte)
    }
  }

  private mutating func readText(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\\"):
      isWanted = false
      place = .escape
    case UInt8(ascii: "\""):
      place = .between
      if isWanted { endText() }
    default:
      guard isWanted else { return }
      text.append(byte)
      if text.count > Self.nameBytes { isWanted = false }
    }
  }

  private mutating func endText() {
    if !isValue {
      member = text
    } else if method == nil {
      method = String(decoding: text, as: UTF8.self)
    }
  }

  private mutating func readBetween(_ byte: UInt8) throws(Flaw) {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard depth > 0 || byte == UInt8(ascii: "{") else { throw .noCall }
      depth += 1
      guard depth <= depthLimit else { throw .tooDeep }
      try countValue()
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      guard depth >= 0 else { throw .noCall }
    case UInt8(ascii: "\""):
      guard depth > 0 else { throw .noCall }
      place = .text
      text.removeAll(keepingCapacity: true)
      isWanted = depth == 1 && (!isValue || member.map { $0 == Array("method".utf8) } == true)
    case UInt8(ascii: ":"):
      if depth == 1 { isValue = true }
    case UInt8(ascii: ","):
      try countValue()
      if depth == 1 {
        isValue = false
        member = nil
      }
    case 0x20, 0x09, 0x0A, 0x0D: break
    default:
      guard depth > 0 else { throw .noCall }
    }
  }

  private mutating func countValue() throws(Flaw) {
    values += 1
    guard values <= valueLimit else { throw .tooManyValues }
  }
}
