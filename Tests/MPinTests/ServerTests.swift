import Testing

@testable import MPin
@testable import MPinServer

/// The simulated server's side.
@Suite("M-Pin's server", .timeLimit(.minutes(2)))
struct ServerTests {
  @Test("a login is accepted with its own PIN, token, identity, challenge and secret alone")
  func login() throws {
    let (world, other) = (try World.new(), try World.new("somebody else"))
    let (token, pin) = (try world.token("4711"), try UserPIN("4711"))
    let pass = try PassOne(identity: world.identity, token: token, pin: pin)
    let challenge = try ServerChallenge.draw()
    let proof = try pass.answer(challenge)
    let accepts = { (world: World, commitment: G1Point, proof: G1Point, challenge: ServerChallenge) throws in
      try world.keyed.accepts(commitment: commitment, proof: proof, challenge: challenge)
    }
    #expect(try accepts(world, pass.commitment, proof, challenge))
    #expect(try !accepts(world, pass.commitment, proof, .draw()))
    #expect(try !accepts(world, proof, pass.commitment, challenge))
    #expect(try !accepts(world, pass.commitment, pass.commitment, challenge))
    #expect(try !accepts(other, pass.commitment, proof, challenge))
    #expect(try !world.logsIn(other.token("4711"), "4711"))
    #expect(try !world.logsIn(token, "4712"))
    #expect(try world.logsIn(token, "4711"))
  }

  @Test("a commitment that the challenge undoes is refused")
  func undone() throws {
    let (world, challenge) = (try World.new(), try ServerChallenge.draw())
    let commitment = try G1Point((challenge.scalar * world.identity.point.curvePoint()).negated(), "commitment")
    #expect(try !world.keyed.accepts(commitment: commitment, proof: commitment, challenge: challenge))
  }

  @Test("a signature verifies for its own message and time alone")
  func signature() throws {
    let world = try World.new()
    let (message, token) = (try Digest.sha256([1, 2, 3]), try world.token("0000"))
    let sign = { (pin: String) throws in
      try MPinSignature(
        of: message, timestamp: 1_700_000_000, identity: world.identity, token: token, pin: UserPIN(pin))
    }
    let signature = try sign("0000")
    #expect(try world.keyed.accepts(signature, of: message))
    #expect(try !world.keyed.accepts(signature, of: Digest.sha256([1, 2, 4])))
    let later = MPinSignature(u: signature.u, v: signature.v, timestamp: signature.timestamp + 1)
    #expect(try !world.keyed.accepts(later, of: message))
    let swapped = MPinSignature(u: signature.v, v: signature.u, timestamp: signature.timestamp)
    #expect(try !world.keyed.accepts(swapped, of: message))
    #expect(try !world.keyed.accepts(sign("0001"), of: message))
    #expect(try !World.new().keyed.accepts(signature, of: message))
  }

  @Test("the two shares of a secret may not cancel each other out")
  func shares() throws {
    let one = try Scalar(SecretBytes(PlainNumber(1).bytes))
    let opposite = try Scalar(SecretBytes((PlainNumber.groupOrder.value - PlainNumber(1)).bytes))
    #expect(code { () throws(MPinError) in _ = try MasterSecret(one, opposite) } == .badScalar)
  }
}
