import Testing

@testable import MPin
@testable import MPinServer

@Suite("M-Pin's PINs", .timeLimit(.minutes(1)))
struct PINTests {
  @Test(
    "the right PIN is accepted, others are not",
    arguments: [
      "0000", "0007", "0001", "1234", "9999", "000000", "123456", "0123456789", "9876543210", "18446744073709551616",
      String(repeating: "9", count: 64), String(repeating: "0", count: 63) + "1", "0", "7",
    ])
  func rightAndWrong(_ pin: String) throws {
    let world = try World.new("{\"userID\":\"pin\"}")
    let token = try world.token(pin)
    #expect(try world.logsIn(token, pin))
    // One more, one digit gone, and the last four digits alone, as far as these are other numbers.
    let next = String(pin.dropLast()) + (pin.last == "9" ? "8" : "9")
    let value = { (pin: String) in String(pin.drop { $0 == "0" }) }
    for wrong in [next, "1" + pin.suffix(63), String(pin.dropFirst()), String(pin.suffix(4))]
    where !wrong.isEmpty && value(wrong) != value(pin) {
      #expect(try !world.logsIn(token, wrong), "\(wrong) in place of \(pin)")
    }
  }

  @Test("a token of PIN 0000 is the whole secret, and one of any other is not")
  func zero() throws {
    let world = try World.new()
    let shares = try world.master.clientSecretShares(for: world.identity)
    let secret = try world.keys.privateKey * ClientSecret(joining: shares.0, shares.1).point
    #expect(try world.token("0000").bytes == secret.bytes("secret"))
    #expect(try world.token("0001").bytes != secret.bytes("secret"))
    #expect(try world.token("0000") == world.token("000000"))
  }

  @Test(
    "texts that are no PIN",
    arguments: ["", "12a4", " 1234", "1234 ", "-123", "١٢٣٤", "12.4", String(repeating: "1", count: 65)])
  func bad(_ text: String) {
    #expect(code { () throws(MPinError) in _ = try UserPIN(text) } == .badPIN)
  }

  @Test("the length is that of the digits as typed")
  func length() throws {
    #expect(try UserPIN("0007").length == 4)
    #expect(try UserPIN("0007").revealed == "0007")
    #expect(try UserPIN("0007") != UserPIN("7"))
  }
}

extension World {
  /// Whether a login ends well.
  func logsIn(_ token: MPinToken, _ pin: String) throws -> Bool {
    let pass = try PassOne(identity: identity, token: token, pin: UserPIN(pin))
    let challenge = try ServerChallenge.draw()
    return try keyed.accepts(commitment: pass.commitment, proof: pass.answer(challenge), challenge: challenge)
  }
}
