/// A value that nobody expects, as text in JSON and as plain text.
package struct Extreme: Hashable, Sendable {
  /// What stands in a document.
  package let json: String
  /// What stands where no JSON is: a field of a header, a parameter, a whole body.
  package let plain: String

  /// A raw JSON value, which is its own plain text.
  package init(json: String) {
    self.json = json
    plain = json
  }

  /// Text, which JSON writes in quotes.
  package init(text: String) {
    json = Self.quoted(text)
    plain = text
  }

  /// Text as JSON writes it (RFC 8259, 7).
  package static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

extension Extreme {
  /// Numbers at the ends of what types can hold, and at the ends of what arithmetic with them can.
  package static let numbers: [String] = [
    "0", "-0", "1", "-1", "2", "59", "60", "61", "255", "256", "65536", "2147483647", "2147483648", "4294967295",
    "4294967296", "9007199254740991", "9007199254740993", "-9007199254740993",
    // Seconds whose milliseconds, microseconds, nanoseconds and attoseconds do not fit into 64
    // bits.
    "9223372036854775", "9223372036854776", "9223372036855", "9223372037", "1000000000000000000",
    "9223372036854775806", "9223372036854775807", "-9223372036854775807", "-9223372036854775808",
    "9223372036854775808", "18446744073709551615", "18446744073709551616", "170141183460469231731687303715884105728",
    "0.5", "-0.5", "1.0", "1e3", "1e18", "1e19", "1e308", "-1e308", "1e400", "1e-400", "4.9e-324",
  ]

  /// Dates that are none, and the first and last that a form can write.
  package static let dates: [String] = [
    "0000-00-00T00:00:00Z", "0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z", "9999-12-31T23:59:60.999999999Z", "2026-02-30T25:61:61Z", "2026-11-22T06:00:00+23:59",
    "2026-11-22T06:00:00-99:99", "999999999999-01-01T00:00:00Z", "-2026-11-22T06:00:00Z",
    "2026-11-22T06:00:00.9999999999999999999999Z", "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT",
    "Sun, 06 Nov 99999999999 08:49:37 GMT",
  ]

  /// URLs that lead elsewhere, or nowhere.
  package static let urls: [String] = [
    "http://op.example/x", "https://", "https://127.0.0.1/", "https://[::1]:65535/", "https://[::ffff:10.0.0.1]/",
    "https://u:p@api.example/", "https://op.example:0/", "https://op.example:99999999999999999999/", "//x", "/x",
    "javascript:alert(1)", "https://xn--/", "https://op.example/%00%zz?a=%", "https://op.example./x#f",
    "https://\(String(repeating: "a.", count: 200))example/",
  ]

  /// Texts that break readers.
  package static let texts: [String] = [
    "", " ", "a", "true", "false", "True", "null", "{}", "[]", "\u{0}", "a\u{0}b", "\r\n", "a\r\nSet-Cookie: a=b", "\t",
    "\u{feff}", "\u{202e}abc", "\u{1f4a9}", "e\u{301}\u{301}\u{301}", "\u{2028}", "+447700900123", "447700900123",
    "+44 7700 900999", "00447700900123", "+", "-", "%", "%00", "%ff%fe", "&a=b", "a=b", "..", "a.b.c", "..good",
    "eyJhbGciOiJub25lIn0.e30.", "COMPLETED", "ERROR", "PENDING", "00", "ff", String(repeating: "f", count: 64),
    String(repeating: "0", count: 128), "04" + String(repeating: "f", count: 128),
    String(repeating: "9", count: 400), String(repeating: "x", count: 20_000),
  ]

  /// What is no text and no number.
  package static let others: [String] = [
    "null", "true", "false", "[]", "{}", "[null]", "[[]]", "[0,\"\",{}]", "{\"\":{\"\":[]}}", #"{"a":1,"a":2}"#,
    #""\ud800""#, #""\udfff\ud800""#, nested(1000, "[", "]"), nested(400, #"{"a":"#, "}"),
    "[" + Array(repeating: "{}", count: 2000).joined(separator: ",") + "]",
  ]

  private static func nested(_ depth: Int, _ open: String, _ close: String) -> String {
    String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
  }

  /// All of them, numbers once as numbers and once as text.
  package static let all: [Extreme] =
    others.map { Extreme(json: $0) } + numbers.map { Extreme(json: $0) }
    + (numbers + dates + urls + texts).map { Extreme(text: $0) }

  /// Those that show most in the least time, for a test that cannot try all.
  package static let few: [Extreme] =
    ["null", "true", "[]", #"[0,"",{}]"#, nested(40, #"{"a":"#, "}")].map { Extreme(json: $0) }
    + [
      "0", "-1", "9223372036854775", "9223372036854776", "9223372036854775807", "-9223372036854775808",
      "9223372036854775808", "0.5", "1e19", "1e308",
    ].map { Extreme(json: $0) }
    + [
      "", "true", "a\r\nb: \u{0}", "+447700900123", "9223372036854775807", "-9223372036854775808",
      "9999-12-31T23:59:59Z", "http://op.example/x", "..good", String(repeating: "9\u{1f4a9}", count: 400),
    ].map { Extreme(text: $0) }
}
