import ModemModel
import RedirectChain
import Testing

@testable import ModemService

@Suite("What is known against a bearer before one is asked for")
struct BearerObstacleTests {
  private static func state(
    _ registration: Registration.State, sim: SIMStatus.State = .ready, bearer: BearerState = .down(nil),
    isFaulty: Bool = false
  ) -> ModemState {
    let start = Timestamp(milliseconds: 0)
    return ModemState(
      id: "m", device: "/dev/cdc-wdm0", kind: .mbim, sim: SIMStatus(state: sim),
      registration: Registration(state: registration), bearer: BearerStatus(state: bearer, since: start),
      fault: isFaulty ? Fault(cause: "gone", since: start) : nil)
  }

  static let rows: [(ModemState, ChainFailure.Cause?)] = [
    (state(.home), nil), (state(.roaming), nil), (state(.partner), nil), (state(.unknown), nil),
    (state(.deregistered), .notRegistered), (state(.searching), .notRegistered), (state(.denied), .notRegistered),
    (state(.home, sim: .unknown), nil), (state(.home, sim: .absent), .simAbsent),
    (state(.home, sim: .pinRequired), .simLocked), (state(.home, sim: .pukRequired), .simLocked),
    (state(.home, sim: .initialising), .simNotReady), (state(.denied, sim: .failed), .simNotReady),
    (state(.home, isFaulty: true), .portUnavailable),
    // Refused for good, for now, and in words alone.
    (state(.home, bearer: .failed(.session(33))), .bearerRefused),
    (state(.home, bearer: .failed(.session(26))), nil),
    (state(.home, bearer: .failed(NetworkCause(code: nil, text: "no"))), nil),
    (state(.home, bearer: .connecting), nil),
  ]

  @Test("It follows from the modem's last report alone", arguments: rows)
  func obstacle(state: ModemState, cause: ChainFailure.Cause?) {
    #expect(BearerObstacle.of(state)?.cause == cause)
  }

  @Test("Without a modem there is none to have a bearer")
  func absent() {
    #expect(BearerObstacle.on(nil, ModemRegistry())?.cause == .noModem)
  }
}
