import AuthCore
import JSONTree
import RedirectChain
import Testing

@testable import AuthFlows
@testable import MobileConnectFlows

@Suite("Mobile Connect: userinfo and identity")
struct MobileConnectInformationTests {
  typealias Stage = MobileConnectStage

  static let userinfo =
    #"{"sub":"pcr-1","name":"A B","given_name":"A","middle_name":"M","family_name":"B","nickname":"Ab","#
    + #""preferred_username":"ab","phone_number":"+447700900123","email":"a@b.example","email_verified":"true","#
    + #""updated_at":1700000000,"address":{"formatted":"1 Road","locality":"Town","region":"R","postal_code":"P","country":"GB"}}"#
  static let premiuminfo =
    #"{"sub":"pcr-1","title":"Dr","national_identifier":"N1","phone_number_alternate":"+447700900124","#
    + #""street_address":"1 Road","city":"Town","state":"R","postal_code":"P","country":"GB","birthdate":"1990-01-02","#
    + #""client_name":"shop","correlation_id":"c1","other":{"kept":1}}"#

  static func read(
    _ kind: MobileConnectInformation.Kind, _ reaction: Reaction, subject: String? = "pcr-1"
  ) async throws -> (FlowEnd<MobileConnectAnswer>, MobileConnectStage) {
    let stage = Stage([
      kind == .userinfo ? "readUserInfo" : "readPremiumInfo": [reaction], "readKeys": [Stage.keys],
    ])
    let end = try await stage.flow(Stage.settings())
      .information(kind, Secret("access-1"), subject: subject.map { Secret($0) }, OperatorQuery())
    return (end, stage)
  }

  @Test("Userinfo's fields, typed; asked for with the token by GET")
  func fields() async throws {
    let (end, stage) = try await Self.read(.userinfo, .reply(200, Self.userinfo))
    let told = try #require(end.answer?.information)
    #expect(end.outcome.result == .authorized && told.name == Secret("A B") && told.givenName == Secret("A"))
    #expect(told.middleName == Secret("M") && told.familyName == Secret("B") && told.nickname == Secret("Ab"))
    #expect(told.preferredUsername == Secret("ab") && told.phoneNumber == Secret("+447700900123"))
    #expect(told.email == Secret("a@b.example") && told.isEmailVerified == true && told.updatedAt == "1700000000")
    #expect(told.address?.formatted == Secret("1 Road") && told.address?.city == Secret("Town"))
    #expect(told.address?.state == Secret("R") && told.address?.country == Secret("GB"))
    let call = try #require(stage.call("readUserInfo"))
    #expect(call.method == .get && Stage.header("Authorization", call.headers) == "Bearer access-1")
  }

  @Test("Identity's fields, typed, with all that has no name of its own")
  func identity() async throws {
    let (end, stage) = try await Self.read(.premiuminfo, .reply(200, Self.premiuminfo))
    let told = try #require(end.answer?.information)
    #expect(told.title == Secret("Dr") && told.nationalIdentifier == Secret("N1"))
    #expect(told.phoneNumberAlternate == Secret("+447700900124") && told.birthdate == Secret("1990-01-02"))
    #expect(told.address?.street == Secret("1 Road") && told.address?.postalCode == Secret("P"))
    #expect(told.clientName == "shop" && told.correlationID == "c1" && told.isEmailVerified == nil)
    #expect(told.all["other"]?["kept"] == .int(1))
    #expect(stage.call("readPremiumInfo")?.url.path == "/premiuminfo")
  }

  static func signed(_ claims: [String: JSONValue], _ signature: String = "good") -> Reaction {
    .reply(200, Stage.token(claims, signature: signature), ["Content-Type": "application/jwt"])
  }

