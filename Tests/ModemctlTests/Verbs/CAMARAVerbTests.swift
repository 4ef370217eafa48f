import CAMARAAPI
import ModemAPI
import Testing

@testable import CAMARACommands
@testable import ModemctlCommands

@Suite("Verbs of CAMARA")
struct CAMARAVerbTests {
  @Test("Arguments become the call's parameters")
  func parameters() throws {
    let check = try #require(
      Modemctl.parseAsRoot(["sim-swap", "check", "+447700900123", "--max-age", "72", "--provider", "op"])
        as? SIMSwapCheck)
    #expect(check.parameters().number == "+447700900123" && check.parameters().maximumAgeHours == 72)
    #expect(check.parameters().provider == "op" && check.parameters().modem == nil)
    let date = try #require(Modemctl.parseAsRoot(["sim-swap", "retrieve-date"]) as? SIMSwapDate)
    #expect(date.parameters().number == nil && date.parameters().maximumAgeHours == nil)
    for (flag, hashed) in [("--hashed", true), ("--no-hashed", false), (nil, nil)] as [(String?, Bool?)] {
      let arguments = ["number-verification", "verify", "+447700900123"] + [flag].compactMap(\.self)
      let verify = try #require(Modemctl.parseAsRoot(arguments) as? NumberVerificationVerify)
      #expect(verify.parameters().hashed == hashed)
    }
    #expect(throws: (any Error).self) { try Modemctl.parseAsRoot(["number-verification", "verify"]) }
  }

  @Test("The SIM's number is hidden, and shown when it is asked for")
  func masked() {
    let reply = NumberVerificationInterface.DevicePhoneNumber.Reply(
      event: .outcome, number: "+447700900123", correlator: "abc")
    let shown = reply.masked()
    #expect(shown.number?.contains("900") == false && shown.number?.hasSuffix("23") == true)
    #expect(shown.correlator == "abc")
    #expect(reply.findings.first?.1 == "+447700900123")
  }
}
