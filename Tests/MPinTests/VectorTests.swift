import ModemModel
import Testing

@testable import MPin
@testable import MPinServer

/// All values of the file, byte for byte. A section that another file lacks is skipped.
@Suite("M-Pin's vectors", .timeLimit(.minutes(5)))
struct VectorTests {
  @Test("the curve and both generators", .enabled(if: Vectors.all.curve != nil, "the file has no section curve"))
  func curve() throws {
    let curve = try #require(Vectors.all.curve)
    #expect(try bytes(curve.p) == Group.primeBytes)
    #expect(try bytes(curve.n) == Group.orderBytes)
    let twist = curve.G2.xa + curve.G2.xb + curve.G2.ya + curve.G2.yb
    #expect(try TwistPoint.generator().hex == twist)
    #expect(try DVSPublicKey(hex: twist).hex == twist)
    let pad = { (text: String) in String(repeating: "0", count: 64 - text.utf8.count) + text }
    #expect(throws: Never.self) { try G1Point(hex: "04" + pad(curve.Gx) + pad(curve.Gy)) }
  }

  @Test("the map to the curve", arguments: Vectors.all.mapToCurve)
  func mapping(_ vector: Vectors.Mapping) throws {
    try expectMap(
      of: Array(vector.input.utf8), sha256: vector.sha256, increments: vector.increments, point: vector.point)
  }

