import Testing
import Web

@testable import RedirectChain

@Suite("When to ask again")
struct RetryAfterTests {
  /// 22 November 2026, 12:00:00 UTC.
  static let now: Int64 = 1_795_348_800

  @Test(
    "Retry-After is read in seconds or as a date",
    arguments: [
      ("0", 0), ("120", 120), (" 5 ", 5), ("604800", 604_800), ("604801", 604_800),
      ("99999999999999999999999", 604_800), ("Sun, 22 Nov 2026 12:00:30 GMT", 30),
      ("Sunday, 22-Nov-26 12:02:00 GMT", 120), ("Sun Nov 22 12:00:01 2026", 1), ("Sun, 22 Nov 2026 11:00:00 GMT", 0),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 604_800), ("-1", nil), ("1.5", nil), ("soon", nil), ("", nil), ("٣", nil),
      ("Sun, 22 Nov 2026", nil),
    ] as [(String, Int?)])
  func reads(field: String, seconds: Int?) {
    #expect(RetryAfter.seconds(field, now: Self.now) == seconds)
  }

  @Test(
    "429 is a rate limit, 503 only with a time",
    arguments: [
      (429, [], true), (429, ["soon"], true), (503, [], false), (503, ["soon"], false), (503, ["7"], true),
      (500, ["7"], false), (200, ["7"], false),
    ])
  func limits(status: Int, fields: [String], isLimit: Bool) {
    let headers = fields.map { WebHeader(name: "Retry-After", value: $0) }
    let response = ChainMachine.Response(status: status, headers: headers, body: [])
    #expect(RetryAfter.isRateLimit(response, now: Self.now) == isLimit)
  }

  @Test("Of several times the first that can be read counts")
  func several() {
    let headers = ["soon", "9", "7"].map { WebHeader(name: "retry-after", value: $0) }
    #expect(RetryAfter.seconds(in: .init(status: 429, headers: headers, body: []), now: 0) == 9)
  }
}

@Suite("What is shown of a request and an answer")
struct ShownPartsTests {
  @Test("A body prints its size and type, never its bytes")
  func body() {
    let body = WebBody.json(#"{"phone":"+4915112345678"}"#)
    #expect("\(body)" == "(26 bytes, application/json)" && String(reflecting: body) == "\(body)")
    #expect(!"\(ChainRequest.Method.post(body))".contains("49151"))
  }

  @Test("Of the operators' trace fields the short and printable ones are kept, eight at most")
  func trace() {
    let headers = [
      ("X-Orange-Trace-Id", "abc-1"), ("x-vig-trace-id", "2"), ("X-Other", "3"),
      ("x-vig-trace-id", String(repeating: "x", count: 129)), ("x-vig-trace-id", "a\u{7}b"), ("x-vig-trace-id", ""),
    ].map { WebHeader(name: $0.0, value: $0.1) }
    let names = ChainPolicy().traceHeaders
    let response = ChainMachine.Response(status: 200, headers: headers, body: [])
    #expect(response.trace(names).map(\.value) == ["abc-1", "2"])
    #expect(response.trace(["x-other"]).map(\.value) == ["3"] && response.trace([]).isEmpty)
    let many = ChainMachine.Response(status: 200, headers: Array(repeating: headers[0], count: 20), body: [])
    #expect(many.trace(names).count == 8)
  }
}
