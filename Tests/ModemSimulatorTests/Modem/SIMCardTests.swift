import ModemModel
import Testing

@testable import ModemSimulator

@Suite struct SIMCardTests {
  private func card(pin: String? = "1234") -> SIMCard {
    var sim = SimulatedSIM()
    sim.pin = pin
    return SIMCard(sim)
  }

  @Test("three wrong PINs ask for the PUK, and ten wrong PUKs block the card")
  func wrongCodes() {
    var card = card()
    #expect(card.lock == .pin)
    for left in [2, 1, 0] {
      #expect(card.verify("9999") == .wrong)
      #expect(card.pinAttempts == left)
    }
    #expect(card.lock == .puk)
    #expect(card.verify("1234") == .blocked)
    for _ in 0..<10 { #expect(card.unblock(puk: "00000000", newPIN: "4321") == .wrong) }
    #expect(card.lock == .blocked)
    #expect(card.unblock(puk: "12345678", newPIN: "4321") == .blocked)
  }

  @Test("the PUK sets a new PIN and opens the card")
  func unblock() {
    var card = card()
    for _ in 0..<3 { _ = card.verify("9999") }
    #expect(card.unblock(puk: "12345678", newPIN: "4321") == .done)
    #expect(card.lock == .open)
    #expect(card.change(from: "4321", to: "8765") == .done)
    #expect(card.setPIN(enabled: false, code: "8765") == .done)
    #expect(card.verify("8765") == .disabled)
  }

  @Test("the right PIN gives the attempts back")
  func attempts() {
    var card = card()
    _ = card.verify("9999")
    #expect(card.verify("1234") == .done)
    #expect(card.pinAttempts == 3)
    #expect(card.verify("1234") == .notRequired)
  }

  @Test(
    "numbers are stored as 3GPP TS 31.102, 4.2.26 has them",
    arguments: [
      // Alpha tag of 14 bytes, then length, type of number, digits, capability, extension.
      ("+447700900123", "07 91 447700091032 ffffffff ffff"),
      ("07700900123", "07 81 7007900021f3 ffffffff ffff"),
    ])
  func numberFile(number: String, record: String) throws {
    var sim = SimulatedSIM()
    sim.numbers = [number]
    let file = try SIMCard(sim).readRecord(0x6f40, in: [0x3f00, 0x7fff], number: 1)
    #expect(file == [UInt8](repeating: 0xff, count: 14) + hex(record))
  }

  @Test("files ask for the PIN, the right folder and a record that is there")
  func access() {
    let locked = card()
    #expect(throws: SIMFile.StatusWords.securityNotSatisfied) {
      try locked.readBinary(0x6f07, in: [0x3f00, 0x7fff], offset: 0, length: 0)
    }
    #expect(throws: SIMFile.StatusWords.fileNotFound) {
      try locked.readBinary(0x2fe2, in: [0x3f00, 0x7fff], offset: 0, length: 0)
    }
    let open = card(pin: nil)
    #expect(throws: SIMFile.StatusWords.recordNotFound) {
      try open.readRecord(0x6f40, in: [0x3f00, 0x7fff], number: 2)
    }
    #expect(throws: SIMFile.StatusWords.wrongStructure) {
      try open.readRecord(0x6fad, in: [0x3f00, 0x7fff], number: 1)
    }
  }
}
