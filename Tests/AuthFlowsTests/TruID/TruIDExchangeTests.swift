import AuthCore
import AuthFlows
import JSONTree
import ModemModel
import RedirectChain
import Synchronization
import Testing
import TruIDFlows

private let problem = TruIDStage.problem
private let created = TruIDStage.created
private let atAPI = TruIDStage.createdAtAPI
private let code = #"{"check_id":"c-1","code":"code-1"}"#

@Suite("tru.ID: codes and redirects of v0.2")
struct TruIDExchangeTests {
  static func done(_ members: String) -> Reaction { .reply(200, #"{"check_id":"c-1",\#(members)}"#) }
  static func coded(_ more: Reaction...) -> [Reaction] { [.reply(200, created), .end(200, code)] + more }
  static func codedAtAPI(_ more: Reaction...) -> [Reaction] {
    [.reply(201, atAPI), .end(200, code, type: "application/hal+json")] + more
  }

  static let exchangesRows: [CheckCase] = [
    .init(
      name: "verified at the API", version: .v2, isAPI: true,
      reactions: codedAtAPI(done(#""status":"COMPLETED","match":true,"no_sim_change":true"#)), result: .verified,
      sim: .unchanged, calls: 3),
    .init(
      name: "another number", version: .v2, isAPI: true,
      reactions: codedAtAPI(done(#""status":"COMPLETED","match":false,"no_sim_change":true"#)), result: .notVerified,
      sim: .unchanged, calls: 3),
    .init(
      name: "recent swap", version: .v2, isAPI: true,
      reactions: codedAtAPI(done(#""status":"COMPLETED","match":true,"no_sim_change":false"#)), result: .simSwapped,
      sim: .changed),
    .init(
      name: "error behind the exchange", version: .v2, isAPI: true,
      reactions: codedAtAPI(done(#""status":"ERROR","error_code":"mno_server_error""#)), result: .operatorError,
      code: "mno_server_error"),
    .init(
      name: "expired", version: .v2, isAPI: true, reactions: codedAtAPI(done(#""status":"EXPIRED""#)),
      result: .expired, code: "EXPIRED"),
    .init(
      name: "device was not there", version: .v2, isAPI: true,
      reactions: codedAtAPI(.reply(404, problem("check_not_found"))), result: .expired, code: "check_not_found",
      calls: 3),
    .init(
      name: "wrong code", version: .v2, isAPI: true, reactions: codedAtAPI(.reply(400, problem("bad_request"))),
      result: .badRequest, code: "bad_request", calls: 3),
    .init(
      name: "no answer is not asked again", version: .v2, isAPI: true, reactions: codedAtAPI(.failure(.timeout)),
      result: .timeout, calls: 3),
    .init(
      name: "pending behind the exchange", product: .phoneCheck, version: .v2, isAPI: true,
      reactions: codedAtAPI(done(#""status":"PENDING""#), done(#""status":"COMPLETED","match":true"#)),
      result: .verified, calls: 4),
    .init(
      name: "too late for the exchange", version: .v2, isAPI: true, seconds: 61, reactions: codedAtAPI(),
      result: .expired, calls: 2),
    .init(
      name: "by a backend", version: .v2, reactions: coded(done(#""match":true,"no_sim_change":true"#)),
      result: .verified, sim: .unchanged, calls: 3),
    .init(
      name: "a backend that takes GET alone", version: .v2,
      reactions: coded(.reply(405, ""), done(#""match":true,"no_sim_change":false"#)), result: .simSwapped,
      sim: .changed, calls: 4),
    .init(
      name: "a backend that takes nothing", version: .v2, reactions: coded(.reply(405, ""), .reply(405, "")),
      result: .notConfigured, calls: 4),
    .init(
      name: "a backend passes a problem on", version: .v2, reactions: coded(.reply(404, problem("check_not_found"))),
      result: .expired, code: "check_not_found", calls: 3),
    .init(name: "no JSON", version: .v2, reactions: coded(.reply(200, "OK")), result: .badAnswer, calls: 3),
  ]

  @Test("A code is exchanged once, for every kind of result", arguments: exchangesRows)
  func exchanges(row: CheckCase) { row.run() }

  // MARK: Redirects

  static let target = "https://app.example/back?check_id=c-1&code=code-1"
  static let signature =
    #"Signature keyId="k-1",algorithm="rsa-sha256",headers="(request-target) host date",signature="c2lnbmVk""#

  /// The redirect URL with its signature, dated some seconds from the time at which it is reached.
  static func signed(_ url: String, secondsOff: Int64 = 0, _ authorization: String = signature) -> String {
    let moment = TruIDStage.start.milliseconds / 1000 + 2 + secondsOff
    return url + "&" + FormFields(["authorization": base64(authorization), "date": base64(date(moment))]).encoded
  }

  static func base64(_ text: String) -> String { Base64.encode(Array(text.utf8)) }

  /// As HTTP has it; the day of the week counts for nobody.
  static func date(_ seconds: Int64) -> String {
    let text = Timestamp(milliseconds: seconds * 1000).description
    let part = { (range: Range<Int>) in String(Array(text)[range]) }
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return "Tue, \(part(8..<10)) \(months[Int(part(5..<7))! - 1]) \(part(0..<4)) \(part(11..<19)) GMT"
  }

  static let back = TruIDRedirect("https://app.example/back")
  static let matched = done(#""status":"COMPLETED","match":true,"no_sim_change":true"#)
  static func reached(_ url: String, _ more: Reaction...) -> [Reaction] {
    [.reply(201, atAPI), .redirected(url)] + more
  }

  static let redirectsRows: [CheckCase] = [
    .init(
      name: "signed", version: .v2, isAPI: true, redirect: back, reactions: reached(signed(target), matched),
      result: .verified, sim: .unchanged, calls: 3),
    .init(
      name: "five minutes old", version: .v2, isAPI: true, redirect: back,
      reactions: reached(signed(target, secondsOff: -300), matched), result: .verified, sim: .unchanged),
    .init(
      name: "older", version: .v2, isAPI: true, redirect: back, reactions: reached(signed(target, secondsOff: -301)),
      result: .stateMismatch, code: "signature_expired", calls: 2),
    .init(
      name: "from the future", version: .v2, isAPI: true, redirect: back,
      reactions: reached(signed(target, secondsOff: 301)), result: .stateMismatch, code: "signature_expired"),
    .init(
      name: "not signed", version: .v2, isAPI: true, redirect: back, reactions: reached(target), result: .stateMismatch,
      code: "signature_missing", calls: 2),
    .init(
      name: "signed with something else", version: .v2, isAPI: true, redirect: back,
      reactions: reached(signed(target, "Bearer x")), result: .stateMismatch, code: "signature_malformed"),
    .init(
      name: "signed without a signature", version: .v2, isAPI: true, redirect: back,
      reactions: reached(signed(target, #"Signature keyId="k-1""#)), result: .stateMismatch, code: "signature_malformed"
    ),
    .init(
      name: "date of no kind", version: .v2, isAPI: true, redirect: back,
      reactions: reached(target + "&authorization=\(base64(signature))&date=\(base64("soon"))"), result: .stateMismatch,
      code: "signature_malformed"),
    .init(
      name: "no base64", version: .v2, isAPI: true, redirect: back,
      reactions: reached(target + "&authorization=!&date=!"), result: .stateMismatch, code: "signature_missing"),
    .init(
      name: "of another check", version: .v2, isAPI: true, redirect: back,
      reactions: reached(signed("https://app.example/back?check_id=c-9&code=code-1")), result: .stateMismatch, calls: 2),
    .init(
      name: "of no check", version: .v2, isAPI: true, redirect: back,
      reactions: reached(signed("https://app.example/back?code=code-1")), result: .badAnswer),
    .init(
      name: "an error", version: .v2, isAPI: true, redirect: back,
      reactions: reached(signed("https://app.example/back?check_id=c-1&error=ip_msisdn_mismatch&error_description=x")),
      result: .operatorMismatch, code: "ip_msisdn_mismatch", calls: 2),
    .init(
      name: "neither code nor error", version: .v2, isAPI: true, redirect: back,
      reactions: reached(signed("https://app.example/back?check_id=c-1")), result: .badAnswer),
    .init(
      name: "opened at the backend", version: .v2, redirect: TruIDRedirect("https://app.example/back", isFetched: true),
      reactions: [.reply(200, created), .end(200, #"{"check_id":"c-1","match":true,"no_sim_change":true}"#)],
      result: .verified, sim: .unchanged, calls: 2),
    .init(
      name: "refused at the backend", version: .v2,
      redirect: TruIDRedirect("https://app.example/back", isFetched: true),
      reactions: [.reply(200, created), .end(404, problem("check_not_found"))], result: .expired,
      code: "check_not_found", calls: 2),
  ]

  @Test("What an app's backend answers with its verdict reaches the caller; tru.ID's own answer does not")
  func serverAnswer() {
    let match = #"{"check_id":"c-1","match":true,"status":"COMPLETED","session":"s-1"}"#
    let fetched = TruIDStage.check(
      .phoneCheck, .v2, by: .api(TruIDStage.client),
      redirect: TruIDRedirect("https://app.example/back", isFetched: true),
      [.reply(201, TruIDStage.createdAtAPI), .end(200, match)])
    #expect(fetched.outcome.result == .verified && fetched.answer?.serverAnswer?["session"] == .string("s-1"))
    let own = TruIDStage.check(
      .phoneCheck, .v1, by: .api(TruIDStage.client),
      [.reply(201, TruIDStage.createdAtAPI), .end(200, ""), .reply(200, match)])
    #expect(own.outcome.result == .verified && own.answer?.serverAnswer == nil, "\(own.outcome)")
    let unsettled = TruIDStage.check(
      .phoneCheck, .v2, by: .api(TruIDStage.client),
      redirect: TruIDRedirect("https://app.example/back", isFetched: true),
      [.reply(201, TruIDStage.createdAtAPI), .end(200, #"{"check_id":"c-1","status":"ERROR","session":"s-1"}"#)])
    #expect(unsettled.outcome.result != .verified && unsettled.answer?.serverAnswer == nil)
  }

  @Test("A redirect URL is taken with a fresh signature and the check's own id alone", arguments: redirectsRows)
  func redirects(row: CheckCase) { row.run() }

  @Test("A signature that must be verified is compared over what the URL says, by the key that it names")
  func keys() throws {
    let asked = Mutex<[String]>([])
    let redirect = TruIDRedirect("https://app.example/back", signature: .verified)
    let run = { (keys: String, isGood: Bool, authorization: String) in
      let url = Self.signed(Self.target, authorization)
      let answers: [Reaction] = isGood ? [.reply(200, keys), Self.matched] : [.reply(200, keys)]
      let reactions = Self.reached(url) + answers
      return TruIDStage.check(
        .subscriberCheck, .v2, by: .api(TruIDStage.client), redirect: redirect, reactions,
        keyCheck: { key, algorithm, message, signature in
          asked.withLock { $0.append(String(decoding: message, as: UTF8.self)) }
          return isGood && key["kid"]?.string == "k-1" && algorithm == "rsa-sha256" && signature == Array("signed".utf8)
        })
    }
    let set = #"{"keys":[{"kid":"k-0"},{"kid":"k-1","kty":"RSA"}]}"#
    let good = run(set, true, Self.signature)
    #expect(good.outcome.result == .verified)
    #expect(good.steps == ["createCheck", "openCheckURL", "readKeys", "exchangeCode"])
    #expect(good.sent[1].url.text == "https://eu.api.tru.id/.well-known/jwks.json")
    let date = Self.date(TruIDStage.start.milliseconds / 1000 + 2)
    #expect(
      asked.withLock { $0 } == [
        "(request-target): get /back?check_id=c-1&code=code-1\nhost: app.example\ndate: \(date)"
      ])
    let partly = #"Signature keyId="k-1",algorithm="rsa-sha256",headers="date",signature="c2lnbmVk""#
    for trial in [
      run(set, false, Self.signature), run(#"{"keys":[]}"#, false, Self.signature), run(set, false, partly),
    ] {
      #expect(trial.outcome.result == .stateMismatch && trial.outcome.code == "signature_invalid")
      #expect(!trial.steps.contains("exchangeCode"))
    }
  }

  @Test("Without anything that can verify a key, nothing passes for verified")
  func noKeyCheck() {
    let redirect = TruIDRedirect("https://app.example/back", signature: .verified)
    let trial = TruIDStage.check(
      .phoneCheck, .v2, by: .api(TruIDStage.client), redirect: redirect,
      Self.reached(Self.signed(Self.target)) + [.reply(200, #"{"keys":[{"kid":"k-1"}]}"#)])
    #expect(trial.outcome.result == .stateMismatch)
  }
}
