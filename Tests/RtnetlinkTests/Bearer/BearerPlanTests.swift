import ModemModel
import NetworkAddress
import Rtnetlink
import Testing

@testable import BearerNetworking

@Suite struct BearerPlanTests {
  private func plan(_ settings: BearerSettings) -> BearerPlan {
    BearerPlan(settings, interface: "wwan0", index: 5, families: AddressFamily.allCases)
  }

  @Test func aFamilyWithoutAnAddressIsClosedAndNotLeftOut() {
    let plan = plan(Settings.ipv4)
    #expect(
      plan.routes.map { "\($0.family) \($0.words)" }
        == ["IPv4 unreachable default", "IPv6 unreachable default", "IPv4 default"])
    #expect(
      plan.rules.map { "\($0.priority) \($0.family) \($0.words)" } == [
        "7700 IPv4 from all oif wwan0 lookup 7700005", "7702 IPv4 from all oif wwan0 unreachable",
        "7700 IPv6 from all oif wwan0 lookup 7700005", "7702 IPv6 from all oif wwan0 unreachable",
        "7701 IPv4 from 10.64.0.2/32 lookup 7700005", "7703 IPv4 from 10.64.0.2/32 unreachable",
      ])
  }

  @Test func whatOpensAPathHasItsClosingPartBehindIt() {
    for settings in [Settings.ipv4, Settings.ipv6, Settings.both] {
      for rule in plan(settings).rules where rule.action == .lookUp {
        #expect(
          plan(settings).rules.contains {
            $0.action == .unreachable && $0.priority > rule.priority && $0.priority < 32766
              && $0.family == rule.family && $0.outgoingInterface == rule.outgoingInterface
              && $0.source == rule.source
          })
      }
    }
  }

  @Test(arguments: [(nil, nil), (1000, 1280), (1280, 1280), (1500, 1500)] as [(Int?, Int?)])
  func theMTUOfAnIPv6BearerIsAtLeast1280(_ given: Int?, _ planned: Int?) {
    var settings = Settings.ipv6
    settings.mtu = given
    #expect(plan(settings).mtu == planned)
  }

  @Test(arguments: ["0.0.0.0", "2001:db8::1"]) func aGatewayThatIsNoneLeavesTheRouteToTheDevice(_ gateway: String) {
    var settings = Settings.ipv4
    settings.ipv4?.gateway = IPAddress(gateway)
    #expect(plan(settings).routes == plan(Settings.ipv4).routes)
  }

  private func guarded(_ settings: BearerSettings, user: UInt32, interface: String = "wwan0") -> BearerPlan {
    BearerPlan(
      settings, interface: interface, index: 5, families: AddressFamily.allCases,
      shield: BearerShield(vrf: BearerShield.vrfName(for: interface, index: 5), user: user))
  }

  @Test func inAVRFThereIsAGateBeforeAllAndNoRuleForSources() {
    let rules = guarded(Settings.both, user: 990).rules
    #expect(
      rules.filter { $0.family == .ipv6 }.map { "\($0.priority) \($0.words)" } == [
        "7700 from all oif wwan0 lookup 7700005", "7702 from all oif wwan0 unreachable",
        "770 from all oif wwan0 uidrange 0-989 unreachable",
        "771 from all oif wwan0 uidrange 991-4294967294 unreachable",
        "772 from all oif vrf-wwan0 uidrange 0-989 unreachable",
        "773 from all oif vrf-wwan0 uidrange 991-4294967294 unreachable",
      ])
    #expect(rules.allSatisfy { $0.source == nil && $0.origin == 77 })
    #expect(rules.filter { $0.users != nil }.allSatisfy { $0.priority < BearerPlan.Numbers.askVRF })
  }

  @Test(
    arguments: [(0, [1...4_294_967_294]), (4_294_967_294, [0...4_294_967_293])] as [(UInt32, [ClosedRange<UInt32>])])
  func theGateHasNoUserBelowTheFirstAndNoneAboveTheLast(_ user: UInt32, _ others: [ClosedRange<UInt32>]) {
    let gate = guarded(Settings.ipv4, user: user).rules.filter { $0.family == .ipv4 && $0.outgoingInterface == "wwan0" }
    #expect(gate.compactMap(\.users) == others)
  }

  @Test func aVRFsNameHasRoom() {
    #expect(guarded(Settings.ipv4, user: 0, interface: "wwp0s20f0u2i4").shield.vrf == "vrf-if5")
    #expect(guarded(Settings.ipv4, user: 0, interface: "wwan0.1").shield.vrf == "vrf-wwan0.1")
  }

  @Test func whatIsMissingOfAGuardIsNamed() {
    let plan = guarded(Settings.ipv4, user: 990)
    let link = Link(index: 5, name: "wwan0", isUp: true, mtu: 1430, master: 9)
    let vrf = Link(index: 9, name: "vrf-wwan0", isUp: true, mtu: 65575, vrfTable: 7_700_005)
    let whole = HostNetwork(
      link: link, addresses: plan.addresses, routes: plan.routes,
      rules: plan.rules + AddressFamily.allCases.map(BearerPlan.askingVRF), vrf: vrf, hasFilter: true)
    #expect(plan.firstDifference(from: whole) == nil)
    var damaged = whole
    damaged.vrf = nil
    #expect(plan.firstDifference(from: damaged) == "the VRF device vrf-wwan0 is gone")
    damaged = whole
    damaged.vrf?.isUp = false
    #expect(plan.firstDifference(from: damaged) == "the VRF device vrf-wwan0 is down")
    damaged = whole
    damaged.link?.master = nil
    #expect(plan.firstDifference(from: damaged) == "the interface wwan0 is no longer a port of vrf-wwan0")
    damaged = whole
    damaged.rules.removeAll { $0.asksVRF && $0.family == .ipv6 }
    #expect(plan.firstDifference(from: damaged) == "the IPv6 rule 'from all lookup [l3mdev-table]' is gone")
    damaged = whole
    damaged.rules.removeAll { $0.priority == 771 }
    #expect(
      plan.firstDifference(from: damaged)
        == "the IPv4 rule 'from all oif wwan0 uidrange 991-4294967294 unreachable' is gone")
  }

  @Test func everythingCarriesTheTag() {
    let plan = plan(Settings.both)
    #expect(plan.addresses.allSatisfy { $0.origin == 77 && $0.hasNoPrefixRoute })
    #expect(plan.routes.allSatisfy { $0.origin == 77 && $0.table == 7_700_005 })
    #expect(plan.rules.allSatisfy { $0.origin == 77 && $0.table == 7_700_005 })
  }

  @Test(arguments: [0, 254, 7_700_000, UInt32.max] as [UInt32])
  func otherTablesAreNobodysOfOurs(_ table: UInt32) {
    #expect(BearerPlan.interface(ofTable: table) == nil)
  }
}
