import ModemModel
import Testing

@testable import MPin
@testable import MPinServer

@Suite("M-Pin's secrets", .timeLimit(.minutes(1)))
struct SecretTests {
  @Test("they print redacted, by whatever way")
  func redacted() throws {
    let world = try World.new("{\"userID\":\"alice@example.com\"}")
    let shares = try world.master.clientSecretShares(for: world.identity)
    let (token, pin) = (try world.token("271828"), try UserPIN("271828"))
    let pass = try PassOne(identity: world.identity, token: token, pin: pin)
    let hidden = [
      "271828", token.revealed, shares.0.revealed, "alice", world.identity.mpinIdHex,
      Hexadecimal.text(of: world.keys.privateKey.bytes.revealed), "\(world.keys.privateKey.bytes.revealed)",
      "\(token.bytes.revealed)",
    ]
    let values: [Any] = [token, pin, shares.0, shares.1, world.keys, world.identity, pass, world.keys.privateKey]
    for value in values {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), dumped, "\([value])", "\(Optional(value) as Any)"] {
        #expect(hidden.allSatisfy { !text.contains($0) }, "\(type(of: value)) shows a secret")
      }
    }
  }

  @Test("errors name a value and never show it")
  func errors() {
    let secret = "04" + String(repeating: "5a", count: 64)
    for text in [secret, secret + "77", "9" + secret] {
      let error = #expect(throws: MPinError.self) { try MPinToken(hex: text) }
      #expect(error.map { "\($0)".contains("token") && !"\($0)".contains("5a5a") } == true)
    }
    let error = #expect(throws: MPinError.self) { try UserPIN("1234x") }
    #expect(error.map { !"\($0)".contains("1234") } == true)
  }

  @Test("a pass 1 is answered once, also when many ask at a time")
  func once() async throws {
    let world = try World.new()
    let pass = try PassOne(identity: world.identity, token: world.token("1234"), pin: UserPIN("1234"))
    let answers = await withTaskGroup(of: Result<G1Point, MPinError>.self) { group in
      for _ in 0..<8 {
        group.addTask { Result { () throws(MPinError) in try pass.answer(.draw()) } }
      }
      return await group.reduce(into: [Result<G1Point, MPinError>]()) { $0.append($1) }
    }
    let codes = answers.compactMap { answer -> MPinError.Code? in
      if case .failure(let error) = answer { error.code } else { nil }
    }
    #expect(codes == Array(repeating: .alreadyAnswered, count: 7))
  }

  @Test("a challenge that is refused uses the pass up too")
  func usedUp() throws {
    let (world, x) = (try World.new(), PlainNumber(5))
    let pass = try PassOne(
      identity: world.identity, token: world.token("1"), pin: UserPIN("1"), randomness: .giving(x.bytes))
    let undoing = try ServerChallenge((PlainNumber.groupOrder.value - x).bytes)
    #expect(code { () throws(MPinError) in _ = try pass.answer(undoing) } == .badScalar)
    #expect(code { () throws(MPinError) in _ = try pass.answer(.draw()) } == .alreadyAnswered)
  }

  @Test("each login and each key pair is another")
  func fresh() throws {
    let world = try World.new()
    let (token, pin) = (try world.token("1234"), try UserPIN("1234"))
    let commitments = try (0..<8).map { _ in
      try PassOne(identity: world.identity, token: token, pin: pin).commitment
    }
    #expect(Set(commitments).count == 8)
    #expect(try DVSKeyPair().publicKey != DVSKeyPair().publicKey)
  }

  @Test("secrets compare by their bytes")
  func equality() {
    #expect(SecretBytes([1, 2, 3]) == SecretBytes([1, 2, 3]))
    #expect(SecretBytes([1, 2, 3]) != SecretBytes([1, 2, 4]))
    #expect(SecretBytes([1, 2, 3]) != SecretBytes([1, 2]))
    #expect(Set([SecretBytes([1]), SecretBytes([1]), SecretBytes([2])]).count == 2)
  }
}
