import AuthCore
import AuthFlows
import CAMARACommonalities
import CAMARAFlows
import JSONTree
import ModemModel
@_spi(Exchange) import RedirectChain
import Synchronization
import Testing
@_spi(Exchange) import Web

@Suite("CAMARA by an operator token: what is sent, and what is asked of whom")
struct OperatorTokenCallTests {
  typealias Kit = OperatorTokenKit

  private static func signing(_ signer: Kit.Signer, audience: String? = nil) -> OpenIDClient {
    OpenIDClient(id: "app-1", .signature(signer, audience: audience))
  }

  @Test("An assertion has the claims of CAMARA's profile, and nothing else is in the form")
  func claims() async throws {
    let signer = Kit.Signer()
    let settings = Kit.settings(.jwtBearer) { $0.server.client = Self.signing(signer) }
    let grant = try await settings.server.grant(
      .jwtBearer, spending: Kit.token, scope: "openid dpv:FraudPreventionAndDetection number-verification:verify",
      at: CAMARAKit.now)
    let begin = Int(CAMARAKit.now.milliseconds / 1000)
    #expect(
      signer.signed == [
        .object([
          "iss": .string("app-1"), "sub": .string(Kit.subject),
          "aud": .string("https://auth.operator.example/token"), "iat": .int(begin), "exp": .int(begin + 240),
          "jti": .string("BwcHBwcHBwcHBwcHBwcHBw"),
          "scope": .string("dpv:FraudPreventionAndDetection number-verification:verify"),
        ])
      ])
    let walk = CAMARAWalk(Kit.machine(grant), [.token(), OperatorTokenMachineTests.verified])
    try #require(walk.sent.count == 2)
    #expect(walk.sent[0].url.text == "https://auth.operator.example/token" && walk.sent[0].method == .post)
    #expect(
      NumberVerificationCallTests.fields(walk.sent[0]) == [
        "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": "h.c.1",
      ])
    #expect(!walk.sent[0].headers.contains { $0.name == "Authorization" })
    #expect(walk.sent[1].headers.contains { $0.name == "Authorization" && $0.value == "Bearer the-token" })
    #expect(JSONValue(parsing: walk.sent[1].body?.bytes ?? []) == .object(["phoneNumber": .string("+447700900123")]))
  }

  @Test(
    "An assertion never counts longer than 300 seconds, and has the configured audience", arguments: [1, 300, 9999])
  func lifetime(seconds: Int) async throws {
    let signer = Kit.Signer()
    let settings = Kit.settings(.jwtBearer) {
      $0.server.client = Self.signing(signer, audience: "https://auth.operator.example")
      $0.server.assertionTime = seconds
    }
    _ = try await settings.server.grant(.jwtBearer, spending: Kit.token, scope: "x", at: CAMARAKit.now)
    let claims = try #require(signer.signed.first)
    #expect((claims["exp"]?.integer ?? 0) - (claims["iat"]?.integer ?? 0) == min(seconds, 300))
    #expect(claims["aud"]?.string == "https://auth.operator.example")
  }

  @Test("A backchannel request has the token as its only hint, and a client that signs, signs each request anew")
  func backchannel() async throws {
    let signer = Kit.Signer()
    let settings = Kit.settings(.backchannel(Kit.backchannel)) { $0.server.client = Self.signing(signer) }
    let grant = try await settings.server.grant(
      .backchannel(Kit.backchannel), spending: Kit.token, scope: settings.scopeOfVerify, at: CAMARAKit.now)
    #expect(signer.signed.count == BackchannelTicket.polls + 1)
    let audiences = signer.signed.compactMap { $0["aud"]?.string }
    #expect(audiences.count { $0 == "https://auth.operator.example/token" } == BackchannelTicket.polls)
    #expect(audiences.count { $0 == Kit.backchannel.text } == 1)
    #expect(signer.signed.allSatisfy { $0["sub"]?.string == "app-1" })
    let walk = CAMARAWalk(
      Kit.machine(grant), [Kit.accepted, Kit.pending, .token(), OperatorTokenMachineTests.verified])
    try #require(walk.sent.count == 4)
    let forms = walk.sent.prefix(3).map(NumberVerificationCallTests.fields)
    let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    #expect(walk.sent[0].url == Kit.backchannel)
    #expect(
      forms[0].filter { $0.key != "client_assertion" } == [
        "login_hint": Kit.subject, "client_id": "app-1", "client_assertion_type": assertionType,
        "scope": "openid dpv:FraudPreventionAndDetection number-verification:verify",
      ])
    for form in forms[1...] {
      #expect(
        form.filter { $0.key != "client_assertion" } == [
          "grant_type": "urn:openid:params:grant-type:ciba", "auth_req_id": "req-1", "client_id": "app-1",
          "client_assertion_type": assertionType,
        ])
    }
    #expect(Set(forms.compactMap { $0["client_assertion"] }).count == 3)
  }

  @Test("A token of no length, or of any, is not sent", arguments: [0, 4097])
  func tokenLength(count: Int) async throws {
    let settings = Kit.settings(.backchannel(Kit.backchannel))
    await #expect(throws: AuthError.self) {
      _ = try await settings.server.grant(
        .backchannel(Kit.backchannel), spending: OperatorToken(Secret(String(repeating: "x", count: count))),
        scope: "x", at: CAMARAKit.now)
    }
  }

  @Test("Without a key, an assertion is refused before anything is sent")
  func keyless() async throws {
    let settings = Kit.settings(.jwtBearer)
    let error = await #expect(throws: AuthError.self) {
      _ = try await settings.server.grant(.jwtBearer, spending: Kit.token, scope: "x", at: CAMARAKit.now)
    }
    #expect(error?.message.contains("client-key") == true)
  }

  /// A run that has no bearer: whoever wants one is counted.
  private static func run(_ replies: [CAMARAReply]) -> (run: FlowRun, bearers: Count, sent: Count) {
    let (bearers, sent) = (Count(), Count())
    var lanes = FlowLanes(
      open: { _, _ in
        bearers.next()
        return BearerReply(.failed(ChainFailure(.notRegistered, "none")))
      },
      send: { _ in
        let index = sent.next()
        guard replies.indices.contains(index) else { return .failure(BackendFailure(.closed, "nothing more")) }
        switch replies[index] {
        case .http(let status, let body, _, _): return .success(BackendReply(status: status, body: Array(body.utf8)))
        default: return .success(BackendReply(status: 200, body: Array(replies[index].text.utf8)))
        }
      })
    lanes.prepare = {
      bearers.next()
      return ChainFailure(.notRegistered, "none")
    }
    return (FlowRun(FlowDriver(lanes, now: { CAMARAKit.now })) { _ in }, bearers, sent)
  }

  /// How often something happened.
  final class Count: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock(\.self) }

    @discardableResult
    func next() -> Int {
      count.withLock { count in
        defer { count += 1 }
        return count
      }
    }
  }

  @Test("A number is verified without a bearer, and proved by the SIM")
  func verify() async throws {
    let source = Kit.Source()
    let signer = Kit.Signer()
    let settings = Kit.settings(.jwtBearer) { $0.server.client = Self.signing(signer) }
    let provider = try #require(settings.numberVerifier(named: "op", spending: source))
    #expect(provider.proof == .sim && provider.kind == "camara" && settings.numberVerifier(named: "op") == nil)
    let (run, bearers, sent) = Self.run([.token(), OperatorTokenMachineTests.verified])
    let end = try await provider.verify(CAMARAKit.number, of: CAMARAKit.subscriber, isCovered: false, run)
    #expect(end.outcome.result == .verified && end.outcome.proof == .sim && end.outcome.number == .matches)
    #expect(bearers.value == 0 && sent.value == 2)
    #expect(source.operations == [.verify])
  }

  @Test("A number is read with a token for that operation")
  func read() async throws {
    let source = Kit.Source()
    let provider = CAMARAProvider(
      name: "op", settings: Kit.settings(.backchannel(Kit.backchannel)), tokens: source)
    let (run, _, _) = Self.run([Kit.accepted, .token(), .http(200, #"{"devicePhoneNumber":"+447700900123"}"#)])
    let end = try await provider.ask(
      try await provider.inquiry(.read, at: run.now), of: CAMARAKit.subscriber, run)
    #expect(end.outcome.result == .numberRead && end.outcome.proof == .sim && end.answer?.number == CAMARAKit.number)
    #expect(source.operations == [.phoneNumber])
  }

  static let tokenless: [(FlowEnd<OperatorToken>, FlowResult)] = [
    (FlowEnd(FlowOutcome(.noSIMAnswer, code: "simLocked", "locked")), .noSIMAnswer),
    (FlowEnd(FlowOutcome(.operatorUnsupported, "no")), .operatorUnsupported),
    (FlowEnd(FlowOutcome(.rateLimited, code: "tooMany", retryAfter: 9, "many")), .rateLimited),
    (FlowEnd(FlowOutcome(.authorized, "but there is none")), .badAnswer),
    (
      FlowEnd(
        FlowOutcome(.authorized, "late"), OperatorToken(Secret("t"), end: Timestamp(milliseconds: 0))),
      .expired
    ),
    (FlowEnd(FlowOutcome(.numberRead, "no token for this"), Kit.token), .numberRead),
  ]

  @Test("Without an operator token nothing is sent to the operator's API", arguments: tokenless)
  func ended(got: FlowEnd<OperatorToken>, result: FlowResult) async throws {
    let settings = Kit.settings(.jwtBearer) { $0.server.client = Self.signing(Kit.Signer()) }
    let provider = try #require(settings.numberVerifier(named: "op", spending: Kit.Source(got)))
    let (run, bearers, sent) = Self.run([])
    let end = try await provider.verify(CAMARAKit.number, of: CAMARAKit.subscriber, isCovered: false, run)
    #expect(end.outcome.result == result && end.outcome.number == nil)
    #expect(bearers.value == 0 && sent.value == 0)
  }

  @Test("A source that does not exist, or of a kind without tokens, is told as what it is")
  func sources() async throws {
    var providers = ProviderSet()
    providers.add(NamedProvider(name: "op", settings: Kit.settings(.jwtBearer)))
    providers.add(NamedProvider(name: "plain", settings: CAMARAKit.settings()))
    for (name, words) in [("ts", "no provider of the name ts"), ("plain", "of the kind camara")] {
      let error = #expect(throws: AuthError.self) { try providers.operatorTokenSource(named: name, for: nil) }
      #expect(error?.message.contains(words) == true)
    }
    // The verifier is there, and says why it cannot be used when it is asked.
    let verifier = try #require(try providers.numberVerifiers(named: "op", for: nil).first).verifier
    let (run, bearers, sent) = Self.run([])
    let end = try await verifier.verify(CAMARAKit.number, of: CAMARAKit.subscriber, isCovered: false, run)
    #expect(end.outcome.result == .notConfigured && end.outcome.text.contains("operatorTokensFrom"))
    #expect(bearers.value == 0 && sent.value == 0)
    #expect(providers.descriptions().first?.abilities == [.verifyNumber, .simChange, .readNumber])
  }

  @Test("Nothing prints an operator token, an assertion or an access token")
  func redaction() async throws {
    let ticket = Kit.ticket
    let machine = Kit.machine(.backchannel(ticket))
    let grant = CAMARAAccess.Grant.assertion(Secret("h.c.s"))
    for text in [
      "\(Kit.token)", String(reflecting: Kit.token), "\(ticket)", "\(machine)", "\(grant)", String(describing: ticket),
    ] {
      for secret in ["op+tok", "s3cret", "h.c.s"] { #expect(!text.contains(secret)) }
    }
    let walk = CAMARAWalk(machine, [Kit.accepted, .token(), OperatorTokenMachineTests.verified])
    #expect(walk.sent.count == 3)
    for call in walk.sent {
      for secret in ["op%2Btok", "op+tok", "req-1"] { #expect(!"\(call)".contains(secret)) }
      #expect(call.url.text.contains("?") == false)
    }
  }
}

extension CAMARASettings {
  /// As the provider asks for it.
  fileprivate var scopeOfVerify: String { "openid dpv:\(server.purpose) number-verification:verify" }
}
