/// The authentication and key agreement functions of a subscriber's card and of its operator (3GPP
/// TS 35.206), for one subscriber.
///
/// ```swift
/// let milenage = Milenage(key: k, opc: opc)
/// let vector = milenage.vector(rand: rand, sequence: [0, 0, 0, 0, 0, 0x20])
/// ```
///
/// Each argument has a fixed number of bytes. Bytes that are missing count as zero, and those past
/// the end count as nothing.
package struct Milenage: Hashable, Sendable {
  /// Bytes of RAND, K, OPc, CK, IK and AUTN.
  package static let blockLength = 16
  /// Bytes of SQN and AK.
  package static let sequenceLength = 6
  /// Bytes of AUTS (3GPP TS 33.102, 6.3.3).
  package static let autsLength = 14
  /// The AMF in AUTS (3GPP TS 33.102, 6.3.3).
  private static let resynchronisationField: [UInt8] = [0, 0]

  /// K: 16 bytes.
  package let key: [UInt8]
  /// OPc: 16 bytes.
  package let opc: [UInt8]
  private let cipher: AES128

  /// - Parameters:
  ///   - key: K, 16 bytes.
  ///   - opc: OPc, 16 bytes.
  package init(key: [UInt8], opc: [UInt8]) {
    self.key = key.padded(to: Self.blockLength)
    self.opc = opc.padded(to: Self.blockLength)
    cipher = AES128(key: self.key)
  }

  /// - Parameters:
  ///   - key: K, 16 bytes.
  ///   - op: the operator's OP, 16 bytes, from which OPc follows (3GPP TS 35.206, 4.1).
  package init(key: [UInt8], op: [UInt8]) {
    let op = op.padded(to: Self.blockLength)
    self.init(key: key, opc: AES128(key: key.padded(to: Self.blockLength)).encrypt(op) ^ op)
  }

  // MARK: The functions (3GPP TS 35.206, 4.1)

  /// f1: MAC-A, 8 bytes, by which a card recognises its operator.
  ///
  /// - Parameters:
  ///   - rand: 16 bytes.
  ///   - sequence: SQN, 6 bytes.
  ///   - amf: 2 bytes.
  package func f1(rand: [UInt8], sequence: [UInt8], amf: [UInt8]) -> [UInt8] {
    Array(codes(rand, sequence, amf).prefix(8))
  }

  /// f1*: MAC-S, 8 bytes, by which the operator recognises its card. The parameters are those of
  /// `f1`.
  package func f1Star(rand: [UInt8], sequence: [UInt8], amf: [UInt8]) -> [UInt8] {
    Array(codes(rand, sequence, amf).suffix(8))
  }

  /// f2: RES, 8 bytes.
  package func f2(rand: [UInt8]) -> [UInt8] { Array(output(rand, turned: 0, constant: 1).suffix(8)) }

  /// f3: CK, 16 bytes.
  package func f3(rand: [UInt8]) -> [UInt8] { output(rand, turned: 4, constant: 2) }

  /// f4: IK, 16 bytes.
  package func f4(rand: [UInt8]) -> [UInt8] { output(rand, turned: 8, constant: 4) }

  /// f5: AK, 6 bytes, which hides SQN in AUTN.
  package func f5(rand: [UInt8]) -> [UInt8] {
    Array(output(rand, turned: 0, constant: 1).prefix(Self.sequenceLength))
  }

  /// f5*: AK, 6 bytes, which hides SQN in AUTS.
  package func f5Star(rand: [UInt8]) -> [UInt8] {
    Array(output(rand, turned: 12, constant: 8).prefix(Self.sequenceLength))
  }

  /// OUT1: MAC-A and MAC-S.
  private func codes(_ rand: [UInt8], _ sequence: [UInt8], _ amf: [UInt8]) -> [UInt8] {
    let half = sequence.padded(to: Self.sequenceLength) + amf.padded(to: 2)
    return cipher.encrypt(hidden(rand) ^ (half + half ^ opc).turned(by: 8)) ^ opc
  }

  /// OUT2 to OUT5.
  ///
  /// - Parameters:
  ///   - turned: r2 to r5, in bytes.
  ///   - constant: the last byte of c2 to c5, whose others are zero.
  private func output(_ rand: [UInt8], turned: Int, constant: UInt8) -> [UInt8] {
    var input = (hidden(rand) ^ opc).turned(by: turned)
    input[Self.blockLength - 1] ^= constant
    return cipher.encrypt(input) ^ opc
  }

  /// TEMP.
  private func hidden(_ rand: [UInt8]) -> [UInt8] { cipher.encrypt(rand.padded(to: Self.blockLength) ^ opc) }

  // MARK: AUTS (3GPP TS 33.102, 6.3.3)

  /// What a card sends when SQN is not one that it accepts: 14 bytes.
  ///
  /// - Parameters:
  ///   - rand: of the challenge, 16 bytes.
  ///   - sequence: the highest SQN that the card has accepted, 6 bytes.
  package func auts(rand: [UInt8], sequence: [UInt8]) -> [UInt8] {
    let sequence = sequence.padded(to: Self.sequenceLength)
    return (sequence ^ f5Star(rand: rand))
      + f1Star(rand: rand, sequence: sequence, amf: Self.resynchronisationField)
  }

  /// The card's SQN, 6 bytes, from what it sent; nil when AUTS is not from this subscriber's card
  /// and for this RAND.
  ///
  /// - Parameters:
  ///   - auts: 14 bytes.
  ///   - rand: of the challenge that the card answered, 16 bytes.
  package func resynchronisation(auts: [UInt8], rand: [UInt8]) -> [UInt8]? {
    guard auts.count == Self.autsLength else { return nil }
    let sequence = Array(auts.prefix(Self.sequenceLength)) ^ f5Star(rand: rand)
    return self.auts(rand: rand, sequence: sequence) == auts ? sequence : nil
  }
}
