import JSONTree
import ModemAPI
import Testing
import TruIDAPI

@testable import ModemctlCommands
@testable import TruIDCommands

@Suite("tru.ID in modemctl")
struct TruIDReplyTests {
  @Test("What a check told stands beside its outcome")
  func check() {
    let reply = TruIDInterface.SubscriberCheck.Reply(
      event: .outcome,
      check: .init(id: "c", network: "26201", simChangeWithinMinutes: 525_601, rateLimit: 100, rateRemaining: 7))
    let shown = Dictionary(reply.findings.map { ($0.0, $0.1 ?? "-") }) { first, _ in first }
    #expect(shown["check"] == "c" && shown["network"] == "26201" && shown["SIM changed within"] == "more than a year")
    #expect(shown["requests left"] == "7 of 100" && shown["looked back"] == "-")
  }

  @Test("The bearer's public address, and numbers in traces, are masked")
  func masks() {
    let coverage = TruIDInterface.Coverage.Reply(
      event: .outcome,
      served: .init(aliases: [], address: "198.51.100.7", products: [.init(id: "pck", extent: "FULL", networks: [])]))
    #expect(!coverage.masked().findings.contains { $0.1?.contains("198.51") == true })
    #expect(coverage.findings.contains { $0.1 == "pck FULL" })
    let entry = TruIDInterface.Entry(
      time: "t", message: "asked about +447700900123\u{1b}[2J",
      attributes: .object(["phone_number": .string("447700900123")]))
    let traces = TruIDInterface.Traces.Reply(event: .outcome, traces: [.init(id: "x", entries: [entry])])
    let text = traces.masked().findings.map { "\($0.0) \($0.1 ?? "")" }.joined()
    #expect(!text.contains("7700900123") && !text.contains("\u{1b}"))
    #expect(traces.findings[0].1?.contains("447700900123") == true)
  }

  @Test("Arguments reach the calls")
  func arguments() throws {
    let check = try #require(
      try Modemctl.parseAsRoot([
        "truid", "subscriber-check", "+447700900123", "--period", "60", "--by", "api", "--protocol", "v0.2",
        "--reference",
        "r", "--provider", "p", "--modem", "m",
      ]) as? TruIDSubscriber)
    #expect(
      check.parameters()
        == .init(
          number: "+447700900123", periodMinutes: 60, version: "v0.2", way: .api, reference: "r", provider: "p",
          modem: "m"))
    let traces = try #require(
      try Modemctl.parseAsRoot(["truid", "traces", "c", "--kind", "simCheck", "--trace", "t"]) as? TruIDTraces)
    #expect(traces.parameters() == .init(check: "c", kind: .simCheck, trace: "t"))
    let coverage = try #require(
      try Modemctl.parseAsRoot(["truid", "coverage", "--country", "GB", "--product", "phoneCheck"]) as? TruIDCoverage)
    #expect(coverage.parameters() == .init(country: "GB", product: .phoneCheck))
    #expect(throws: (any Error).self) { try Modemctl.parseAsRoot(["truid", "phone-check", "+44", "--by", "pigeon"]) }
  }
}