  @Test("the servers' secrets", arguments: Vectors.all.cases)
  func serverSecrets(_ vector: Vectors.Case) throws {
    let (first, second) = (try scalar(vector.ms1), try scalar(vector.ms2))
    let points = (try first * TwistPoint.generator(), try second * TwistPoint.generator())
    if let share = vector.serverSecretShare1 { #expect(try points.0.hex == share) }
    if let share = vector.serverSecretShare2 { #expect(try points.1.hex == share) }
    let sum = try (points.0 + points.1).hex
    if let secret = vector.serverSecret { #expect(sum == secret) }
    #expect(try MasterSecret(first, second).serverSecret().hex == sum)
  }

  @Test("a registration: key pair, identity, shares, token", arguments: Vectors.all.keyed())
  func registration(_ vector: Vectors.Case) throws {
    let (dvs, world) = (try #require(vector.dvs), try World(vector))
    #expect(world.keys.publicKey.hex == dvs.publicKey)
    #expect(try DVSPublicKey(hex: dvs.publicKey) == world.keys.publicKey)
    try expectMap(
      of: bytes(dvs.hash_input_hex), sha256: dvs.sha256, increments: dvs.map_increments, point: dvs.mapped)
    #expect(try bytes(vector.mpinId) + bytes(dvs.publicKey) == bytes(dvs.hash_input_hex))
    #expect(world.identity.point.hex == dvs.mapped)
    #expect(world.identity.mpinIdHex == vector.mpinId)

    let shares = try world.master.clientSecretShares(for: world.identity)
    #expect(shares.0.revealed == dvs.clientSecretShare1)
    #expect(shares.1.revealed == dvs.clientSecretShare2)
    let secret = try ClientSecret(
      joining: ClientSecretShare(hex: dvs.clientSecretShare1), ClientSecretShare(hex: dvs.clientSecretShare2))
    #expect(try secret.point.hex == dvs.clientSecret)
    #expect(try (scalar(dvs.z) * secret.point).hex == dvs.z_clientSecret)
    let token = try MPinToken(
      identity: world.identity, shares: shares, keys: world.keys, pin: UserPIN(vector.pin))
    #expect(token.revealed == dvs.token)
  }

  @Test(
    "a login: pass 1, pass 2, and the server's word",
    arguments: Vectors.all.keyed { $0.pass1 != nil && $0.pass2 != nil })
  func login(_ vector: Vectors.Case) throws {
    let (dvs, world) = (try #require(vector.dvs), try World(vector))
    let (first, second) = (try #require(dvs.pass1), try #require(dvs.pass2))
    let (token, pin) = (try MPinToken(hex: dvs.token), try UserPIN(vector.pin))
    let pass = try PassOne(
      identity: world.identity, token: token, pin: pin, randomness: .giving(hex: first.x))
    #expect(pass.commitment.hex == first.U)
    let base = try world.identity.point.curvePoint()
    #expect(try ClientSecret(token, pin: pin, base: base).point.hex == first.SEC)
    let challenge = try ServerChallenge(hex: second.y)
    let proof = try pass.answer(challenge)
    #expect(proof.hex == second.V)
    let isAccepted = try world.keyed.accepts(commitment: pass.commitment, proof: proof, challenge: challenge)
    if let result = dvs.server_result { #expect(isAccepted == (result == accepted)) }
  }

  @Test(
    "a login with a wrong PIN",
    arguments: Vectors.all.keyed { $0.wrong_pin != nil && $0.pass1 != nil && $0.pass2 != nil })
  func wrongPIN(_ vector: Vectors.Case) throws {
    let (dvs, world) = (try #require(vector.dvs), try World(vector))
    let (wrong, first, second) = (try #require(dvs.wrong_pin), try #require(dvs.pass1), try #require(dvs.pass2))
    let (token, pin) = (try MPinToken(hex: dvs.token), try UserPIN(wrong.pin))
    let pass = try PassOne(identity: world.identity, token: token, pin: pin, randomness: .giving(hex: first.x))
    #expect(pass.commitment.hex == wrong.U)
    let base = try world.identity.point.curvePoint()
    #expect(try ClientSecret(token, pin: pin, base: base).point.hex == wrong.SEC)
    let challenge = try ServerChallenge(hex: second.y)
    let proof = try pass.answer(challenge)
    #expect(proof.hex == wrong.V)
    #expect(wrong.server_result != accepted)
    #expect(try !world.keyed.accepts(commitment: pass.commitment, proof: proof, challenge: challenge))
  }

  @Test("a signature", arguments: Vectors.all.keyed { $0.signature != nil })
  func signature(_ vector: Vectors.Case) throws {
    let (dvs, world) = (try #require(vector.dvs), try World(vector))
    let expected = try #require(dvs.signature)
    let message = try bytes(expected.message)
    let signature = try MPinSignature(
      of: message, timestamp: expected.timestamp, identity: world.identity, token: MPinToken(hex: dvs.token),
      pin: UserPIN(vector.pin), randomness: .giving(hex: expected.x))
    #expect(signature.u.hex == expected.u)
    #expect(signature.v.hex == expected.v)
    let challenge = try ServerChallenge(timestamp: expected.timestamp, u: signature.u, message: message)
    #expect(Hexadecimal.text(of: challenge.scalar.bytes.revealed) == expected.y)
    #expect(try world.keyed.accepts(signature, of: message) == (expected.server_result == accepted))
  }

  @Test("M-Pin without a key pair", arguments: Vectors.all.cases.filter { $0.plain != nil })
  func plain(_ vector: Vectors.Case) throws {
    let plain = try #require(vector.plain)
    let id = try bytes(vector.mpinId)
    try expectMap(of: id, sha256: plain.sha256, increments: plain.map_increments, point: plain.mapped)
    let base = try point(plain.mapped)
    let master = try MasterSecret(scalar(vector.ms1), scalar(vector.ms2))
    #expect(try (master.shares.first * base).hex == plain.clientSecretShare1)
    #expect(try (master.shares.second * base).hex == plain.clientSecretShare2)
    let secret = try ClientSecret(
      joining: ClientSecretShare(hex: plain.clientSecretShare1), ClientSecretShare(hex: plain.clientSecretShare2))
    #expect(try secret.point.hex == plain.clientSecret)
    try expectLogin(
      Login(
        base: base, master: master.sum, secret: secret, pin: vector.pin, token: plain.token, sec: plain.pass1.SEC,
        x: plain.pass1.x, u: plain.pass1.U, y: plain.pass2.y, v: plain.pass2.V, result: plain.server_result))
  }

  @Test(
    "all digits of a PIN count",
    .enabled(
      if: Vectors.all.cases.first?.dvs != nil, "the file has no case, of whose key pair the section six_digit_pin is"),
    arguments: Vectors.all.sixDigitPin)
  func sixDigits(_ vector: Vectors.SixDigits) throws {
    let world = try World(try #require(Vectors.all.cases.first))
    let shares = try world.master.clientSecretShares(for: world.identity)
    let token = { (pin: String) throws in
      try MPinToken(identity: world.identity, shares: shares, keys: world.keys, pin: UserPIN(pin))
    }
    #expect(try token(vector.pin).revealed == vector.token_full)
    #expect(try token(String(vector.pin.suffix(4))).revealed == vector.token_mod10000)
    let pass = try PassOne(identity: world.identity, token: token(vector.pin), pin: UserPIN(vector.pin))
    let challenge = try ServerChallenge.draw()
    #expect(
      try world.keyed.accepts(commitment: pass.commitment, proof: pass.answer(challenge), challenge: challenge)
        == (vector.server_accepts_full_pin_token == accepted))
  }

  @Test("the same arithmetic on another library's points", arguments: Vectors.all.miraclCore)
  func core(_ vector: Vectors.Core) throws {
    #expect(try G1Point(mapping: Digest.sha256(bytes(vector.id))).hex == vector.amcl_map_of_same_id)
    let (base, master) = (try point(vector.hid), try scalar(vector.ms))
    let secret = ClientSecret(try master * base)
    #expect(try secret.point.hex == vector.clientSecret)
    #expect(try Self.swapped((master * TwistPoint.generator()).hex) == vector.serverSecret)
    try expectLogin(
      Login(
        base: base, master: master, secret: secret, pin: String(vector.pin), token: vector.token, sec: vector.SEC,
        x: vector.x, u: vector.U, y: vector.y, v: vector.V, result: vector.server_result))
  }

  /// A point as that library writes it: 04, and of each coordinate the imaginary part first.
  private static func swapped(_ hex: String) -> String {
    let parts = stride(from: 0, to: 256, by: 64).map { hex.dropFirst($0).prefix(64) }
    return "04" + parts[1] + parts[0] + parts[3] + parts[2]
  }

  private func expectMap(of input: [UInt8], sha256: String, increments: Int, point: String) throws {
    let digest = try Digest.sha256(input)
    #expect(Hexadecimal.text(of: digest) == sha256)
    let mapped = try G1Point(mapping: digest)
    #expect(mapped.hex == point)
    let start = try PlainNumber.fieldPrime.reduce(PlainNumber(bytes(sha256)))
    let expected = PlainNumber.fieldPrime.sum(start, PlainNumber(UInt32(increments)))
    #expect(PlainNumber(Array(mapped.bytes[1..<33])) == expected)
  }

  /// A login on a point that is given, with the server's check as M-Pin without a key pair has it.
  private struct Login {
    let base: CurvePoint
    let master: Scalar
    let secret: ClientSecret
    let pin, token, sec, x, u, y, v: String
    let result: Int
  }

  private func expectLogin(_ login: Login) throws {
    let pin = try UserPIN(login.pin)
    let token = try login.secret.token(pin: pin, base: login.base)
    #expect(token.revealed == login.token)
    #expect(try ClientSecret(token, pin: pin, base: login.base).point.hex == login.sec)
    let pass = try PassOne(
      base: G1Point(login.base, "base"), token: token, pin: pin, randomness: .giving(hex: login.x))
    #expect(pass.commitment.hex == login.u)
    let challenge = try ServerChallenge(hex: login.y)
    let proof = try pass.answer(challenge)
    #expect(proof.hex == login.v)
    let expected = try login.master * (point(login.u) + challenge.scalar * login.base)
    #expect(try (expected.negated().hex == proof.hex) == (login.result == accepted))
  }
}

/// A registered client and its server.
struct World {
  let master: MasterSecret
  let keys: DVSKeyPair
  let identity: MPinIdentity
  let keyed: KeyedVerifier

  init(master: MasterSecret, keys: DVSKeyPair, mpinId: [UInt8]) throws(MPinError) {
    (self.master, self.keys) = (master, keys)
    identity = try MPinIdentity(mpinId: mpinId, publicKey: keys.publicKey)
    keyed = try KeyedVerifier(secret: master, identity: identity, keys: keys)
  }

  /// Of a case with a key pair.
  init(_ vector: Vectors.Case) throws {
    let dvs = try #require(vector.dvs)
    try self.init(
      master: MasterSecret(scalar(vector.ms1), scalar(vector.ms2)),
      keys: DVSKeyPair(randomness: .giving(hex: dvs.z)), mpinId: bytes(vector.mpinId))
  }

  /// One of its own.
  static func new(_ name: String = "somebody") throws(MPinError) -> World {
    try World(master: MasterSecret(), keys: DVSKeyPair(), mpinId: Array(name.utf8))
  }

  func token(_ pin: String) throws(MPinError) -> MPinToken {
    try MPinToken(
      identity: identity, shares: master.clientSecretShares(for: identity), keys: keys, pin: UserPIN(pin))
  }
}
