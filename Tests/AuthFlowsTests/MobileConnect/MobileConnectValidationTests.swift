import AuthCore
import JSONTree
import ModemModel
import RedirectChain
import Testing
import TokenSigning

@testable import AuthFlows
@testable import MobileConnectFlows

@Suite("Mobile Connect: is it the SIM's number?")
struct MobileConnectValidationTests {
  typealias Stage = MobileConnectStage

  /// The nonce is made by the flow: 32 times 7.
  static let made = Base64.encodeURL(Array(repeating: 7, count: 32))
  static let back = Reaction.redirected("\(Stage.back)?code=the-code&state=\(made)")

  static func tokens(_ change: (inout [String: JSONValue]) -> Void = { _ in }) -> Reaction {
    var claims = Stage.claims
    claims["nonce"] = .string(made)
    change(&claims)
    return Stage.tokens(Stage.token(claims))
  }

  static func stage(_ told: String = "", _ tokens: Reaction = tokens()) -> MobileConnectStage {
    Stage([
      "authorize": [back], "exchangeCode": [tokens], "readKeys": [Stage.keys],
      "readUserInfo": [.reply(200, #"{"sub":"pcr-1"\#(told)}"#)],
    ])
  }

  @Test("What is asked, in both forms", arguments: MobileConnectValidation.allCases)
  func asked(form: MobileConnectValidation) async throws {
    let stage = Self.stage(#","phone_number":"+447700900123""#)
    let end = try await stage.flow(Stage.settings()).validate(Stage.number, form)
    let query = Stage.query(stage.chain("authorize"))
    #expect(
      query["scope"]
        == (form == .plain ? "openid mc_mnv_validate" : "openid mc_mnv_validate_plus mc_identity_phonenumber_hashed"))
    #expect(query["login_hint"] == "MSISDN:447700900123" && query["prompt"] == "login" && query["acr_values"] == "2")
    #expect(query["max_age"] == "3600" && end.outcome.result == .verified && end.outcome.number == .matches)
    #expect(stage.asked.contains("readUserInfo") == (form == .plus))
  }

  static func hash(_ text: String) -> String { Digest.hex(Digest.sha256(Array(text.utf8))) }

  @Test(
    "The number that the operator saw, in clear or hashed",
    arguments: [
      ("+447700900123", FlowResult.verified), ("447700900123", .verified), (hash("447700900123"), .verified),
      (hash("+447700900123"), .verified), (hash("447700900123").uppercased(), .verified),
      ("+447700900124", .notVerified), (hash("447700900124"), .notVerified), ("unknown", .badAnswer), ("", .badAnswer),
    ])
  func told(value: String, result: FlowResult) async throws {
    let stage = Self.stage(value.isEmpty ? "" : #","phone_number":"\#(value)""#)
    let end = try await stage.flow(Stage.settings()).validate(Stage.number)
    #expect(end.outcome.result == result && !end.outcome.text.contains("7700900"))
  }

  @Test("An operator that saw another number says so by MSISDN_mismatch")
  func mismatch() async throws {
    let stage = Stage([
      "authorize": [
        .redirected("\(Stage.back)?error=access_denied&error_description=MSISDN_mismatch&state=\(Self.made)")
      ]
    ])
    let end = try await stage.flow(Stage.settings()).validate(Stage.number)
    #expect(end.outcome.result == .notVerified && end.outcome.number == .differs && stage.asked == ["authorize"])
  }

  @Test(
    "The plain form counts only where the bearer was recognised, unless that is not asked for",
    arguments: [
      ([String]?.some(["SEAM_OK"]), true, FlowResult.verified), (["USSD_OK", "SEAM_OK"], true, .verified),
      (["USSD_OK"], true, .headerMissing), (nil, true, .headerMissing), (["USSD_OK"], false, .verified),
    ])
  func seamless(amr: [String]?, isRequired: Bool, result: FlowResult) async throws {
    let tokens = Self.tokens { $0["amr"] = amr.map { .array($0.map { .string($0) }) } }
    let settings = Stage.settings {
      $0.version = .v2_0
      $0.requiresSeamless = isRequired
    }
    #expect(try await Self.stage("", tokens).flow(settings).validate(Stage.number, .plain).outcome.result == result)
  }

  @Test("A token that is refused verifies nothing")
  func refused() async throws {
    let stage = Self.stage(#","phone_number":"+447700900123""#, Self.tokens { $0["aud"] = .string("app-2") })
    let end = try await stage.flow(Stage.settings()).validate(Stage.number)
    #expect(end.outcome.result == .tokenRefused && end.outcome.number == nil && !stage.asked.contains("readUserInfo"))
  }

  @Test("As one verifier among others: discovery tells the coverage, and shows nobody a page")
  func verifier() async throws {
    let verifier = try #require(Stage.discovery().numberVerifier(named: "mc"))
    #expect(verifier.name == "mc" && verifier.kind == "mobileConnect")
    let found = Stage(["discoverByNetwork": [Stage.found()], "readMetadata": [Stage.metadata()]])
    #expect(try await verifier.coverage(of: Stage.subscriber, for: Stage.number, found.run())?.result == .covered)
    let unknown = Stage([
      "discoverByNetwork": [.reply(404, "")], "discoverByNumber": [.reply(404, "")],
      "discoverByAddress": [.end(404, "")],
    ])
    let other = try #require(Stage.discovery().numberVerifier(named: "mc"))
    #expect(
      try await other.coverage(of: Stage.subscriber, for: Stage.number, unknown.run())?.result == .operatorUnsupported)
    let configured = try #require(Stage.settings().numberVerifier(named: "mc"))
    #expect(try await configured.coverage(of: Stage.subscriber, for: Stage.number, Stage([:]).run()) == nil)
    let stage = Self.stage(#","phone_number":"+447700900123""#)
    #expect(
      try await configured.verify(Stage.number, of: Stage.subscriber, isCovered: false, stage.run()).outcome.result
        == .verified
    )
    #expect(Stage.settings { $0.source = nil }.numberVerifier(named: "mc") == nil)
    #expect(Stage.settings { $0.redirect = nil }.numberVerifier(named: "mc") == nil)
  }
}
