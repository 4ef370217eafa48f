import FoundationEssentials
import Glibc
import ModemAPI
import ModemModel
import ModemService
@_spi(Exchange) import RedirectChain
import Testing
import Varlink
@_spi(Exchange) import Web

@testable import ModemctlCommands
@testable import ModemctlCore

@Suite("HTTP Archive", .timeLimit(.minutes(1))) struct HTTPArchiveTests {
  private static let chain: CheckService.ChainRunner = { request, _, onHop in
    var first = ChainHop(.init(index: 1, url: request.url, method: request.method, cookieNames: []))
    (first.address, first.status, first.tlsVersion, first.bodyBytes) = ("203.0.113.1", 302, "1.3", 0)
    first.times.dns = 10
    first.times.connect = 20
    first.times.tls = 45
    first.times.firstByte = 60
    first.times.end = 61.5
    first.cookiesSet = ["sid"]
    first.trace = [.init(name: "X-Request-ID", value: "req-1")]
    first.secrets.revealed.requestFields = [
      .init(name: "Host", value: "check.example"), .init(name: "Authorization", value: "Bearer geheim"),
    ]
    first.secrets.revealed.answerFields = [
      .init(name: "Location", value: "http://operator.example/he?token=geheim"),
      .init(name: "Set-Cookie", value: "sid=geheim"), .init(name: "Content-Type", value: "text/plain"),
    ]
    onHop(first)
    do {
      var second = ChainHop(
        .init(index: 2, url: try WebURL("http://operator.example/he?token=geheim"), cookieNames: ["sid"]))
      (second.address, second.status, second.bodyBytes, second.begin) = ("2001:db8::1", 200, 15, 61.5)
      second.times.connect = 30
      second.times.firstByte = 60
      second.times.end = 60
      onHop(second)
    } catch {
      return .failed(ChainFailure(.badRedirect, "\(error)"))
    }
    return .answer(
      ChainAnswer(status: 200, contentType: "application/json", body: Array(#"{"token":"geheim"}"#.utf8)))
  }

  /// Runs `open --har` and reads the file.
  private static func archive(_ arguments: [String]) async throws -> (text: String, json: JSONValue) {
    let path = "/tmp/modemctl-har-\(getpid())-\(UInt32.random(in: 0 ... .max)).har"
    defer { unlink(path) }
    try await MemoryService.run(chain: chain) { service in
      let recorder = RecordingConsole()
      let status = await Modemctl.run(
        ["open", "https://check.example/start?secret=geheim&x", "--har", path] + arguments,
        on: recorder.console(variables: ["MODEMD_SOCKET": service.path]))
      #expect(Ending(rawValue: status) == .done, "\(recorder.messages)")
    }
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let bytes = try ArgumentFile.read(path, for: "the archive")
    return (String(decoding: bytes, as: UTF8.self), try JSONDecoder().decode(JSONValue.self, from: Data(bytes)))
  }

  /// A member that HAR 1.2 asks for, and what it must be.
  private enum Kind { case text, number, list, object, date }

  private static func check(
    _ value: JSONValue?, _ members: [(String, Kind)], optional: Set<String> = [], _ path: String
  ) throws -> [String: JSONValue] {
    guard case .object(let object)? = value else {
      Issue.record("\(path) is no object")
      return [:]
    }
    for (name, kind) in members {
      let isRight =
        switch (kind, object[name]) {
        case (.text, .string), (.list, .array), (.object, .object), (.number, .int), (.number, .double): true
        case (.date, .string(let text)): Timestamp(rfc3339: text) != nil
        default: false
        }
      #expect(isRight, "\(path).\(name)")
    }
    let unknown = Set(object.keys).subtracting(members.map(\.0)).subtracting(optional)
    #expect(unknown.isEmpty, "\(path) has \(unknown)")
    return object
  }

  private static func elements(_ value: JSONValue?) -> [JSONValue] {
    if case .array(let elements)? = value { elements } else { [] }
  }

  private static func number(_ value: JSONValue?) -> Double {
    switch value {
    case .int(let number): Double(number)
    case .double(let number): number
    default: .nan
    }
  }

  @Test("Every member that HAR 1.2 asks for is there, of its type, and no other", arguments: [[], ["--reveal"]])
  func members(arguments: [String]) async throws {
    let (_, json) = try await Self.archive(arguments)
    let top = try Self.check(json, [("log", .object)], "")
    let log = try Self.check(
      top["log"], [("version", .text), ("creator", .object), ("pages", .list), ("entries", .list)],
      optional: ["browser", "comment"], "log")
    #expect(log["version"] == .string("1.2"))
    _ = try Self.check(log["creator"], [("name", .text), ("version", .text)], "creator")
    let page = try Self.check(
      Self.elements(log["pages"]).first,
      [("startedDateTime", .date), ("id", .text), ("title", .text), ("pageTimings", .object)], "page")
    let entries = Self.elements(log["entries"])
    #expect(entries.count == 2)
    for entry in entries {
      let entry = try Self.check(
        entry,
        [
          ("startedDateTime", .date), ("time", .number), ("request", .object), ("response", .object),
          ("cache", .object), ("timings", .object),
        ], optional: ["pageref", "serverIPAddress", "connection", "comment"], "entry")
      #expect(entry["pageref"] == page["id"])
      let request = try Self.check(
        entry["request"],
        [
          ("method", .text), ("url", .text), ("httpVersion", .text), ("cookies", .list), ("headers", .list),
          ("queryString", .list), ("headersSize", .number), ("bodySize", .number),
        ], optional: ["postData"], "request")
      let response = try Self.check(
        entry["response"],
        [
          ("status", .number), ("statusText", .text), ("httpVersion", .text), ("cookies", .list), ("headers", .list),
          ("content", .object), ("redirectURL", .text), ("headersSize", .number), ("bodySize", .number),
        ], "response")
      _ = try Self.check(
        response["content"], [("size", .number), ("mimeType", .text)], optional: ["text", "encoding"], "content")
      for list in [
        request["cookies"], request["headers"], request["queryString"], response["cookies"], response["headers"],
      ] {
        for item in Self.elements(list) { _ = try Self.check(item, [("name", .text), ("value", .text)], "item") }
      }
      let timings = try Self.check(
        entry["timings"], [("send", .number), ("wait", .number), ("receive", .number)],
        optional: ["blocked", "dns", "connect", "ssl"], "timings")
      // As the format has it: the whole is the sum of the parts, of which `connect` holds `ssl`.
      let sum = ["blocked", "dns", "connect", "send", "wait", "receive"].map { max(Self.number(timings[$0]), 0) }
        .reduce(0, +)
      #expect(abs(sum - Self.number(entry["time"])) < 0.001)
      #expect(Self.number(timings["ssl"]) <= Self.number(timings["connect"]))
    }
    guard case .object(let last)? = entries.last, case .object(let first)? = entries.first else { return }
    #expect(Self.number(first["time"]) == 61.5)
    guard case .string(let a)? = first["startedDateTime"], case .string(let b)? = last["startedDateTime"] else {
      return
    }
    #expect(Timestamp(rfc3339: a).map { $0.milliseconds >= 1_700_000_000_000 } == true)
    #expect(try #require(Timestamp(rfc3339: b)) > #require(Timestamp(rfc3339: a)))
  }

  @Test("What may be secret is masked, in the file as on the screen, unless it is revealed")
  func masked() async throws {
    let (masked, _) = try await Self.archive([])
    #expect(!masked.contains("geheim"))
    #expect(masked.contains("https://check.example/…") && masked.contains("sid") && masked.contains("req-1") == false)
    let (revealed, _) = try await Self.archive(["--reveal"])
    #expect(revealed.contains("Bearer geheim") && revealed.contains("http://operator.example/he?token=geheim"))
    #expect(revealed.contains("\"secret\"") && revealed.contains("sid=geheim"))
  }

  @Test("A chain that failed is an archive too, with the reason")
  func failed() throws {
    let outcome = CheckInterface.Outcome(
      result: .failed, failure: .init(cause: .dnsFailed, text: "no address"), milliseconds: 5)
    let empty = HTTPArchive([], outcome, began: Timestamp(milliseconds: 0))
    #expect(empty.log.entries.isEmpty && empty.log.comment == "dnsFailed: no address")
    let hop = WaterfallTests.hop(1, start: 0, status: nil, .init(dns: 4))
    let one = HTTPArchive([hop], outcome, began: Timestamp(milliseconds: 0))
    #expect(one.log.entries[0].response.status == 0 && one.log.entries[0].comment == "dnsFailed: no address")
    #expect(one.log.entries[0].timings.connect == -1 && one.log.entries[0].timings.dns == 4)
  }

  @Test("A file that cannot be written is an error")
  func unwritable() async throws {
    try await MemoryService.run(chain: Self.chain) { service in
      let run = await service.modemctl("open", "https://check.example/", "--har", "/nonexistent/x.har")
      #expect(run.status == .failed && run.messages.contains("/nonexistent/x.har cannot be written"))
    }
  }
}
