import ModemAPI
import ModemAPIClient
import OperatorSimulator
import Testing
import TruIDAPI
import Varlink

@testable import ScenarioRunner

/// tru.ID from the caller's socket to the simulated operator: real sockets, real names, real
/// certificates.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct TruIDWorldTests {
  typealias TruID = TruIDInterface

  /// The number of the simulated SIM, another subscriber of its operator, and one of another
  /// operator.
  static let own = "+4915112345678"
  static let neighbour = "+4915155555502"
  static let stranger = "+4917255555504"

  /// What a flow told.
  struct Flow {
    var steps: [TruID.Step] = []
    var hops: [TruID.Hop] = []
    var outcome: TruID.Outcome?
    var check: TruID.Check?

    var words: String { outcome.map { "\($0.result) \($0.code ?? "-"): \($0.text)" } ?? "no outcome" }
    var names: [String] { steps.map(\.name) }
  }

  static func run<Method: VarlinkMethod>(
    _ world: World, _: Method.Type, _ parameters: Method.Parameters,
    _ read: (Method.Reply) -> (TruID.Step?, TruID.Hop?, TruID.Outcome?, TruID.Check?),
    onHop: (TruID.Hop) async throws -> Void = { _ in }
  ) async throws -> Flow {
    var flow = Flow()
    for try await reply in try await world.client().stream(Method.self, parameters) {
      let (step, hop, outcome, check) = read(reply)
      if let step { flow.steps.append(step) }
      if let hop {
        flow.hops.append(hop)
        try await onHop(hop)
      }
      flow.outcome = outcome ?? flow.outcome
      flow.check = check ?? flow.check
    }
    return flow
  }

  static func subscriberCheck(
    _ world: World, _ number: String, period: Int? = nil, version: String? = nil, way: TruID.Way? = nil,
    onHop: (TruID.Hop) async throws -> Void = { _ in }
  ) async throws -> Flow {
    try await run(
      world, TruID.SubscriberCheck.self,
      .init(number: number, periodMinutes: period, version: version, way: way),
      { ($0.step, $0.hop, $0.outcome, $0.check) }, onHop: onHop)
  }

  static func phoneCheck(_ world: World, _ number: String, version: String? = nil) async throws -> Flow {
    try await run(
      world, TruID.PhoneCheck.self, .init(number: number, version: version),
      { ($0.step, $0.hop, $0.outcome, $0.check) })
  }

  static func simCheck(_ world: World, _ number: String, way: TruID.Way? = nil) async throws -> Flow {
    try await run(
      world, TruID.SIMCheck.self, .init(number: number, way: way), { ($0.step, $0.hop, $0.outcome, $0.check) })
  }

  // MARK: The API

  static let api = """
    { "providers": [ { "kind": "truID", "client": { "id": "c1ient", "secret": "s3cret-of-truid" }, "operators": ["26201"],
        "faults": [
          { "at": "operator", "number": "+4915155555511", "page": true },
          { "at": "operator", "number": "+4915155555512", "code": "mno_timeout" },
          { "at": "redirect", "number": "+4915155555513", "status": 429, "code": "too_many_requests", "retryAfter": 7 },
          { "at": "redirect", "number": "+4915155555514", "status": 501, "code": "mno_redirect_unsupported" },
          { "at": "operator", "number": "+4915155555515", "delayMilliseconds": 120000 },
          { "at": "create", "number": "+4915155555516", "status": 429, "code": "too_many_requests", "retryAfter": 30 },
          { "at": "exchange", "number": "+4915155555517", "status": 404, "code": "check_not_found" } ] } ],
      "subscribers": [
        { "number": "+4915112345678", "simChangedMinutesAgo": 20000 }, { "number": "+4915155555502" },
        { "number": "+4915155555503", "simChangedMinutesAgo": 5 }, { "number": "+4917255555504", "operator": "26202" } ],
      "modemdProviders": { "truid": {
        "kind": "truID", "networks": ["262"], "api": "https://eu.api.truid.example", "clientID": "c1ient", "route": "bearer",
        "version": "v0.2", "sdkHeaders": true } },
      "modemdCredentials": { "truid.client-secret": "s3cret-of-truid" } }
    """

  @Test func `checks at the API: verified, refused, swapped, and each way to fail`() async throws {
    try await Worlds.with(Self.api) { world in
      let verified = try await Self.subscriberCheck(world, Self.own)
      #expect(verified.outcome?.result == .verified && verified.outcome?.sim == .unchanged, "\(verified.words)")
      #expect(verified.names == ["accessToken", "bearer", "createCheck", "openCheckURL", "exchangeCode"])
      #expect(
        verified.hops.map { "\($0.scheme) \($0.host)" } == [
          "https eu.api.truid.example", "http id.truid-operator.example", "https eu.api.truid.example",
        ])
      #expect(verified.check?.network == "26201" && verified.check?.simChangeWithinMinutes == 43_200)
      #expect(verified.outcome?.provider == "truid" && verified.outcome?.kind == "truID")
      // Whichever family connected first.
      #expect(["10.64.0.2", "2001:db8:64::2"].contains(verified.outcome?.source))

      let swapped = try await Self.subscriberCheck(world, Self.own, period: 43_200)
      #expect(swapped.outcome?.result == .simSwapped && swapped.outcome?.number == .matches, "\(swapped.words)")
      #expect(!swapped.names.contains("accessToken"), "the token is kept")
      let polled = try await Self.phoneCheck(world, Self.own, version: "v0.1")
      #expect(polled.outcome?.result == .verified && polled.names.last == "readResult", "\(polled.words)")

      let rows: [(String, TruID.Outcome.Result, String?, Int?)] = [
        (Self.neighbour, .notVerified, nil, nil), (Self.stranger, .operatorMismatch, "ip_msisdn_mismatch", nil),
        ("+4915155555511", .interactionRequired, nil, nil), ("+4915155555512", .operatorTimeout, "mno_timeout", nil),
        ("+4915155555513", .rateLimited, "too_many_requests", 7000),
        ("+4915155555514", .operatorUnsupported, "mno_redirect_unsupported", nil),
        ("+4915155555516", .rateLimited, "too_many_requests", 30_000),
        ("+4915155555517", .expired, "check_not_found", nil),
      ]
      for (number, result, code, retry) in rows {
        let flow = try await Self.subscriberCheck(world, number)
        #expect(flow.outcome?.result == result && flow.outcome?.code == code, "\(number.suffix(2)): \(flow.words)")
        #expect(flow.outcome?.retryAfterMilliseconds == retry)
      }
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test func `a bearer that is lost in the middle ends the check, and the next one is verified`() async throws {
    try await Worlds.with(Self.api) { world in
      let lost = try await Self.subscriberCheck(world, "+4915155555515") { hop in
        if hop.index == 1 { _ = try await world.perform("drop-bearer 36") }
      }
      #expect(lost.outcome?.result == .noDataPath, "\(lost.words)")
      #expect(!lost.names.contains("exchangeCode"))
      var last = Flow()
      let works = try await world.eventually {
        last = try await Self.subscriberCheck(world, Self.own)
        return last.outcome?.result == .verified
      }
      #expect(works, "\(last.words)")
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test func `SIMCheck, coverage and traces at the API`() async throws {
    try await Worlds.with(Self.api) { world in
      let rows: [(String, TruID.Outcome.Result, String?)] = [
        (Self.own, .simUnchanged, nil), ("+4915155555503", .simSwapped, nil),
        (Self.neighbour, .operatorError, "mno_no_data_available"),
        (Self.stranger, .operatorUnsupported, "mno_not_supported"),
        ("+4915100000000", .subscriberUnknown, "mno_user_not_found"),
      ]
      for (number, result, code) in rows {
        let flow = try await Self.simCheck(world, number)
        #expect(flow.outcome?.result == result && flow.outcome?.code == code, "\(flow.words)")
        #expect(flow.hops.isEmpty && !flow.names.contains("openCheckURL"))
      }
      let client = try await world.client()
      let own = try await client.call(TruID.Coverage.self, .init(product: .subscriberCheck))
      #expect(own.outcome?.result == .covered && own.served?.network == "26201", "\(own.outcome?.text ?? "-")")
      #expect(["10.64.0.2", "2001:db8:64::2"].contains(own.served?.address) && own.served?.products?.count == 3)
      let outside = try await client.call(TruID.Coverage.self, .init(address: "192.0.2.2"))
      #expect(outside.outcome?.result == .notMobileIP && outside.served == nil)
      let country = try await client.call(TruID.Coverage.self, .init(country: "DE"))
      #expect(country.outcome?.result == .covered && country.served?.products?.first?.extent == "PARTIAL")
      #expect(
        try await client.call(TruID.Coverage.self, .init(country: "XX")).outcome?.result == .operatorUnsupported)

      let check = try #require(try await Self.phoneCheck(world, Self.own).check?.id)
      let traces = try await client.call(TruID.Traces.self, .init(check: check, kind: .phoneCheck))
      #expect(traces.traces?.first?.entries.first?.message == "the check was created")
      let missing = try await client.call(TruID.Traces.self, .init(check: check, kind: .phoneCheck, trace: "none"))
      #expect(missing.outcome?.result == .badRequest && missing.outcome?.code == "trace_not_found")
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  // MARK: A backend

  /// - Parameters:
  ///   - server: members of the simulated tru.ID.
  ///   - settings: members of modemd's file.
  ///   - route: of calls to the backend.
  static func backend(_ server: String, _ settings: String, route: String = "bearer") -> String {
    """
    { "providers": [ { "kind": "truID", "backendPassword": "passw0rd-of-app", \(server) } ],
      "subscribers": [ { "number": "+4915112345678", "simChangedMinutesAgo": 20000 }, { "number": "+4915155555502" },
        { "number": "+4915155555503", "simChangedMinutesAgo": 5 }, { "number": "+4917255555504", "operator": "26202" } ],
      "modemdProviders": { "app": {
        "kind": "truID", "checkDomains": ["truid.example"],
        "backend": { "url": "https://app.truid-demo.example", "user": "app", "route": "\(route)" }, \(settings) } },
      "modemdCredentials": { "app.backend-password": "passw0rd-of-app" } }
    """
  }

  @Test(arguments: [true, false])
  func `the seed's way: create at the backend, open the URL, read the result in either form`(
    hasPathForm: Bool
  ) async throws {
    let scenario = Self.backend(
      "\"pathForm\": \(hasPathForm), \"pending\": 1", "\"version\": \"v0.1\"", route: hasPathForm ? "host" : "bearer")
    try await Worlds.with(scenario) { world in
      let verified = try await Self.subscriberCheck(world, Self.own)
      #expect(verified.outcome?.result == .verified && verified.outcome?.sim == .unchanged, "\(verified.words)")
      #expect(verified.steps.first { $0.name == "createCheck" }?.lane == (hasPathForm ? .host : .bearer))
      #expect(verified.names.contains("waitForResult"), "\(verified.names)")
      let first = verified.steps.first { $0.name == "readResult" }
      #expect(first?.status == (hasPathForm ? 200 : 400))
      let other = try await Self.subscriberCheck(world, Self.neighbour)
      #expect(other.outcome?.result == .notVerified && other.outcome?.number == .differs, "\(other.words)")
      #expect(try await Self.subscriberCheck(world, Self.stranger).outcome?.result == .operatorMismatch)
      #expect(try await Self.phoneCheck(world, Self.own).outcome?.result == .verified)
      #expect(try await Self.simCheck(world, Self.own).outcome?.result == .simUnchanged)
      #expect(try await Self.simCheck(world, "+4915155555503").outcome?.result == .simSwapped)
      #expect(try await Self.simCheck(world, Self.neighbour).outcome?.result == .simUnknown)
      let coverage = try await world.client().call(TruID.Coverage.self, .init())
      #expect(coverage.outcome?.result == .covered, "\(coverage.outcome?.text ?? "-")")
      let verify = try await world.client().call(VerifyInterface.Number.self, .init(number: Self.own))
      #expect(verify.outcome?.result == .verified && verify.outcome?.provider == "app")
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  static let redirect = """
    "api": "https://eu.api.truid.example", "route": "bearer",
    "redirect": { "url": "https://shop.example/back", "signature": "verified" },
    """

  @Test(arguments: ["", redirect])
  func `codes of v0.2 are exchanged at a backend, also behind a signed redirect`(redirect: String) async throws {
    let fault = #""faults": [ { "at": "signature", "number": "+4915155555503" } ]"#
    let scenario = Self.backend("\"takesPOST\": \(redirect.isEmpty), \(fault)", "\(redirect) \"version\": \"v0.2\"")
    try await Worlds.with(scenario) { world in
      let verified = try await Self.subscriberCheck(world, Self.own)
      #expect(verified.outcome?.result == .verified, "\(verified.words)")
      let exchanges = verified.steps.filter { $0.name == "exchangeCode" }.map(\.status)
      #expect(exchanges == (redirect.isEmpty ? [200] : [405, 200]))
      #expect(verified.hops.last?.next == (redirect.isEmpty ? nil : "shop.example"))
      #expect(verified.names.contains("readKeys") == !redirect.isEmpty)
      #expect(try await Self.phoneCheck(world, Self.neighbour).outcome?.result == .notVerified)
      let forged = try await Self.phoneCheck(world, "+4915155555503")
      #expect(forged.outcome?.result == (redirect.isEmpty ? .notVerified : .stateMismatch), "\(forged.words)")
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test func `the sandbox answers by the number alone, and a check that is too old is expired`() async throws {
    try await Worlds.with(Self.backend("\"sandbox\": true", "\"sandbox\": true, \"sdkHeaders\": true")) { world in
      let rows: [(String, TruID.Outcome.Result)] = [
        ("+447700900100", .verified), ("+447700900101", .notVerified),
      ]
      for (number, result) in rows {
        let flow = try await Self.subscriberCheck(world, number, version: "v0.2")
        #expect(flow.outcome?.result == result, "\(flow.words)")
        #expect(!flow.hops.contains { $0.host == "id.truid-operator.example" }, "no operator is asked")
      }
      let error = try await Self.subscriberCheck(world, "+447700900199", version: "v0.2")
      #expect(error.outcome?.result == .operatorError && error.outcome?.code == "mno_server_error", "\(error.words)")
    }
    try await Worlds.with(Self.backend("\"lifeSeconds\": 0", "\"version\": \"v0.1\"")) { world in
      let late = try await Self.subscriberCheck(world, Self.own)
      #expect(late.outcome?.result == .expired && late.outcome?.code == "check_not_found", "\(late.words)")
    }
  }
}
