import JSONTree
import MobileConnectAPI
import ModemAPI
import ModemAPIClient
import ScenarioRunner
import Testing

/// What can be asked of a simulated operator, which refuses what is not as it must be: hints,
/// prompts, authorisations, values to compare.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct MobileConnectRequestWorldTests {
  typealias Kit = MobileConnectWorld
  typealias API = MobileConnectInterface

  /// A request, how it ends, and what the ID token says of the user's authentication.
  struct Case: Sendable {
    let name: String
    let request: API.Request
    var result = API.Outcome.Result.signedIn
    var code: String?
    var means: String?
  }

  static let cases: [Case] = [
    .init(name: "the bearer's number", request: .init(), means: "SEAM_OK"),
    .init(
      name: "a hint that the network knows better than", request: .init(hintNumber: Kit.stranger), means: "SEAM_OK"),
    .init(
      name: "the network left aside", request: .init(hintNumber: Kit.stranger, prompt: [.no_seam]), means: "USSD_OK"),
    .init(
      name: "another operator's number", request: .init(hintNumber: Kit.foreigner, prompt: [.no_seam]),
      result: .subscriberUnknown, code: "access_denied"),
    .init(name: "two factors", request: .init(acr: ["3", "2"]), means: "USSD_OK"),
    .init(name: "a page", request: .init(prompt: [.consent], version: "mc_v2.0"), result: .interactionRequired),
    .init(name: "no page in 3.0", request: .init(prompt: [.consent]), means: "SEAM_OK"),
    .init(
      name: "an authorisation",
      request: .init(
        scope: ["mc_authz"], clientName: "Example Shop", context: "Pay 5 euros", bindingMessage: "A7",
        version: "mc_di_r2_v2.3"), means: "SEAM_OK"),
    .init(
      name: "an authorisation by a context", request: .init(scope: ["phone"], context: "Pay", version: "mc_v1.2"),
      means: "SEAM_OK"),
    .init(
      name: "another's name",
      request: .init(scope: ["mc_authz"], clientName: "Shop", context: "Pay", version: "mc_v1.2"),
      result: .badRequest, code: "invalid_request"),
    .init(
      name: "everything that is optional",
      request: .init(
        display: .touch, maximumAgeSeconds: 60, uiLocales: ["de", "en"], claimsLocales: ["de"], dtbs: "text",
        claims: .object(["userinfo": .object(["email": .null])]), version: "mc_v1.2"), means: "SEAM_OK"),
    .init(
      name: "a version that the operator has not", request: .init(version: "mc_v4.0"), result: .badRequest,
      code: "invalid_request"),
    .init(
      name: "a hint token that nobody gave", request: .init(loginHintToken: "made-up", version: "mc_di_v3.0"),
      result: .badRequest, code: "invalid_request"),
  ]

  @Test func `requests are understood by an operator that refuses all that is wrong`() async throws {
    try await Worlds.with(Kit.scenario([Kit.Entry(name: "all")])) { world in
      for test in Self.cases {
        let run = try await Kit.login(world, with: "all", test.request)
        #expect(run.outcome?.result == test.result && run.outcome?.code == test.code, "\(test.name): \(run.words)")
        let means = run.tokens?.claims?["amr"]?.items.first?.string
        #expect(means == test.means, "\(test.name): \(means ?? "none")")
        if test.name == "an authorisation" {
          #expect(run.tokens?.claims?["displayed_data"]?.string == "Pay 5 euros")
        }
      }
      #expect(world.leaks.packets == 0 && world.requests(.uplink).isEmpty)
    }
  }

  @Test func `what discovery and an earlier sign-in told is a hint afterwards`() async throws {
    try await Worlds.with(Kit.scenario([Kit.Entry(name: "all")])) { world in
      let found = try await world.client().call(
        API.Discover.self, .init(whose: .init(way: .number, number: Kit.stranger), provider: "all"))
      let discovery = try #require(found.discovery, "\(found.outcome?.text ?? "")")
      #expect(discovery.subscriberID?.utf8.count == 512)
      let customer = try #require(try await Kit.login(world, with: "all").tokens?.subject)
      for (name, request) in [
        ("encrypted", API.Request(hintEncrypted: discovery.subscriberID, prompt: [.no_seam])),
        ("token", API.Request(loginHintToken: discovery.subscriberIDToken, prompt: [.no_seam])),
        ("customer", API.Request(hintCustomer: customer, prompt: [.no_seam])),
      ] {
        var request = request
        request.scope = ["phone"]
        // The token stands in place of the hint that the SIM's number would be.
        let run = try await Kit.login(world, with: "all", request, information: .userinfo)
        #expect(run.outcome?.result == .signedIn, "\(name): \(run.words)")
        #expect(run.information?.phoneNumber == (name == "customer" ? Kit.own : Kit.stranger), "\(name)")
      }
    }
  }

  @Test func `values that are known are compared by the operator`() async throws {
    try await Worlds.with(Kit.scenario([Kit.Entry(name: "all")])) { world in
      let request = API.Request(
        scope: ["mc_kyc_plain"],
        kyc: [
          "given_name": "Alex", "family_name": "Example", "address": "1 Other Street", "birthdate": "1990-02-28",
        ])
      let run = try await Kit.login(world, with: "all", request, information: .premiuminfo)
      #expect(run.outcome?.result == .signedIn, "\(run.words)")
      for (name, answer) in [("given_name", "Y"), ("family_name", "Y"), ("address", "N"), ("birthdate", "Y")] {
        #expect(run.information?.all["\(name)_match"]?.string == answer, "\(name)")
      }
    }
  }

  @Test func `a network that the exchange does not support leads to the next way, and at last to a person`()
    async throws
  {
    let entries = [Kit.Entry(name: "all"), Kit.Entry(name: "codes", discovery: #", "ways": ["network"]"#)]
    try await Worlds.with(Kit.scenario(entries)) { world in
      let client = try await world.client()
      func discover(_ whose: API.Whose, _ provider: String = "all") async throws -> API.Discover.Reply {
        try await client.call(API.Discover.self, .init(whose: whose, provider: provider))
      }
      let number = try await discover(.init(network: "26202"))
      #expect(number.outcome?.result == .covered && number.discovery?.way == .number, "\(number.outcome?.text ?? "")")
      let address = try await discover(.init(number: Kit.foreigner, network: "26202"))
      #expect(
        address.outcome?.result == .covered && address.discovery?.way == .address, "\(address.outcome?.text ?? "")")
      let codes = try await discover(.init(network: "26202"), "codes")
      #expect(codes.outcome?.result == .operatorUnsupported && codes.outcome?.code == "Not_Found_Entity")
      let unknown = try await discover(.init(way: .number, number: "+4917700000000"))
      #expect(unknown.outcome?.result == .subscriberUnknown && unknown.outcome?.code == "Not_Found_Entity")
      let page = try await discover(.init(way: .page))
      #expect(page.outcome?.result == .interactionRequired && page.page != nil)
      #expect(world.leaks.packets == 0 && world.requests(.uplink).isEmpty)
    }
  }
}
