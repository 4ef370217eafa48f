import Glibc
import ModemAPI
import ModemAPIClient
import ModemModel
import ScenarioRunner
import Testing
import Varlink

/// The bearer in the field: where its addresses and access points come from, what the network does
/// to it, and that it comes back.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct BearerTests {
  static let check = "/checks/4915112345678"

  private func bearer(_ world: World) async throws -> BearerInterface.Bearer {
    try await world.client().call(BearerInterface.Get.self, .init()).bearer
  }

  private func connect(_ world: World, apn: String? = nil) async throws -> BearerInterface.Bearer {
    try await world.client().call(BearerInterface.Connect.self, .init(apn: apn)).bearer
  }

  // MARK: Addresses

  @Test(
    arguments: ModemProtocol.allCases,
    [
      (#""ipv4Source": "link", "ipv6Source": "link""#, true, true),
      (#""ipv6Source": "link", "ipType": "ipv6""#, false, true),
      (#""ipv4Source": "link", "ipType": "ipv4""#, true, false), (#""ipv6Source": "link""#, true, true),
    ])
  func `addresses that the modem leaves to the link carry a check, and leave without a trace`(
    kind: ModemProtocol, network: (fields: String, hasIPv4: Bool, hasIPv6: Bool)
  ) async throws {
    try await Worlds.with("{ \"network\": { \(network.fields) } }", kind: kind) { world in
      let before = try await world.hostState()
      _ = try await connect(world)
      // The second family may come a moment after the first.
      var up: BearerInterface.Bearer?
      let isWhole = try await world.eventually {
        up = try await bearer(world)
        return (up?.settings?.ipv4 != nil) == network.hasIPv4 && (up?.settings?.ipv6 != nil) == network.hasIPv6
      }
      #expect(isWhole, "\(String(describing: up))")
      #expect(up?.settings?.ipv4?.address == (network.hasIPv4 ? "10.64.0.2" : nil))
      #expect(up?.settings?.ipv6?.address == (network.hasIPv6 ? "2001:db8:64::2" : nil))
      #expect(up?.settings?.mtu == 1420)
      let walk = try await world.walk(Self.check)
      #expect(walk.outcome?.answer?.status == 200, "\(walk.words)")
      #expect(world.leaks.packets == 0, "\(world.leaks)")
      _ = try await world.client().call(BearerInterface.Disconnect.self, .init())
      #expect(try await world.eventually { try await world.hostState() == before })
    }
  }

  @Test(arguments: ModemProtocol.allCases)
  func `other addresses end the check that runs with the reason, and the next one runs from them`(
    kind: ModemProtocol
  ) async throws {
    try await Worlds.with(kind: kind) { world in
      _ = try await connect(world)
      let walk = try await world.walk("\(Self.check)?slow_hop=3&slow_ms=120000", milliseconds: 120_000) { hop in
        if hop == 2 { _ = try await world.perform("renumber") }
      }
      #expect(walk.cause == .bearerLost, "\(walk.words)")
      #expect(walk.outcome?.failure?.text.contains("other addresses") == true, "\(walk.words)")
      let now = try await bearer(world)
      #expect(now.state == .up)
      #expect(now.settings?.ipv4?.address == "10.64.0.3")
      let next = try await world.walk(Self.check)
      #expect(next.outcome?.answer?.status == 200, "\(next.words)")
      #expect(next.outcome?.source == "10.64.0.3" || next.outcome?.source == "2001:db8:64::3")
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  // MARK: Access points

  @Test(arguments: ModemProtocol.allCases)
  func `the access point that the modem knows is used, and told`(kind: ModemProtocol) async throws {
    let scenario = """
      { "modem": { "accessPoints": ["modem.example"] },
        "network": { "accessPoints": ["modem.example"], "defaultAccessPoint": "refused" } }
      """
    try await Worlds.with(scenario, kind: kind) { world in
      let bearer = try await connect(world)
      #expect(bearer.apn == "modem.example")
      #expect(bearer.apnSource == .modem)
      let shown = try await world.run(["modemctl", "bearer"])
      #expect(shown.output.contains("modem.example (from the modem)"), "\(shown.output)\(shown.error)")
    }
  }

  @Test(
    .enabled(
      if: access("/usr/share/mobile-broadband-provider-info/serviceproviders.xml", R_OK) == 0,
      "needs the Debian package mobile-broadband-provider-info"), arguments: ModemProtocol.allCases)
  func `where the network wants a name and nobody has one, the list of providers has`(
    kind: ModemProtocol
  ) async throws {
    let scenario = """
      { "network": { "accessPoints": ["internet.t-mobile"], "defaultAccessPoint": "refused" } }
      """
    try await Worlds.with(scenario, kind: kind) { world in
      let bearer = try await connect(world)
      #expect(bearer.apn == "internet.t-mobile")
      #expect(bearer.apnSource == .database)
    }
  }

  @Test(arguments: ModemProtocol.allCases)
  func `a name that the network does not know is told with its cause, and not replaced`(kind: ModemProtocol)
    async throws
  {
    try await Worlds.with(#"{ "network": { "accessPoints": ["internet"] } }"#, kind: kind) { world in
      let shown = try await world.run(["modemctl", "connect", "--apn", "nowhere.example"])
      #expect(shown.end != .exited(0))
      let status = try await world.run(["modemctl", "bearer"])
      #expect(status.output.contains("missing or unknown access point name (cause 27)"), "\(status.output)")
      #expect(status.output.contains("nowhere.example (as asked for)"), "\(status.output)")
    }
  }

  // MARK: Coming back

  /// Both protocols at once: what a modem says nothing of is waited for half a minute.
  @Test(arguments: ["drop-bearer 38", "reset", "empty-tables", "forget-sessions"])
  func `a bearer that was asked for comes back by itself`(verb: String) async throws {
    async let mbim: Void = comesBack(.mbim, after: verb)
    async let qmi: Void = comesBack(.qmi, after: verb)
    _ = try await (mbim, qmi)
  }

  private func comesBack(_ kind: ModemProtocol, after verb: String) async throws {
    try await Worlds.with(kind: kind) { world in
      let first = try await connect(world)
      _ = try await world.perform(verb)
      var now = first
      let isUpAgain = {
        now = try await bearer(world)
        return now.state == .up && now.since != first.since
      }
      // What the modem says nothing of is found out within half a minute.
      var isBack = try await world.eventually(isUpAgain)
      if !isBack { isBack = try await world.eventually(isUpAgain) }
      #expect(isBack, "\(verb): \(now)")
      let walk = try await world.walk(Self.check)
      #expect(walk.outcome?.answer?.status == 200, "\(walk.words)")
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test func `one that a check brought up, or that was taken down, stays down`() async throws {
    try await Worlds.with { world in
      _ = try await world.walk(Self.check)
      _ = try await world.perform("drop-bearer 36")
      let isDown = try await world.eventually { try await bearer(world).state == .down }
      #expect(isDown)
      let down = try await bearer(world)
      #expect(down.cause?.code == 36)
      #expect(down.nextAttempt == nil)
      _ = try await connect(world)
      let last = try await world.client().call(BearerInterface.Disconnect.self, .init()).bearer
      #expect(last.nextAttempt == nil)
    }
  }

  @Test func `a cause that stays is told with its number and a late next attempt`() async throws {
    try await Worlds.with { world in
      let up = try await connect(world)
      _ = try await world.perform("drop-bearer 8")
      let isPlanned = try await world.eventually { try await bearer(world).nextAttempt != nil }
      #expect(isPlanned)
      let down = try await bearer(world)
      #expect(down.cause?.code == 8)
      let next = try #require(down.nextAttempt.flatMap { Timestamp(rfc3339: $0) })
      let since = try #require(Timestamp(rfc3339: down.since))
      #expect(next.milliseconds - since.milliseconds >= 599_000)
      #expect(up.since <= down.since)
      let shown = try await world.run(["modemctl", "bearer"])
      #expect(shown.output.contains("operator determined barring (cause 8)"), "\(shown.output)")
      #expect(shown.output.contains("Next attempt"), "\(shown.output)")
    }
  }

  // MARK: Traffic

  @Test(arguments: ModemProtocol.allCases)
  func `a bearer that carries packets is found to, and one that carries nothing is named`(
    kind: ModemProtocol
  ) async throws {
    try await Worlds.with(kind: kind) { world in
      _ = try await connect(world)
      #expect(try await world.eventually { try await bearer(world).traffic == .answered })
      _ = try await world.client().call(BearerInterface.Disconnect.self, .init())
      _ = try await world.perform("silence-bearer")
      _ = try await connect(world)
      #expect(try await world.eventually { try await bearer(world).traffic == .silent })
      #expect(try await bearer(world).trafficText?.isEmpty == false)
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test func `a modem whose packets are Ethernet frames on a device of bare IP is named`() async throws {
    try await Worlds.with(#"{ "modem": { "linkLayer": "ethernetOnly" } }"#, kind: .qmi) { world in
      _ = try await connect(world)
      #expect(try await world.eventually { try await bearer(world).traffic == .silent })
      let text = try await bearer(world).trafficText
      #expect(text?.contains("Ethernet frames") == true, "\(text ?? "no text")")
    }
  }

  @Test func `a modem that starts with Ethernet frames is asked for bare IP`() async throws {
    try await Worlds.with(#"{ "modem": { "linkLayer": "ethernet" } }"#, kind: .qmi) { world in
      let walk = try await world.walk(Self.check)
      #expect(walk.outcome?.answer?.status == 200, "\(walk.words)")
      #expect(world.modem.snapshot.isRawIP)
    }
  }

  @Test func `a modem that multiplexes always, on a device without links for it, is named`() async throws {
    try await Worlds.with(#"{ "modem": { "linkLayer": "multiplexed" } }"#, kind: .qmi) { world in
      let walk = try await world.walk(Self.check)
      #expect(walk.outcome?.answer == nil, "\(walk.words)")
      // The port's state comes to modemd behind its answer.
      #expect(
        try await world.eventually { try await bearer(world).cause?.text.contains("multiplexing ids (QMAP)") == true })
    }
  }
}
