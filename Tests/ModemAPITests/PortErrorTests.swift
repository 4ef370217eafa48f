import ModemModel
import Testing
import Varlink

@testable import PortAPI

/// Errors of a modem, on the way from the port to modemd.
@Suite struct `A modem's error on the port's wire` {
  /// The error's name, by what went wrong; of those that are about slots with the name that slots
  /// have.
  static let names: [(ModemError.Code, String, String)] = [
    (.deviceUnavailable, "ModemFailed", "ModemFailed"), (.removed, "ModemFailed", "ModemFailed"),
    (.timeout, "ModemFailed", "ModemFailed"), (.cancelled, "ModemFailed", "ModemFailed"),
    (.notSupported, "ModemFailed", "SlotsNotSupported"), (.simAbsent, "NotReady", "NotReady"),
    (.simLocked, "NotReady", "NotReady"), (.simNotReady, "NotReady", "NotReady"), (.wrongPIN, "WrongPIN", "WrongPIN"),
    (.lastAttempt, "LastAttempt", "LastAttempt"), (.pinNotRequired, "PINNotRequired", "PINNotRequired"),
    (.notRegistered, "NotReady", "NotReady"), (.refused, "Refused", "Refused"), (.noSession, "Refused", "Refused"),
    (.noAddress, "NoAddress", "NoAddress"), (.notConnected, "BearerLost", "BearerLost"),
    (.busy, "ModemFailed", "ModemFailed"), (.badReply, "ModemFailed", "ModemFailed"),
    (.failed, "ModemFailed", "ModemFailed"), (.networking, "ModemFailed", "ModemFailed"),
    (.inUse, "ModemFailed", "InUse"), (.noSuchSlot, "ModemFailed", "NoSuchSlot"),
  ]

  @Test func `has a name for each code`() {
    #expect(Set(Self.names.map(\.0)) == Set(ModemError.Code.allCases))
  }

  @Test(arguments: names) func `has the name that it always had`(code: ModemError.Code, name: String, ofSlots: String) {
    let error = ModemError(code, "text", retriesLeft: 1)
    #expect(error.onPortWire("connect").name == "org.modemd.Port.\(name)")
    #expect(error.onPortWire("slots", aboutSlots: true).name == "org.modemd.Port.\(ofSlots)")
  }

  @Test(arguments: ModemError.Code.allCases) func `means the same on the other side`(code: ModemError.Code) {
    let sent = ModemError(code, "text", retriesLeft: 1)
    let came = ModemError(fromPort: sent.onPortWire("slots", aboutSlots: true))
    #expect(came.meaning == sent.meaning)
    #expect(came.retriesLeft == (code == .wrongPIN || code == .lastAttempt ? 1 : nil))
  }

  @Test func `keeps the network's cause`() {
    let sent = ModemError(.refused, "refused", networkCause: .session(33))
    let came = ModemError(fromPort: sent.onPortWire("connect"))
    #expect(came.networkCause == .session(33) && came.isLasting == sent.isLasting)
  }

  @Test func `says what was asked where it has no name of its own`() {
    let came = ModemError(fromPort: ModemError(.timeout, "no answer").onPortWire("connect"))
    #expect(came == ModemError(.failed, "connect: no answer"))
  }
}