  @Test("A signed answer is read once its signature, issuer and audience are good")
  func token() async throws {
    let claims: [String: JSONValue] = [
      "sub": .string("pcr-1"), "iss": .string(Stage.issuer), "aud": .string("app-1"), "email": .string("a@b.example"),
    ]
    let (good, _) = try await Self.read(.userinfo, Self.signed(claims))
    #expect(good.outcome.result == .authorized && good.answer?.information?.email == Secret("a@b.example"))
    let quoted = Reaction.reply(200, "\"\(Stage.token(claims))\"")
    #expect(try await Self.read(.premiuminfo, quoted).0.outcome.result == .authorized)
    for (name, value, signature, check) in [
      ("iss", "https://other.example", "good", "iss"), ("aud", "app-2", "good", "aud"),
      ("x", "", "forged", "signature"),
      ("x", "", "none", "alg"),
    ] {
      let (end, _) = try await Self.read(
        .userinfo, Self.signed(claims.merging([name: .string(value)]) { $1 }, signature))
      #expect(end.outcome.result == .tokenRefused && end.outcome.code == check && end.answer?.information == nil)
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let reaction: Reaction
    let result: FlowResult
    var code: String?
    var testDescription: String { name }
  }

  @Test(
    "Refusals, also where they stand in WWW-Authenticate alone",
    arguments: [
      Row(
        name: "a token that is over",
        reaction: .reply(
          401, "", ["WWW-Authenticate": #"Bearer error="invalid_token", error_description="The \"token\" is over""#]),
        result: .expired, code: "invalid_token"),
      Row(
        name: "too little scope",
        reaction: .reply(403, "", ["WWW-Authenticate": #"Bearer realm="op", error=insufficient_scope"#]),
        result: .clientRefused, code: "insufficient_scope"),
      Row(name: "401 without a word", reaction: .reply(401, ""), result: .expired),
      Row(
        name: "a challenge with 200",
        reaction: .reply(200, "{}", ["www-authenticate": #"Bearer error="invalid_token""#]), result: .expired,
        code: "invalid_token"),
      Row(
        name: "JSON", reaction: .reply(400, #"{"error":"invalid_request"}"#), result: .badRequest,
        code: "invalid_request"),
      Row(name: "neither JSON nor a token", reaction: .reply(200, "<html>"), result: .badAnswer),
      Row(name: "a list", reaction: .reply(200, "[]"), result: .badAnswer),
      Row(name: "another subject", reaction: .reply(200, #"{"sub":"pcr-2"}"#), result: .stateMismatch),
      Row(name: "no subject", reaction: .reply(200, "{}"), result: .stateMismatch),
      Row(name: "404", reaction: .reply(404, ""), result: .notConfigured),
      Row(name: "503", reaction: .reply(503, ""), result: .providerUnavailable),
    ])
  func refusals(row: Row) async throws {
    for kind in MobileConnectInformation.Kind.allCases {
      let (end, _) = try await Self.read(kind, row.reaction)
      #expect(end.outcome.result == row.result && end.outcome.code == row.code, "\(end.outcome)")
      #expect(end.answer?.information == nil)
    }
  }

  @Test("A login asks for it with its own token, and holds its subject against the ID token's")
  func login() async throws {
    let stage = Stage(Stage.login().merging(["readUserInfo": [.reply(200, Self.userinfo)]]) { $1 })
    let end = try await stage.flow(Stage.settings()).login(Stage.request(), OperatorQuery(), information: .userinfo)
    #expect(
      end.outcome.result == .signedIn && end.answer?.information?.subject == Secret("pcr-1")
        && end.answer?.tokens != nil)
    stage.set("readUserInfo", .reply(200, #"{"sub":"pcr-2"}"#))
    let other = try await stage.flow(Stage.settings()).login(Stage.request(), OperatorQuery(), information: .userinfo)
    #expect(other.outcome.result == .stateMismatch && other.answer?.tokens == nil && other.answer?.information == nil)
  }

  @Test("What is personal prints redacted")
  func redacted() async throws {
    let told = try #require(try await Self.read(.userinfo, .reply(200, Self.userinfo)).0.answer?.information)
    var shown = told
    shown.all = .null
    #expect(!"\(shown)".contains("a@b.example") && !"\(shown)".contains("447700900123"))
  }
}
