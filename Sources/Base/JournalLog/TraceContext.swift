/// What ties together all that belongs to one call: a W3C trace context (Trace Context, level 1).
///
/// It says nothing about a person or a SIM: its ids are random, or the caller's own.
package struct TraceContext: Hashable, Sendable {
  /// 32 lower-case hexadecimal digits, not all zero.
  package let traceID: String
  /// Whether the caller keeps its own part of the trace, and asks others to keep theirs.
  package let isSampled: Bool

  /// A trace that begins here.
  package init() {
    var generator = SystemRandomNumberGenerator()
    var words: (UInt64, UInt64)
    repeat { words = (generator.next(), generator.next()) } while words == (0, 0)
    traceID = Self.hex(words.0) + Self.hex(words.1)
    isSampled = false
  }

  /// The trace of a caller.
  ///
  /// - Parameter traceparent: as in `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`:
  ///   version 00, 55 characters, digits in lower case, no id that is all zero.
  /// - Returns: nil if it is anything else.
  package init?(traceparent: String) {
    guard traceparent.utf8.count == 55 else { return nil }
    let parts = traceparent.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "00", Self.isID(parts[1], digits: 32), Self.isID(parts[2], digits: 16),
      Self.isHex(parts[3], digits: 2), let flags = UInt8(parts[3], radix: 16)
    else { return nil }
    traceID = String(parts[1])
    isSampled = flags & 1 == 1
  }

  /// What another process of modemd says of the call that it works for.
  ///
  /// - Returns: nil if it is no trace id.
  package init?(traceID: String) {
    guard Self.isTraceID(traceID) else { return nil }
    self.traceID = traceID
    isSampled = false
  }

  /// The header's value for a request that belongs to this trace, with a fresh id for the request
  /// itself. Nothing of the caller's own id is passed on.
  package func traceparent() -> String {
    var generator = SystemRandomNumberGenerator()
    var span: UInt64
    repeat { span = generator.next() } while span == 0
    return "00-\(traceID)-\(Self.hex(span))-\(isSampled ? "01" : "00")"
  }

  /// What errors say that is expected.
  package static let expected =
    "a W3C traceparent of version 00, as in 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

  /// Whether a text is a trace id: 32 lower-case hexadecimal digits, not all zero.
  package static func isTraceID(_ text: String) -> Bool { isID(text[...], digits: 32) }

  /// The metadata's key for `traceID`.
  package static let metadataKey = "trace"

  /// The trace of the call that the present task works for; its log lines carry it.
  @TaskLocal package static var current: TraceContext?

  private static func isID(_ text: Substring, digits: Int) -> Bool {
    isHex(text, digits: digits) && text.utf8.contains { $0 != UInt8(ascii: "0") }
  }

  private static func isHex(_ text: Substring, digits: Int) -> Bool {
    text.utf8.count == digits
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }

  private static func hex(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
