import ModemModel
import Testing

@testable import MPin
@testable import MPinServer

/// What comes from outside and is not what it should be.
@Suite("M-Pin's bad input", .timeLimit(.minutes(1)))
struct InputTests {
  struct Bad: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let code: MPinError.Code
    var testDescription: String { name }
  }

  /// A good point, H of nobody.
  private static let good: [UInt8] = (try? G1Point(mapping: Digest.sha256([7])).bytes) ?? []
  private static let goodKey: [UInt8] = (try? TwistPoint.generator().bytes("generator")) ?? []

  private static func changed(_ bytes: [UInt8], at place: Int, to value: UInt8) -> [UInt8] {
    var bytes = bytes
    bytes[place] = value
    return bytes
  }

  /// The same point with its x greater by p, as far as it fits.
  private static var unreduced: [UInt8] {
    let x = PlainNumber(Array(good[1..<33]))
    let zero = PlainNumber(0)
    return [4] + (x - (zero - PlainNumber.fieldPrime.value)).bytes + good[33...]
  }

  static let points: [Bad] = [
    Bad(name: "nothing", bytes: [], code: .badLength),
    Bad(name: "the point at infinity's own form", bytes: [0], code: .badLength),
    Bad(name: "a byte short", bytes: good.dropLast(), code: .badLength),
    Bad(name: "a byte long", bytes: good + [0], code: .badLength),
    Bad(name: "without its prefix", bytes: Array(good.dropFirst()), code: .badLength),
    Bad(name: "compressed", bytes: [2] + good[1..<33], code: .badLength),
    Bad(name: "hybrid", bytes: changed(good, at: 0, to: 6 + good[64] % 2), code: .badEncoding),
    Bad(name: "zeros", bytes: Array(repeating: 0, count: 65), code: .badEncoding),
    Bad(name: "prefix and zeros", bytes: [4] + Array(repeating: 0, count: 64), code: .notOnCurve),
    Bad(name: "another y", bytes: changed(good, at: 64, to: good[64] ^ 1), code: .notOnCurve),
    Bad(name: "another x", bytes: changed(good, at: 32, to: good[32] ^ 1), code: .notOnCurve),
    Bad(name: "x beyond p", bytes: unreduced, code: .notOnCurve),
    Bad(name: "all ones", bytes: [4] + Array(repeating: 255, count: 64), code: .notOnCurve),
  ]

  @Test("points of the curve", arguments: points)
  func point(_ bad: Bad) {
    #expect(code { () throws(MPinError) in _ = try G1Point(bad.bytes) } == bad.code)
    #expect(code { () throws(MPinError) in _ = try ClientSecretShare(bad.bytes) } == bad.code)
    #expect(code { () throws(MPinError) in _ = try MPinToken(bad.bytes) } == bad.code)
    let hex = Hexadecimal.text(of: bad.bytes)
    #expect(code { () throws(MPinError) in _ = try ClientSecretShare(hex: hex) } == bad.code)
  }

  /// A point of the twist that is not in the group of prime order: the first x with a root, found
  /// by trying.
  private static func strayKey() throws -> [UInt8] {
    let (one, zero) = (PlainFp.one, PlainFp(PlainNumber(0)))
    var x = PlainFp2(one, zero)
    while true {
      let square = x * x * x + PlainFp2(one, zero - one)
      if let root = squareRoot(of: square) { return x.bytes + root.bytes }
      x = x + PlainFp2(one, zero)
    }
  }

  /// Complex method: of a + bi with the root of its norm.
  private static func squareRoot(of value: PlainFp2) -> PlainFp2? {
    let prime = PlainNumber.fieldPrime
    let exponent = (prime.value - PlainNumber(3)).shiftedRight(by: 2)
    let root = { (value: PlainFp) -> PlainFp? in
      let root = PlainFp(prime.power(value.number, exponent)) * value
      return root * root == value ? root : nil
    }
    let half = (PlainFp.one + PlainFp.one).inverse
    guard let norm = root(value.a * value.a + value.b * value.b) else { return nil }
    for sign in [norm, PlainFp(PlainNumber(0)) - norm] {
      guard let real = root((value.a + sign) * half), !real.isZero else { continue }
      let result = PlainFp2(real, value.b * half * real.inverse)
      if result * result == value { return result }
    }
    return nil
  }

  @Test("public keys")
  func publicKeys() throws {
    let key = Self.goodKey
    let stray = try Self.strayKey()
    let cases: [Bad] = [
      Bad(name: "nothing", bytes: [], code: .badLength),
      Bad(name: "a byte short", bytes: key.dropLast(), code: .badLength),
      Bad(name: "with a prefix", bytes: [4] + key, code: .badLength),
      Bad(name: "zeros", bytes: Array(repeating: 0, count: 128), code: .notOnCurve),
      Bad(name: "another point", bytes: Self.changed(key, at: 127, to: key[127] ^ 1), code: .notOnCurve),
      Bad(name: "a coordinate beyond p", bytes: Self.changed(key, at: 0, to: 255), code: .badEncoding),
      Bad(name: "a coordinate that is p", bytes: Group.primeBytes + key[32...], code: .badEncoding),
      Bad(name: "of another order", bytes: stray, code: .notOnCurve),
    ]
    for bad in cases {
      #expect(code { () throws(MPinError) in _ = try DVSPublicKey(bad.bytes) } == bad.code, "\(bad.name)")
    }
    // It is on the twist: only its order is wrong.
    let error = #expect(throws: MPinError.self) { try DVSPublicKey(stray) }
    #expect(error?.message.contains("prime order") == true)
    #expect(throws: Never.self) { try DVSPublicKey(key) }
  }

  @Test("texts that are not hexadecimal", arguments: ["0", "zz", "04 05", "0x04", "é1", "04g0", " "])
  func hexadecimal(_ text: String) {
    #expect(code { () throws(MPinError) in _ = try G1Point(hex: text) } == .badEncoding)
    #expect(code { () throws(MPinError) in _ = try MPinToken(hex: text) } == .badEncoding)
    #expect(code { () throws(MPinError) in _ = try ServerChallenge(hex: text) } == .badEncoding)
    #expect(code { () throws(MPinError) in _ = try DVSPublicKey(hex: text) } == .badEncoding)
  }

  @Test("hexadecimal digits of either case are read, and lower case is written")
  func upperCase() throws {
    let hex = Hexadecimal.text(of: Self.good)
    #expect(try G1Point(hex: hex.uppercased()).hex == hex)
  }

  @Test("scalars: zero, the order and more are refused, its neighbours are not")
  func scalars() throws {
    let (order, one) = (PlainNumber.groupOrder.value, PlainNumber(1))
    for bad in [PlainNumber(0), order, order - (PlainNumber(0) - one), PlainNumber(Array(repeating: 255, count: 32))] {
      #expect(code { () throws(MPinError) in _ = try Scalar(SecretBytes(bad.bytes)) } == .badScalar)
    }
    for good in [one, order - one] { #expect(throws: Never.self) { try Scalar(SecretBytes(good.bytes)) } }
    #expect(code { () throws(MPinError) in _ = try Scalar(SecretBytes([1])) } == .badLength)
  }

  @Test("challenges: 32 bytes, and not 0 modulo the order")
  func challenges() throws {
    let order = PlainNumber.groupOrder.value
    for bad in [PlainNumber(0), order] {
      #expect(code { () throws(MPinError) in _ = try ServerChallenge(bad.bytes) } == .badScalar)
    }
    for count in [0, 31, 33] {
      #expect(
        code { () throws(MPinError) in _ = try ServerChallenge(Array(repeating: 1, count: count)) } == .badLength)
    }
    let beyond = try ServerChallenge((order - (PlainNumber(0) - PlainNumber(5))).bytes)
    #expect(beyond.scalar.bytes.revealed == PlainNumber(5).bytes)
    #expect(beyond.bytes != PlainNumber(5).bytes)
  }

  @Test("a challenge that undoes x is refused")
  func undoing() throws {
    let (world, x) = (try World.new(), PlainNumber(77))
    let pass = try PassOne(
      identity: world.identity, token: world.token("1234"), pin: UserPIN("1234"), randomness: .giving(x.bytes))
    let challenge = try ServerChallenge((PlainNumber.groupOrder.value - x).bytes)
    #expect(code { () throws(MPinError) in _ = try pass.answer(challenge) } == .badScalar)
  }

  @Test("shares that cancel each other out are refused")
  func cancelling() throws {
    let world = try World.new()
    let (share, _) = try world.master.clientSecretShares(for: world.identity)
    let opposite = try ClientSecretShare(CurvePoint(share.bytes).negated().bytes("share").revealed)
    #expect(
      code { () throws(MPinError) in
        _ = try MPinToken(
          identity: world.identity, shares: (share, opposite), keys: world.keys, pin: UserPIN("1"))
      } == .identityPoint)
  }

  @Test("the same share twice is a sum like any other")
  func twice() throws {
    let world = try World.new()
    let (share, _) = try world.master.clientSecretShares(for: world.identity)
    let token = try MPinToken(
      identity: world.identity, shares: (share, share), keys: world.keys, pin: UserPIN("0"))
    let expected = try world.keys.privateKey * (CurvePoint(share.bytes) + CurvePoint(share.bytes))
    #expect(try token.bytes == expected.bytes("secret"))
  }

  @Test("another registration's key pair is refused")
  func otherKeys() throws {
    let (world, other) = (try World.new(), try DVSKeyPair())
    let shares = try world.master.clientSecretShares(for: world.identity)
    #expect(
      code { () throws(MPinError) in
        _ = try MPinToken(identity: world.identity, shares: shares, keys: other, pin: UserPIN("1234"))
      } == .keyMismatch)
    #expect(
      code { () throws(MPinError) in
        _ = try KeyedVerifier(secret: world.master, identity: world.identity, keys: other)
      } == .keyMismatch)
  }

  @Test("ids: empty and too long")
  func identities() throws {
    let key = try DVSPublicKey(Self.goodKey)
    for count in [0, 65_537] {
      let id = [UInt8](repeating: 1, count: count)
      #expect(code { () throws(MPinError) in _ = try MPinIdentity(mpinId: id, publicKey: key) } == .badIdentity)
    }
    #expect(code { () throws(MPinError) in _ = try MPinIdentity(mpinIdHex: "7", publicKey: key) } == .badEncoding)
    #expect(try MPinIdentity(mpinIdHex: "7b7D", publicKey: key).mpinIdHex == "7b7d")
  }

  @Test("a source of random bytes that gives only what is out of range, or nothing")
  func randomness() {
    for value in [UInt8(0), 255] {
      let stuck = RandomSource { buffer in buffer.initializeMemory(as: UInt8.self, repeating: value) }
      #expect(code { () throws(MPinError) in _ = try DVSKeyPair(randomness: stuck) } == .randomness)
    }
    #expect(code { () throws(MPinError) in _ = try DVSKeyPair(randomness: .giving()) } == .randomness)
  }

  @Test("numbers out of range are drawn again")
  func drawnAgain() throws {
    let source = RandomSource.giving(
      Array(repeating: 255, count: 32), Group.orderBytes, Array(repeating: 0, count: 32), PlainNumber(9).bytes)
    #expect(try Scalar(from: source).bytes.revealed == PlainNumber(9).bytes)
  }

  @Test("the system's numbers are in range and differ")
  func system() throws {
    let drawn = try (0..<64).map { _ in try Scalar(from: .system) }
    #expect(Set(drawn).count == drawn.count)
    var buffer = [UInt8](repeating: 0, count: 1000)
    try buffer.withUnsafeMutableBytes { try RandomSource.system.fill($0) }
    #expect(buffer.suffix(100).contains { $0 != 0 })
  }
}

/// The code of the error that `body` throws; nil where it throws none.
func code(_ body: () throws(MPinError) -> Void) -> MPinError.Code? {
  do {
    try body()
    return nil
  } catch {
    return error.code
  }
}
