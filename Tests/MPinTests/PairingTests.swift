import Testing

@testable import MPin
@testable import MPinServer

/// The server's check by a pairing, which needs no key of the client's.
@Suite("M-Pin's pairing", .timeLimit(.minutes(5)))
struct PairingTests {
  private func scalar(_ number: UInt32) throws -> Scalar { try Scalar(SecretBytes(PlainNumber(number).bytes)) }

  @Test("it is bilinear, and not 1 everywhere")
  func bilinear() throws {
    let (point, twist) = (try CurvePoint(mapping: Digest.sha256([1])), try TwistPoint.generator())
    let (a, b) = (try Scalar(from: .system), try Scalar(from: .system))
    #expect(try !Pairing.productIsOne([(point, twist)]))
    #expect(try Pairing.productIsOne([(a * point, b * twist), ((a * b * point).negated(), twist)]))
    #expect(try Pairing.productIsOne([(a * point, twist), (point.negated(), a * twist)]))
    #expect(try !Pairing.productIsOne([(a * point, twist), (point.negated(), b * twist)]))
    let (two, three, six) = (try scalar(2), try scalar(3), try scalar(6))
    #expect(try Pairing.productIsOne([(two * point, three * twist), (point.negated(), six * twist)]))
  }

  @Test("the vectors' logins and signatures, right and wrong", arguments: Vectors.all.keyed())
  func vectors(_ vector: Vectors.Case) throws {
    let (dvs, world) = (try #require(vector.dvs), try World(vector))
    let verifier = PairingVerifier(secret: world.master, identity: world.identity)
    if let first = dvs.pass1, let second = dvs.pass2 {
      let challenge = try ServerChallenge(hex: second.y)
      let accepts = { (u: String, v: String) throws in
        try verifier.accepts(commitment: G1Point(hex: u), proof: G1Point(hex: v), challenge: challenge)
      }
      if let result = dvs.server_result { #expect(try accepts(first.U, second.V) == (result == accepted)) }
      if let wrong = dvs.wrong_pin { #expect(try accepts(wrong.U, wrong.V) == (wrong.server_result == accepted)) }
    }
    guard let expected = dvs.signature else { return }
    let signature = MPinSignature(
      u: try G1Point(hex: expected.u), v: try G1Point(hex: expected.v), timestamp: expected.timestamp)
    let message = try bytes(expected.message)
    #expect(try verifier.accepts(signature, of: message) == (expected.server_result == accepted))
    let later = MPinSignature(u: signature.u, v: signature.v, timestamp: signature.timestamp + 1)
    #expect(try !verifier.accepts(later, of: message))
  }

  @Test("it agrees with the check by the client's key", arguments: ["0000", "4711", "123456"])
  func agrees(_ pin: String) throws {
    let world = try World.new("agreement")
    let verifier = PairingVerifier(secret: world.master, identity: world.identity)
    let token = try world.token(pin)
    for tried in [pin, "1" + pin] {
      let pass = try PassOne(identity: world.identity, token: token, pin: UserPIN(tried))
      let challenge = try ServerChallenge.draw()
      let proof = try pass.answer(challenge)
      let byKey = try world.keyed.accepts(commitment: pass.commitment, proof: proof, challenge: challenge)
      #expect(byKey == (tried == pin))
      #expect(try verifier.accepts(commitment: pass.commitment, proof: proof, challenge: challenge) == byKey)
    }
  }
}
