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
