import AuthCore
import RedirectChain
import Testing

@testable import AuthFlows
@testable import MobileConnectFlows

@Suite("Mobile Connect: metadata, and operators without discovery")
struct MobileConnectMetadataTests {
  typealias Stage = MobileConnectStage

  static func issuer(_ text: String = Stage.issuer) throws -> MobileConnectSettings {
    let endpoint = try Endpoint(text)
    return Stage.settings {
      $0.source = .issuer(endpoint)
      $0.version = nil
    }
  }

  @Test("An issuer is enough: its metadata has the endpoints", arguments: [Stage.issuer, Stage.issuer + "/"])
  func issuerAlone(text: String) async throws {
    let stage = Stage(["readMetadata": [Stage.metadata()]].merging(Stage.login()) { $1 })
    let end = try await stage.flow(try Self.issuer(text)).login(Stage.request(), OperatorQuery())
    #expect(end.outcome.result == .signedIn, "\(end.outcome)")
    #expect(stage.call("readMetadata")?.url.text == "https://op.example/.well-known/openid-configuration")
    #expect(Stage.query(stage.chain("authorize"))["version"] == "mc_di_r2_v2.3")
    #expect(stage.asked == ["readMetadata", "authorize", "exchangeCode", "readKeys"])
  }

  @Test("Metadata of another issuer is not believed")
  func otherIssuer() async throws {
    let stage = Stage(["readMetadata": [Stage.metadata()]])
    let end = try await stage.flow(try Self.issuer("https://other.example")).authorize(Stage.request(), OperatorQuery())
    #expect(end.outcome.result == .stateMismatch && stage.asked == ["readMetadata"])
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let reaction: Reaction
    let result: FlowResult
    var testDescription: String { name }
  }

  @Test(
    "Links are enough where there is no metadata, but nobody's failure makes older rules hold",
    arguments: [
      Row(name: "404", reaction: .reply(404, ""), result: .covered),
      Row(name: "500", reaction: .reply(500, ""), result: .providerUnavailable),
      Row(name: "no JSON", reaction: .reply(200, "<html>"), result: .badAnswer),
      Row(name: "TLS", reaction: .failure(.tls), result: .tlsError),
      Row(name: "429", reaction: .reply(429, ""), result: .rateLimited),
    ])
  func unreadable(row: Row) async throws {
    let stage = Stage(["discoverByNetwork": [Stage.found()], "readMetadata": [row.reaction]])
    let end = try await stage.flow(Stage.discovery()).discover(OperatorQuery())
    #expect(end.outcome.result == row.result)
    if row.result == .covered {
      #expect(end.answer?.discovered?.found?.endpoints[.authorization]?.path == "/old/authorize")
      #expect(end.answer?.discovered?.found?.metadata == nil)
    }
  }

  @Test("Metadata is read again after 5 minutes, and an older one serves where it cannot be")
  func kept() async throws {
    let stage = Stage(["readMetadata": [Stage.metadata()], "authorize": [Stage.code]])
    let settings = try Self.issuer()
    for _ in 1...2 { _ = try await stage.flow(settings).authorize(Stage.request(), OperatorQuery()) }
    #expect(stage.asked.count { $0 == "readMetadata" } == 1)
    stage.pass(.seconds(301))
    stage.set("readMetadata", .failure(.timeout))
    let end = try await stage.flow(settings).authorize(Stage.request(), OperatorQuery())
    #expect(end.outcome.result == .authorized && stage.asked.count { $0 == "readMetadata" } == 2)
  }

  @Test(
    "An older document serves for an hour, and never where TLS fails",
    arguments: [
      (3599, Reaction.failure(.timeout), true), (3600, .failure(.timeout), false), (301, .failure(.tls), false),
      (301, .reply(503, ""), true), (3600, .reply(503, ""), false), (301, .failure(.refused), false),
    ])
  func age(seconds: Int, reaction: Reaction, serves: Bool) async throws {
    let stage = Stage(["readMetadata": [Stage.metadata()], "authorize": [Stage.code]])
    let settings = try Self.issuer()
    _ = try await stage.flow(settings).authorize(Stage.request(), OperatorQuery())
    stage.pass(.seconds(seconds))
    stage.set("readMetadata", reaction)
    let end = try await stage.flow(settings).authorize(Stage.request(), OperatorQuery())
    #expect((end.outcome.result == .authorized) == serves, "\(end.outcome)")
  }

  @Test(
    "An older key set does not serve where TLS fails: whoever makes it fail would choose the keys",
    arguments: [(Reaction.failure(.timeout), true), (.failure(.tls), false)])
  func keysAfterTLSFailure(reaction: Reaction, serves: Bool) async throws {
    let stage = Stage(Stage.login())
    let settings = Stage.settings()
    let first = try await stage.flow(settings).login(Stage.request(), OperatorQuery())
    #expect(first.outcome.result == .signedIn, "\(first.outcome)")
    stage.pass(.seconds(301))
    stage.set("readKeys", reaction)
    let again = try await stage.flow(settings).login(Stage.request(), OperatorQuery())
    // The first token is too old by then: what matters is who refuses.
    #expect((again.outcome.result == .tlsError) == !serves, "\(again.outcome)")
  }

  @Test("An operator of whose versions none is known here is told, and nothing is sent")
  func noVersion() async throws {
    let stage = Stage(["readMetadata": [Stage.metadata(["mc_di_v9.0"])]])
    let settings = try Self.issuer()
    await #expect(throws: AuthError.self) {
      try await stage.flow(settings).authorize(Stage.request(), OperatorQuery())
    }
    #expect(stage.asked == ["readMetadata"])
  }

  @Test("Without mc_version it is 1.1; a configured version counts in any case")
  func versions() async throws {
    let stage = Stage(["readMetadata": [Stage.metadata([])], "authorize": [Stage.code]])
    var settings = try Self.issuer()
    _ = try await stage.flow(settings).authorize(Stage.request(), OperatorQuery())
    #expect(Stage.query(stage.chain("authorize"))["version"] == "mc_v1.1")
    settings.version = MobileConnectVersion("mc_v2_0")
    _ = try await stage.flow(settings).authorize(Stage.request(), OperatorQuery())
    #expect(Stage.query(stage.chain("authorize"))["version"] == "mc_v2_0")
  }

  @Test(
    "What is not configured is named, and nothing is sent", arguments: ["source", "client", "redirect", "endpoint"])
  func missing(what: String) async throws {
    let stage = Stage(Stage.login())
    let settings = Stage.settings {
      switch what {
      case "source": $0.source = nil
      case "client": $0.client = nil
      case "redirect": $0.redirect = nil
      default: $0.source = .endpoints(MobileConnectOperator())
      }
    }
    let end = try await stage.flow(settings).login(Stage.request(), OperatorQuery())
    #expect(end.outcome.result == .notConfigured && end.outcome.text.contains("add"), "\(end.outcome.text)")
    #expect(stage.asked.isEmpty)
  }
}
