// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import JSONTree
import ModemModel
@_spi(Exchange) import RedirectChain
import Testing
@_spi(Exchange) import Web

@testable import AuthFlows
@testable import TruIDFlows
@testable import IPificationFlows
@testable import MobileConnectFlows
@testable import MIRACLFlows

/// Readers of answers, fed with numbers of any size: each gives something or nothing, and none ends
/// the process.
@Suite struct ExtremeAnswerTests {
  static let numbers = [
    "9223372036854775807", "-9223372036854775808", "9223372036854775808", "99999999999999999999", "1e308", "-1", "0",
    "9007199254740993", "1.5", "\"9223372036854775807\"", "\"99999999999999999999\"", "\"NaN\"", "\"\"", "[]", "{}",
    "null", "true",
  ]
  static let moments = [
    Timestamp.earliest, Timestamp(milliseconds: 0), Timestamp(milliseconds: 1_795_248_000_000), .latest,
  ]

  static func json(_ text: String) -> JSONValue { JSONValue(parsing: text.utf8) ?? .null }

  static func token(_ claims: String) -> String {
    [#"{"alg":"none"}"#, claims].map { Base64.encodeURL(Array($0.utf8)) }.joined(separator: ".") + ".x"
  }

  @Test(arguments: numbers) func lifetimesOfTokens(_ number: String) {
    let claims = #"{"aud":"c","nonce":"n","exp":\#(number),"iat":\#(number)}"#
    let body = #"{"access_token":"a","expires_in":\#(number),"id_token":"\#(Self.token(claims))"}"#
    for now in Self.moments {
      let answer = TokenAnswer(
        BackendReply(status: 200, body: Array(body.utf8)), clientID: "c", nonce: Secret("n"), [:], host: "h", at: now)
      guard case .token(let token) = answer else { continue }
      if let end = token.end { #expect(end >= now && end.time(since: now) <= .seconds(86_400)) }
    }
  }

  @Test func aTokenThatIsGoodForEverIsGood() throws {
    let claims = #"{"aud":"c","nonce":"n","exp":9223372036854775807}"#
    let body = #"{"access_token":"a","expires_in":9223372036854775807,"id_token":"\#(Self.token(claims))"}"#
    let answer = TokenAnswer(
      BackendReply(status: 200, body: Array(body.utf8)), clientID: "c", nonce: Secret("n"), [:], host: "h",
      at: Timestamp(milliseconds: 0))
    #expect(answer == .token(AccessToken(secret: Secret("a"), end: Timestamp(milliseconds: 86_400_000))))
  }

  @Test(arguments: numbers) func claimsOfIDTokens(_ number: String) {
    let claims = Self.json(
      #"{"iss":"i","aud":"c","sub":"s","exp":\#(number),"iat":\#(number),"auth_time":\#(number),"acr":\#(number)}"#)
    for now in Self.moments {
      for age in [nil, 0, Int.min, Int.max] {
        for skew in [0, Int.max, Int.min] {
          let expected = IDTokenExpectation(
            issuer: "i", clientID: "c", nonce: nil, maximumAge: age, acr: ["9223372036854775808"], version: .v1_1,
            skew: skew)
          try? expected.check(claims, at: now, MobileConnectStage.tools)
        }
      }
      _ = IPificationClaims(claims).problem(clientID: "c", nonce: nil, at: now)
    }
  }

  @Test(arguments: numbers) func delays(_ number: String) {
    let body = #"{"error":"REQUEST_BACKOFF","context":{"backoff":\#(number)}}"#
    for now in Self.moments {
      let reply = BackendReply(
        status: 429, headers: [.init(name: "Retry-After", value: number)], body: Array(body.utf8))
      let outcome = MIRACLProblem(reply).outcome(of: .mail, at: now)
      #expect(outcome.result == .rateLimited)
      #expect((0...604_800).contains(outcome.retryAfter ?? 0))
    }
  }

  @Test(arguments: [Int.min, -1, 0, 1, Int.max]) func timesOfDiscovery(_ ttl: Int) {
    for now in Self.moments {
      let end = OperatorCache.end(of: ttl, .seconds(300), at: now)
      #expect(end >= now && end.time(since: now) <= OperatorCache.longest)
    }
  }

  @Test(arguments: numbers) func periodsOfSIMChanges(_ number: String) {
    let body =
      #"{"no_sim_change":true,"no_sim_change_period":\#(number),"sim_change_within":\#(number),"ttl":\#(number)}"#
    let client = TruIDClient(api: try! Endpoint("https://api.example"), token: Secret("t"), route: .host)
    let machine = TruIDSIMChangeMachine(try! SubscriberNumber("+447700900123"), 60, .api(client))
    for now in Self.moments {
      var machine = machine
      _ = machine.start(at: now)
      guard
        case .finish(let outcome, let answer) = machine.receive(
          .answered(BackendReply(status: 200, body: Array(body.utf8))), at: now)
      else { continue }
      #expect(outcome.result.isAnswer)
      if let period = answer?.period { #expect(abs(period.components.seconds) <= 1_000_000_000_000) }
    }
  }

  /// A platform's settings name prefixes of paths and addresses.
  @Test(arguments: ["\u{1}", " ", "ü", "a?b", "#", "//", "../..", "@", ":99999", "https://x", "%", ""])
  func addressesOfAPlatform(_ text: String) throws {
    var service = MIRACLService(try Endpoint("https://api.example/base"), prefix: text)
    service.set(.pass1, try Endpoint("https://api.example"))
    for place in MIRACLService.Place.allCases {
      let url = service.url(place, "/" + text, FormFields(["a": text]))
      #expect(url.host == "api.example" && url.port == 443)
      #expect(try WebURL(url.text) == url)
    }
    #expect(service.clientSettings.host == "api.example")
  }
}
