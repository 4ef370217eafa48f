import ModemModel
import RedirectChain
import Testing

@testable import ModemService

/// What kept a bearer from coming up, as the end of a chain.
@Suite struct `The cause of a chain that has no bearer` {
  static let causes: [(ModemError.Code, ChainFailure.Cause)] = [
    (.simAbsent, .simAbsent), (.simLocked, .simLocked), (.simNotReady, .simNotReady), (.notRegistered, .notRegistered),
    (.refused, .bearerRefused), (.noSession, .bearerRefused), (.noAddress, .noAddress), (.notConnected, .bearerLost),
    (.deviceUnavailable, .modemFailed), (.removed, .modemFailed), (.timeout, .modemFailed), (.cancelled, .modemFailed),
    (.notSupported, .modemFailed), (.wrongPIN, .modemFailed), (.lastAttempt, .modemFailed),
    (.pinNotRequired, .modemFailed), (.busy, .modemFailed), (.badReply, .modemFailed), (.failed, .modemFailed),
    (.networking, .modemFailed), (.inUse, .modemFailed), (.noSuchSlot, .modemFailed),
  ]

  @Test func `is known for each code of a modem`() {
    #expect(Set(Self.causes.map(\.0)) == Set(ModemError.Code.allCases))
  }

  @Test(arguments: causes) func `says whose it is to solve`(code: ModemError.Code, cause: ChainFailure.Cause) {
    let failure = ChainFailure(without: ModemError(code, "what happened", cause: "why"))
    #expect(failure.cause == cause && failure.text == "what happened: why")
  }

  @Test func `is the port's while that does not run`() {
    #expect(ChainFailure(without: ServiceError(.portUnavailable, "gone")).cause == .portUnavailable)
    #expect(ChainFailure(without: ServiceError(.noModem, "none")).cause == .noModem)
  }
}
