import Testing

@testable import MPin
@testable import MPinServer

/// A case drawn from a seed, which the test's name shows: SplitMix64, for tests alone.
struct RandomCase: Sendable, CustomTestStringConvertible {
  let seed: UInt64
  var testDescription: String { "seed \(seed)" }

  /// Others in each run, as many as a run has time for: each takes seconds.
  static let all = (0..<6).map { _ in RandomCase(seed: .random(in: 0 ... .max)) }

  struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var value = state
      value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
      value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
      return value ^ value >> 31
    }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: 0...255, using: &self) } }

    /// From 1 to n − 1.
    mutating func scalar() -> PlainNumber {
      while true {
        let number = PlainNumber.groupOrder.reduce(PlainNumber(bytes(32)))
        if !number.isZero { return number }
      }
    }

    mutating func pin() -> String {
      let digits = (0..<Int.random(in: 1...64, using: &self)).map { _ in Int.random(in: 0...9, using: &self) }
      return digits.map(String.init).joined()
    }
  }
}

/// Random cases against school arithmetic: other limbs, other coordinates, other formulas, no
/// libcrypto but for SHA-256.
@Suite("M-Pin against a second computation", .timeLimit(.minutes(10)))
struct RandomCaseTests {
  private static let order = PlainNumber.groupOrder

  /// The digits as a number modulo the order.
  private func number(_ pin: String) -> PlainNumber {
    pin.utf8.reduce(PlainNumber(0)) { number, digit in
      let tenfold = Self.order.product(number, PlainNumber(10))
      return Self.order.sum(tenfold, PlainNumber(UInt32(digit - 0x30)))
    }
  }

  @Test("registration, login and signature", arguments: RandomCase.all)
  func whole(_ drawn: RandomCase) throws {
    var random = RandomCase.Generator(state: drawn.seed)
    let (s1, s2, z, x) = (random.scalar(), random.scalar(), random.scalar(), random.scalar())
    let (pin, mpinId) = (random.pin(), random.bytes(.random(in: 1...300, using: &random)))
    // Beyond the order as often as below: it counts modulo the order.
    let y = random.bytes(32)

    let keys = try DVSKeyPair(randomness: .giving(z.bytes))
    let publicKey = try Self.order.inverse(z) * PlainG2(TwistPoint.generator().bytes("generator"))
    #expect(keys.publicKey.bytes == publicKey.bytes)
    let world = try World(
      master: MasterSecret(randomness: .giving(s1.bytes, s2.bytes)), keys: keys, mpinId: mpinId)
    let base = PlainG1(mapping: try Digest.sha256(mpinId + keys.publicKey.bytes))
    #expect(world.identity.point.bytes == base.encoded)

    let shares = try world.master.clientSecretShares(for: world.identity)
    let (cs1, cs2) = (s1 * base, s2 * base)
    #expect(shares.0.bytes.revealed == cs1.encoded)
    #expect(shares.1.bytes.revealed == cs2.encoded)
    let secret = z * (cs1 + cs2)
    let token = try world.token(pin)
    #expect(token.bytes.revealed == (secret + (number(pin) * base).negated).encoded)

    let pass = try PassOne(
      identity: world.identity, token: token, pin: UserPIN(pin), randomness: .giving(x.bytes))
    #expect(pass.commitment.bytes == (x * base).encoded)
    let sum = Self.order.sum(x, Self.order.reduce(PlainNumber(y)))
    let proof = try pass.answer(ServerChallenge(y))
    #expect(proof.bytes == (sum * secret).negated.encoded)

    let (message, time) = (random.bytes(32), UInt32.random(in: 0 ... .max, using: &random))
    let signature = try MPinSignature(
      of: message, timestamp: time, identity: world.identity, token: token, pin: UserPIN(pin),
      randomness: .giving(x.bytes))
    let stamp = (0..<4).map { UInt8(truncatingIfNeeded: time >> (24 - 8 * UInt32($0))) }
    let hash = try Digest.sha256(stamp + (x * base).encoded! + message)
    let signed = Self.order.sum(x, Self.order.reduce(PlainNumber(hash)))
    #expect(signature.u == pass.commitment)
    #expect(signature.v.bytes == (signed * secret).negated.encoded)
  }

  @Test("multiples of the twist's generator by small and by large numbers")
  func twistEdges() throws {
    let generator = try TwistPoint.generator()
    let plain = try PlainG2(generator.bytes("generator"))
    let highest = Self.order.value - PlainNumber(1)
    for number in [PlainNumber(1), PlainNumber(2), PlainNumber(3), highest, highest - PlainNumber(1)] {
      let scalar = try Scalar(SecretBytes(number.bytes))
      #expect(try (scalar * generator).bytes("point") == (number * plain).bytes)
    }
    #expect(throws: MPinError.self) {
      try (Scalar(SecretBytes(highest.bytes)) * generator + generator).bytes("sum")
    }
  }

  @Test("multiples of a point by small and by large numbers")
  func pointEdges() throws {
    let base = try CurvePoint(mapping: Digest.sha256([1]))
    let plain = PlainG1(mapping: try Digest.sha256([1]))
    let highest = Self.order.value - PlainNumber(1)
    for number in [PlainNumber(1), PlainNumber(2), PlainNumber(3), highest, highest - PlainNumber(1)] {
      let scalar = try Scalar(SecretBytes(number.bytes))
      #expect(try (scalar * base).bytes("point").revealed == (number * plain).encoded)
    }
    #expect(try (Scalar(SecretBytes(highest.bytes)) * base + base).isInfinity)
    #expect(try (base + base).bytes("sum").revealed == (plain + plain).encoded)
  }

  @Test("inverses, sums and products of scalars", arguments: RandomCase.all)
  func scalars(_ drawn: RandomCase) throws {
    var random = RandomCase.Generator(state: drawn.seed)
    let (a, b) = (random.scalar(), random.scalar())
    let (left, right) = (try Scalar(SecretBytes(a.bytes)), try Scalar(SecretBytes(b.bytes)))
    #expect(try left.inverse().bytes.revealed == Self.order.inverse(a).bytes)
    #expect(try (left + right).bytes.revealed == Self.order.sum(a, b).bytes)
    #expect(try (left * right).bytes.revealed == Self.order.product(a, b).bytes)
    #expect(try (left * left.inverse()).bytes.revealed == PlainNumber(1).bytes)
  }
}
