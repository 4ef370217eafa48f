import JSONTree
import Testing

@testable import Varlink

@Suite struct CallScanTests {
  private func scan(_ text: String, step: Int = 7) throws -> CallScan {
    var scan = CallScan(depth: 8, values: 64)
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: step) {
      try scan.read(bytes[start..<min(start + step, bytes.count)])
    }
    return scan
  }

  @Test(
    arguments: [
      (#"{"method":"a.b.C""#, "a.b.C"), (#" { "method" : "a.b.C" , "parameters""#, "a.b.C"),
      (#"{"more":true,"method":"a.b.C","parameters":{"method":"x"}"#, "a.b.C"),
      (#"{"parameters":{"method":"x","a":[1,{"method":"y"}]},"method":"a.b.C""#, "a.b.C"),
      (#"{"parameters":{"method":"x"}"#, nil), (#"{"meth"#, nil), (#"{"method":"a.b"#, nil),
      (#"{"x":"method","method":"a.b.C""#, "a.b.C"), (#"{"method":"a\u002eb""#, nil), (#"{"x\"method":"a.b.C""#, nil),
      (#"{"x":"}{,[]","method":"a.b.C""#, "a.b.C"),
    ] as [(String, String?)], [1, 3, 1000])
  func `it finds the method, however the bytes come`(call: (text: String, method: String?), step: Int) throws {
    #expect(try scan(call.text, step: step).method == call.method)
  }

  @Test(arguments: ["GET / HTTP/1.1", "[1]", "17", "\"a\"", "{}}", "null"])
  func `what begins like no call is none`(text: String) {
    #expect(throws: CallScan.Flaw.noCall) { try scan(text) }
  }

  @Test func `it counts depth and values outside of text`() throws {
    #expect(throws: CallScan.Flaw.tooDeep) { try scan("{\"a\":" + String(repeating: "[", count: 8)) }
    #expect(throws: CallScan.Flaw.tooManyValues) { try scan("{\"a\":[" + String(repeating: "{},", count: 32)) }
    _ = try scan("{\"a\":\"" + String(repeating: "[{,", count: 1000) + "\"}")
  }
}

@Suite struct JSONReaderTests {
  @Test(
    arguments: [
      ("{}", .object([:])), ("[]", .array([])), (" [ 1 , -2.5 , \"a\" , true , false , null ] ", nil),
      ("\"\\ud83d\\ude00 \\u00fc \\\" \\\\ \\/ \\b\\f\\n\\r\\t\"", .string("😀 ü \" \\ / \u{8}\u{c}\n\r\t")),
      ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
      ("9223372036854775808", .double(9_223_372_036_854_775_808)), ("1.0", .int(1)), ("1e3", .int(1000)),
      ("0.5", .double(0.5)), ("-0", .int(0)), ("1e999", .double(.infinity)),
    ] as [(String, JSONValue?)])
  func `values are read`(text: String, value: JSONValue?) throws {
    let read = try JSONReader.read(Array(text.utf8))
    if let value {
      #expect(read == value)
    } else {
      #expect(read == .array([.int(1), .double(-2.5), .string("a"), .bool(true), .bool(false), .null]))
    }
  }

  @Test(
    arguments: [
      "", " ", "{", "[", "[1,]", "{\"a\":1,}", "{\"a\"}", "{a:1}", "01", "1.", ".5", "+1", "1e", "-", "tru", "nul",
      "\"", "\"\\x\"", "\"\\u12\"", "\"\\ud83d\"", "\"\\ude00\"", "\"\u{1}\"", "1 2", "[1 2]", "{\"a\":1,\"a\":2}",
      "NaN",
      "Infinity", "'a'", "{\"a\":1 \"b\":2}", "[1]]",
    ])
  func `what is no JSON is refused`(text: String) {
    #expect(throws: JSONReader.Flaw.self) { try JSONReader.read(Array(text.utf8)) }
  }

  @Test func `bytes that are not UTF-8 are refused`() {
    #expect(throws: JSONReader.Flaw.self) { try JSONReader.read([0x22, 0xFF, 0xC0, 0x22]) }
  }

  @Test func `depth and number of values are limited`() throws {
    let limits = JSONReader.Limits(depth: 4, values: 10)
    _ = try JSONReader.read(Array("[[[[1]]]]".utf8), limits)
    #expect(throws: JSONReader.Flaw.tooDeep(limit: 4)) { try JSONReader.read(Array("[[[[[1]]]]]".utf8), limits) }
    #expect(throws: JSONReader.Flaw.tooManyValues(limit: 10)) {
      try JSONReader.read(Array("[1,2,3,4,5,6,7,8,9,10]".utf8), limits)
    }
    #expect(throws: JSONReader.Flaw.self) { try JSONReader.read(Array(repeating: UInt8(ascii: "["), count: 1 << 20)) }
  }

  @Test func `a number that nothing can hold is a wrong parameter, by its name`() throws {
    for (text, name) in [
      (#"{"text":"a","count":1e999}"#, "count"), (#"{"text":"a","list":[{"at":-1e999}]}"#, "list.0.at"),
    ] {
      let value = try JSONReader.read(Array(text.utf8))
      let error = #expect(throws: VarlinkError.self) {
        let _: TestInterface.Echo.Parameters = try CallBody.read(.parameters(value))
      }
      #expect(error?.field("parameter") == name)
    }
  }
}
