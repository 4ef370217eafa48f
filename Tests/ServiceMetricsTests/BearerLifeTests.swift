import LimitClock
import ModemModel
import NetworkAddress
import Testing

@testable import ServiceMetrics

@Suite("What is counted of a bearer") struct BearerLifeTests {
  static func bearer(_ address: String = "10.64.0.2") -> InstalledBearer {
    InstalledBearer(
      settings: BearerSettings(
        ipv4: .init(prefix: IPPrefix(IPAddress(address)!, length: 30)!, gateway: nil), dns: [], mtu: 1430),
      interface: "wwan0", interfaceIndex: 7, table: 1007)
  }

  private static func events(_ steps: (BearerState, isFaulty: Bool)...) -> [[BearerLife.Event]] {
    var life = BearerLife()
    return steps.enumerated().map { second, step in
      life.see(
        BearerStatus(state: step.0, since: Timestamp(milliseconds: Int64(second) * 1000)), isFaulty: step.isFaulty,
        at: .init(.seconds(second)))
    }
  }

  private static let up = BearerState.up(bearer())
  private static let second = BearerLife.Event.wasUp(.seconds(1))

  @Test("an attempt, a loss with the network's cause, and the next attempt")
  func loss() {
    let events = Self.events(
      (.down(nil), false), (.attaching, false), (.connecting, false), (.configuring, false), (Self.up, false),
      (.down(.session(36)), false), (.connecting, false), (.failed(.session(33)), false), (.connecting, false))
    #expect(
      events == [
        [], [], [], [], [.attempt(isUp: true), .up], [Self.second, .down(cause: "36")], [], [.attempt(isUp: false)], [],
      ])
  }

  @Test("a bearer that was up when modemd began was no attempt; one that is taken down was asked to")
  func request() {
    let events = Self.events((Self.up, false), (Self.up, false), (.disconnecting, false), (.down(nil), false))
    #expect(events == [[.up], [], [.wasUp(.seconds(2)), .down(cause: "requested")], []])
  }

  @Test("a port that stops ends its bearer once")
  func stopped() {
    let cause = NetworkCause(code: nil, text: "the port stopped")
    #expect(
      Self.events((Self.up, false), (.down(cause), true), (.down(cause), true), (Self.up, false)) == [
        [.up], [Self.second, .down(cause: "portStopped")], [], [.attempt(isUp: true), .up],
      ])
  }

  @Test("other addresses are another bearer; the same with another server are not")
  func replaced() {
    #expect(
      Self.events((Self.up, false), (.up(Self.bearer("10.64.0.9")), false)) == [
        [.up], [Self.second, .down(cause: "replaced"), .up],
      ])
  }

  @Test("a cause that 3GPP does not have is no word of a label", arguments: [0, 1, 254, 255, 4711, -1])
  func unknownCause(_ code: Int) {
    let down = BearerState.down(NetworkCause(code: code, text: "+4915112345678"))
    #expect(Self.events((Self.up, false), (down, false)).last == [Self.second, .down(cause: "other")])
  }

  @Test("a modem that is taken away ends its bearer, and time is counted once")
  func gone() {
    var life = BearerLife()
    _ = life.see(BearerStatus(state: Self.up, since: Timestamp(milliseconds: 0)), isFaulty: false, at: .init(.zero))
    #expect(life.settle(at: .init(.seconds(3))) == [.wasUp(.seconds(3))])
    #expect(life.gone(at: .init(.seconds(4))) == [.wasUp(.seconds(1)), .down(cause: "removed")])
    #expect(life.gone(at: .init(.seconds(5))) == [])
  }
}
