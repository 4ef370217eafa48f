import ModemService
import NetworkAddress
import Testing

@testable import TrafficLedger

@Suite("Destinations") struct DestinationTests {
  typealias Entry = ByCaller<DestinationRule>.Entry

  private static func ledger(_ rules: ByCaller<DestinationRule>) throws -> TrafficLedger {
    try LedgerFixture().ledger(destinations: rules)
  }

  private static func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

  private static func isOpened(
    _ ledger: TrafficLedger, _ host: String?, _ port: Int? = 443, _ purpose: TrafficPurpose = .proxy,
    user: UInt32 = 1000, groups: Set<UInt32> = []
  ) -> Bool {
    (try? ledger.open(.of(user, purpose, groups: groups, host: host, port: port))) != nil
  }

  @Test("Without settings: every public address, on any port, by any way")
  func standard() throws {
    let ledger = try Self.ledger(ByCaller())
    for host in ["a.example", "8.8.8.8", "2001:db8::1", "[2001:db8::1]"] {
      #expect(Self.isOpened(ledger, host, 1), "\(host)")
      #expect(Self.isOpened(ledger, host, 65_535, .sockets), "\(host)")
    }
    #expect(Self.isOpened(ledger, nil, nil, .sockets))
    for host in [
      "10.0.0.1", "192.168.1.1", "100.64.0.1", "fd00::1", "::ffff:10.0.0.1", "64:ff9b::10.0.0.1", "127.0.0.1",
    ] {
      #expect(!Self.isOpened(ledger, host), "\(host)")
    }
    let account = try ledger.open(.of(1000))
    #expect(account.allows(try Self.address("8.8.8.8")))
    // A name that leads into the operator's network.
    #expect(!account.allows(try Self.address("10.0.0.1")))
    #expect(!account.allows(try Self.address("64:ff9b::a00:1")))
  }

  @Test("A domain is for the names below it, in any writing, and for nothing that only looks like it")
  func domains() throws {
    let rule = DestinationRule(domains: ["shop.example"], ports: [443...443, 8000...8099])
    let ledger = try Self.ledger(ByCaller(users: [1000: Entry(key: "usage.destinations.kiosk", value: rule)]))
    for host in ["shop.example", "a.b.shop.example", "SHOP.Example", "shop.example."] {
      #expect(Self.isOpened(ledger, host), "\(host)")
    }
    for host in [
      "xshop.example", "shop.example.evil", "shop.example..", ".example", "example", "", "8.8.8.8", "2001:db8::1",
      "134744072", "shop.example\u{0}.evil", "sh\u{f6}p.example",
    ] {
      #expect(!Self.isOpened(ledger, host), "\(host)")
    }
    #expect(Self.isOpened(ledger, "shop.example", 8099))
    #expect(!Self.isOpened(ledger, "shop.example", 80))
    #expect(throws: TrafficRefusal.destination(text: "usage.destinations.kiosk.ports does not allow it")) {
      try ledger.open(.of(1000, host: "shop.example", port: 80))
    }
    // Somebody else.
    #expect(Self.isOpened(ledger, "other.example", 80, user: 1001))
  }

  @Test("A socket that is handed over is no way around a rule")
  func handedOver() throws {
    var rule = DestinationRule(domains: ["shop.example"])
    let refusing = try Self.ledger(ByCaller(general: Entry(key: "usage.destinations.*", value: rule)))
    #expect(!Self.isOpened(refusing, "shop.example", 443, .sockets))
    #expect(!Self.isOpened(refusing, nil, nil, .sockets))
    #expect(Self.isOpened(refusing, "shop.example", 443, .streams))
    rule.allowsSockets = true
    let allowing = try Self.ledger(ByCaller(general: Entry(key: "usage.destinations.*", value: rule)))
    #expect(Self.isOpened(allowing, "shop.example", 443, .sockets))
    #expect(!Self.isOpened(allowing, "other.example", 443, .sockets))
  }

  @Test("Addresses by kind and by prefix, of names too; one of several groups is enough")
  func addresses() throws {
    let lan = DestinationRule(addresses: [.prefix(try #require(IPPrefix(Self.address("10.20.0.0"), length: 15)))])
    let all = DestinationRule(domains: ["a.example"], addresses: [.allPublic, .allPrivate])
    let ledger = try Self.ledger(
      ByCaller(groups: [50: Entry(key: "usage.destinations.@lan", value: lan), 51: Entry(key: "all", value: all)]))
    let opened = { (host: String, groups: Set<UInt32>) in Self.isOpened(ledger, host, groups: groups) }
    #expect(opened("10.20.0.1", [50]) && opened("10.21.255.255", [50]) && opened("any.example", [50]))
    #expect(!opened("10.22.0.0", [50]) && !opened("8.8.8.8", [50]) && !opened("::ffff:10.22.0.0", [50]))
    #expect(opened("10.22.0.0", [51]) && opened("8.8.8.8", [51]) && !opened("b.example", [51]))
    #expect(opened("b.example", [50, 51]) && opened("10.22.0.0", [50, 51]))
    let account = try ledger.open(.of(1000, groups: [50]))
    #expect(account.allows(try Self.address("10.20.3.4")))
    #expect(!account.allows(try Self.address("8.8.8.8")))
    let both = try ledger.open(.of(1000, groups: [50, 51]))
    #expect(both.allows(try Self.address("8.8.8.8")))
  }

  @Test(
    "Kinds of addresses as they are written",
    arguments: [
      ("public", true), ("private", true), ("10.0.0.0/8", true), ("2001:db8::/32", true), ("10.0.0.1", true),
      ("10.0.0.0/33", false), ("10.0.0.0/", false), ("Public", false), ("", false), ("a.example", false),
      ("10.0.0.0/8/8", false),
    ])
  func writing(text: String, isGood: Bool) { #expect((DestinationRule.Addresses(text) != nil) == isGood) }
}
