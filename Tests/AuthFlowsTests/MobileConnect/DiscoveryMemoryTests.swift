import AuthCore
import ModemModel
import RedirectChain
import Testing

@testable import AuthFlows
@testable import MobileConnectFlows

@Suite("Mobile Connect: what discovery keeps")
struct DiscoveryMemoryTests {
  typealias Stage = MobileConnectStage

  @Test("An operator is asked for once, until its ttl; whose number it is is never kept")
  func kept() async throws {
    let stage = Stage([
      "discoverByNetwork": [Stage.found(ttl: Int(Stage.now.milliseconds) + 3_600_000)],
      "readMetadata": [Stage.metadata()],
    ])
    let settings = Stage.discovery()
    _ = try await stage.flow(settings).discover(OperatorQuery())
    let again = try await stage.flow(settings).discover(OperatorQuery())
    #expect(stage.asked == ["discoverByNetwork", "readMetadata"])
    #expect(again.answer?.discovered?.isKept == true && again.answer?.discovered?.subscriberID == nil)
    #expect(again.answer?.discovered?.found?.client == Stage.client)
    stage.pass(.seconds(3601))
    let later = try await stage.flow(settings).discover(OperatorQuery())
    #expect(later.answer?.discovered?.isKept == false && stage.asked.count { $0 == "discoverByNetwork" } == 2)
  }

  @Test(
    "One that is too old serves where the service fails, and not where it says no",
    arguments: [
      (Reaction.reply(503, ""), true), (.failure(.timeout), true), (.failure(.dns), true),
      (.reply(200, "<html>"), true),
      (.reply(429, ""), true), (.reply(401, ""), false), (.reply(400, ""), false),
    ])
  func stale(reaction: Reaction, serves: Bool) async throws {
    let stage = Stage(MobileConnectDiscoveryTests.replies)
    let settings = Stage.discovery()
    _ = try await stage.flow(settings).discover(OperatorQuery())
    stage.pass(.seconds(301))
    stage.set("discoverByNetwork", reaction)
    let end = try await stage.flow(settings).discover(OperatorQuery())
    #expect((end.outcome.result == .covered) == serves)
    #expect(end.answer?.discovered?.isStale == (serves ? true : nil))
  }

  @Test("An operator that was found by number is not kept for the SIM's network")
  func notKept() async throws {
    let stage = Stage([
      "discoverByNumber": [Stage.found()], "discoverByNetwork": [Stage.found()], "readMetadata": [Stage.metadata()],
    ])
    let settings = Stage.discovery()
    _ = try await stage.flow(settings).discover(OperatorQuery(way: .number))
    _ = try await stage.flow(settings).discover(OperatorQuery())
    #expect(stage.asked.contains("discoverByNetwork"))
  }

  @Test("The service's cookies come back to it, and no others; one that is deleted does not")
  func cookies() async throws {
    let set = ["Set-Cookie": "Most-Recent-Selected-Operator=op1; Path=/; Secure"]
    let stage = Stage([
      "discoverByNetwork": [.reply(404, "", set)],
      "discoverByNumber": [.reply(404, "", ["Set-Cookie": "session=x; Path=/"])],
      "discoverByAddress": [.end(404, "")], "askForPage": [MobileConnectDiscoveryTests.page],
    ])
    let settings = Stage.discovery()
    _ = try await stage.flow(settings).discover(OperatorQuery())
    _ = try await stage.flow(settings).discover(OperatorQuery())
    let cookie = Stage.header("Cookie", stage.call("discoverByNetwork")?.headers)
    #expect(cookie == "Most-Recent-Selected-Operator=op1")
    stage.set("discoverByNetwork", .reply(404, "", ["Set-Cookie": "Most-Recent-Selected-Operator=; Max-Age=0"]))
    for _ in 1...2 { _ = try await stage.flow(settings).discover(OperatorQuery()) }
    #expect(Stage.header("Cookie", stage.call("discoverByNetwork")?.headers) == nil)
  }
}
