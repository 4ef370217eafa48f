import ModemModel
import NetworkAddress
import Testing

@testable import ModemService

/// What a chain is told when its bearer is no longer what it was.
@Suite(.timeLimit(.minutes(1))) struct `A bearer that is watched` {
  private struct Link: ModemLink {
    let name = "cdc-wdm0"
    func connect(_ request: BearerRequest) async throws -> BearerStatus { throw ModemError(.failed, name) }
    func disconnect() async throws -> BearerStatus { throw ModemError(.failed, name) }
    func verifyBearer() async throws -> BearerStatus { throw ModemError(.failed, name) }
    func unlock(with pin: PIN, mayBeLast: Bool) async throws -> ModemState { throw ModemError(.failed, name) }
  }

  private static func bearer(_ address: String) -> InstalledBearer {
    InstalledBearer(
      settings: BearerSettings(ipv4: .init(prefix: IPPrefix(IPAddress(address)!, length: 30)!)), interface: "wwan0",
      interfaceIndex: 7, table: 7307)
  }

  private static func state(_ bearer: BearerState, at time: Int64, fault: String? = nil) -> ModemState {
    ModemState(
      id: "modem-1", device: "/dev/cdc-wdm0", kind: .mbim, interface: "wwan0",
      bearer: BearerStatus(state: bearer, since: Timestamp(milliseconds: time)),
      fault: fault.map { Fault(cause: $0, since: Timestamp(milliseconds: time)) })
  }

  private static func waiting(at time: Int64) -> ModemState {
    state(.down(nil), at: time, fault: "the control port is not open yet")
  }

  /// What is said of a bearer that came up, and of which this was told afterwards.
  private func loss(after events: (ModemRegistry, Link) -> Void) -> String? {
    let (registry, link) = (ModemRegistry(), Link())
    let first = Self.bearer("10.64.0.2")
    // The bearer's answer overtakes the word that the modem works.
    registry.update(Self.waiting(at: 1), from: link)
    let watch = BearerWatch(
      registry: registry, port: link.name, bearer: first, since: Timestamp(milliseconds: 2))
    registry.update(Self.state(.up(first), at: 2), from: link)
    var seen: ModemRegistry.Run?
    #expect(watch.loss(sinceSeenIn: &seen) == nil)
    events(registry, link)
    return watch.loss(sinceSeenIn: &seen)
  }

  @Test func `that got other addresses is said to have got them`() {
    let loss = loss { registry, link in
      registry.update(Self.state(.up(Self.bearer("10.64.0.6")), at: 3), from: link)
    }
    #expect(loss?.contains("other addresses") == true, "\(loss ?? "")")
  }

  /// Whether modemd sees the port's socket go, or only its connection.
  @Test(arguments: [false, true], [BearerState.down(nil), .up(bearer("10.64.0.6"))])
  func `ends with its port's restart, whatever came up after it`(isRemoved: Bool, later: BearerState) {
    let loss = loss { registry, link in
      registry.markUnavailable(link.name, because: "the port stopped", at: Timestamp(milliseconds: 3))
      if isRemoved { registry.remove(link.name) }
      registry.update(Self.waiting(at: 4), from: link)
      registry.update(Self.state(later, at: 5), from: link)
    }
    #expect(loss == "the port cdc-wdm0 was restarted during the chain; open the URL again")
  }

  @Test func `ends with its modem, that was opened anew`() {
    let loss = loss { registry, link in
      registry.update(Self.state(.down(nil), at: 3, fault: "the modem was reset"), from: link)
      registry.update(Self.state(.up(Self.bearer("10.64.0.6")), at: 4), from: link)
    }
    #expect(loss == "the modem was opened anew during the chain; open the URL again")
  }

  @Test func `goes on where a restarted port has kept it`() {
    let loss = loss { registry, link in
      registry.markUnavailable(link.name, because: "the port stopped", at: Timestamp(milliseconds: 3))
      registry.update(Self.state(.up(Self.bearer("10.64.0.2")), at: 2), from: link)
    }
    #expect(loss == nil)
  }

  @Test func `that was taken down is said to have been`() {
    let loss = loss { registry, link in registry.update(Self.state(.down(nil), at: 3), from: link) }
    #expect(loss == "the bearer was taken down during the chain; open the URL again")
  }
}
