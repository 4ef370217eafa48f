extension Milenage {
  /// What the operator knows about one challenge (3GPP TS 33.102, 6.3.2).
  package struct Vector: Hashable, Sendable {
    /// The challenge: 16 bytes.
    package let rand: [UInt8]
    /// The operator's proof: 16 bytes, SQN xor AK, AMF, MAC-A.
    package let autn: [UInt8]
    /// The answer that the card is to give: 8 bytes.
    package let res: [UInt8]
    /// The key for encryption: 16 bytes.
    package let ck: [UInt8]
    /// The key for integrity: 16 bytes.
    package let ik: [UInt8]
    /// AK: 6 bytes.
    package let ak: [UInt8]
    /// The key of GSM: 8 bytes (3GPP TS 33.102, 6.8.1.2, c3).
    package var kc: [UInt8] {
      Array(ck.prefix(8)) ^ Array(ck.suffix(8)) ^ Array(ik.prefix(8)) ^ Array(ik.suffix(8))
    }
  }

  /// The SQN and AMF in an AUTN.
  package struct Opened: Hashable, Sendable {
    /// SQN: 6 bytes.
    package let sequence: [UInt8]
    /// AMF: 2 bytes.
    package let amf: [UInt8]
    /// Whether MAC-A is this subscriber's.
    package let isAuthentic: Bool
  }

  /// Makes a challenge for the card.
  ///
  /// - Parameters:
  ///   - rand: 16 bytes, each time others.
  ///   - sequence: SQN, 6 bytes.
  ///   - amf: 2 bytes. The default has the separation bit, which EAP-AKA' demands (3GPP TS 33.102,
  ///     annex H; RFC 9048, 3.1).
  package func vector(rand: [UInt8], sequence: [UInt8], amf: [UInt8] = [0x80, 0]) -> Vector {
    let (rand, sequence, amf) = (
      rand.padded(to: Self.blockLength), sequence.padded(to: Self.sequenceLength), amf.padded(to: 2)
    )
    let ak = f5(rand: rand)
    return Vector(
      rand: rand, autn: (sequence ^ ak) + amf + f1(rand: rand, sequence: sequence, amf: amf),
      res: f2(rand: rand), ck: f3(rand: rand), ik: f4(rand: rand), ak: ak)
  }

  /// Reads what an operator's proof says.
  ///
  /// - Parameters:
  ///   - autn: 16 bytes.
  ///   - rand: of the same challenge, 16 bytes.
  package func open(autn: [UInt8], rand: [UInt8]) -> Opened {
    let autn = autn.padded(to: Self.blockLength)
    let sequence = Array(autn[0..<6]) ^ f5(rand: rand)
    let amf = Array(autn[6..<8])
    let code = f1(rand: rand, sequence: sequence, amf: amf)
    return Opened(sequence: sequence, amf: amf, isAuthentic: code == Array(autn[8..<16]))
  }
}

extension Milenage.Vector {
  /// The keys bound to a network's name.
  ///
  /// - Parameter networkName: its octets, 65,535 at most.
  package func keys(boundTo networkName: [UInt8]) -> (ck: [UInt8], ik: [UInt8]) {
    Milenage.keys(ck: ck, ik: ik, autn: autn, boundTo: networkName)
  }
}

extension Milenage {
  /// Keys bound to a network's name, which EAP-AKA' uses (3GPP TS 33.402, annex A.2; RFC 9048,
  /// 3.3): CK' and IK', 16 bytes each.
  ///
  /// - Parameters:
  ///   - ck: 16 bytes.
  ///   - ik: 16 bytes.
  ///   - autn: of the challenge, 16 bytes.
  ///   - networkName: its octets, 65,535 at most.
  package static func keys(
    ck: [UInt8], ik: [UInt8], autn: [UInt8], boundTo networkName: [UInt8]
  ) -> (ck: [UInt8], ik: [UInt8]) {
    let length = UInt16(clamping: networkName.count)
    let parameters =
      [0x20] + networkName + [UInt8(length >> 8), UInt8(truncatingIfNeeded: length)] + autn.prefix(6) + [0, 6]
    let keys = HMACSHA256.code(of: parameters, key: ck + ik)
    return (Array(keys.prefix(16)), Array(keys.suffix(16)))
  }
}
