import Milenage

/// What a card says to a challenge (3GPP TS 31.102, 7.1.2.1).
enum ChallengeAnswer: Hashable, Sendable {
  /// - Parameters:
  ///   - length: the length that RES is said to have.
  ///   - kc: empty for a card that gives none.
  case response(res: [UInt8], length: UInt8, ck: [UInt8], ik: [UInt8], kc: [UInt8])
  /// AUTS; empty where it is left out.
  case synchronisation([UInt8])
  case refused(SIMFile.StatusWords)

  /// The answer to the command AUTHENTICATE.
  var data: [UInt8] {
    switch self {
    case .response(let res, let length, let ck, let ik, let kc):
      [0xdb, length] + res + [UInt8(ck.count)] + ck + [UInt8(ik.count)] + ik
        + (kc.isEmpty ? [] : [UInt8(kc.count)] + kc)
    case .synchronisation(let auts): [0xdc, UInt8(auts.count)] + auts
    case .refused: []
    }
  }

  var words: SIMFile.StatusWords {
    if case .refused(let words) = self { words } else { .done }
  }
}

extension SIMFile.StatusWords {
  /// The operator's proof is wrong (3GPP TS 31.102, 7.3.1).
  static let wrongMAC = Self(0x9862)
  static let technicalProblem = Self(0x6f00)

  init(_ words: UInt16) { self.init(sw1: UInt8(words >> 8), sw2: UInt8(truncatingIfNeeded: words)) }
}

extension SIMCard {
  /// Answers a challenge of RAND and AUTN, 16 bytes each.
  mutating func authenticate(
    rand: [UInt8], autn: [UInt8], as how: SimulatedAuthentication
  ) -> ChallengeAnswer {
    if let words = how.statusWords { return .refused(SIMFile.StatusWords(words)) }
    guard sim.condition != .broken else { return .refused(.technicalProblem) }
    guard lock == .open else { return .refused(.securityNotSatisfied) }
    let milenage = milenage(how.card)
    let opened = milenage.open(autn: autn, rand: rand)
    guard opened.isAuthentic else { return .refused(.wrongMAC) }
    guard how.card != .neverInStep, sequences.accept(opened.sequence) else {
      return .synchronisation(how.leavesOutAUTS ? [] : milenage.auts(rand: rand, sequence: sequences.highest))
    }
    let vector = milenage.vector(rand: rand, sequence: opened.sequence, amf: opened.amf)
    let res = Self.response(vector.res, sim.responseLength, claimed: how.claimedLength)
    return .response(
      res: res.bytes, length: res.length, ck: vector.ck, ik: vector.ik, kc: how.givesKc ? vector.kc : [])
  }

  /// The card's functions, with a bit of K changed for a wrong key.
  private func milenage(_ card: SimulatedAuthentication.Card) -> Milenage {
    var key = sim.key
    if card == .wrongKey, !key.isEmpty { key[key.count - 1] ^= 1 }
    return Milenage(key: key, opc: sim.opc)
  }

  /// RES and the length that it is said to have. A claim of up to 32 has as many bytes behind it,
  /// so that nothing but the length is wrong with it.
  private static func response(
    _ res: [UInt8], _ length: Int, claimed: Int?
  ) -> (bytes: [UInt8], length: UInt8) {
    let right = Array(res.prefix(length))
    guard let claimed else { return (right, UInt8(right.count)) }
    let bytes = claimed <= 32 ? (0..<max(claimed, 0)).map { right.isEmpty ? 0 : right[$0 % right.count] } : right
    return (bytes, UInt8(clamping: claimed))
  }
}
