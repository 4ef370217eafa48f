import JSONTree
import OutsideNumber
import Testing

/// Numbers as anybody may write them.
@Suite struct NumberReadingTests {
  @Test(
    arguments: [
      ("0", 0), ("-1", -1), ("1.0", 1), ("\"12\"", 12), ("9007199254740991", 9_007_199_254_740_991),
      ("-9007199254740991", -9_007_199_254_740_991), ("9007199254740992", nil), ("9007199254740993", nil),
      ("9223372036854775807", nil), ("-9223372036854775808", nil), ("9223372036854775808", nil),
      ("99999999999999999999", nil), ("1e308", nil), ("1.5", nil), ("\"1e3\"", nil), ("\"NaN\"", nil), ("\"\"", nil),
      ("\"99999999999999999999\"", nil), ("null", nil), ("true", nil), ("[1]", nil), ("{\"a\":1}", nil),
    ] as [(String, Int?)]) func wholeNumbersAreThoseThatAllReadersShare(_ text: String, _ number: Int?)
  {
    #expect(JSONValue(parsing: text.utf8)?.integer == number)
  }

  @Test(
    arguments: [
      ("0", 0), ("-1", -1), ("1.9", 1), ("\"12\"", 12), ("9223372036854775807", 1_000_000_000_000),
      ("-9223372036854775808", -1_000_000_000_000), ("9223372036854775808", 1_000_000_000_000),
      ("1e308", 1_000_000_000_000), ("-1e308", -1_000_000_000_000), ("\"99999999999999999999\"", 1_000_000_000_000),
      ("\"NaN\"", nil), ("\"\"", nil), ("null", nil), ("false", nil), ("[1]", nil), ("{}", nil),
    ] as [(String, Int64?)]) func secondsHaveNoEnd(_ text: String, _ count: Int64?)
  {
    #expect(JSONValue(parsing: text.utf8)?.seconds?.count == count)
  }

  @Test(arguments: ["1e400", "-1e400", "NaN", "Infinity", "", "-", "01", "1.", "+1", "0x1"])
  func whatIsNoNumberOfJSONIsNoJSON(_ text: String) {
    let value = JSONValue(parsing: text.utf8)
    #expect(value?.integer == nil)
  }

  @Test(arguments: [10, 64, 65, 100_000], ["[", "{\"a\":"])
  func nestingEndsSomewhere(_ depth: Int, _ open: String) {
    let text = String(repeating: open, count: depth) + "1" + String(repeating: open == "[" ? "]" : "}", count: depth)
    let value = JSONValue(parsing: text.utf8)
    #expect((value != nil) == (depth <= 64))
  }
}
