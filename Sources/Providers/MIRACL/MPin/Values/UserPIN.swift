public import ModemModel

/// The PIN that a person chose for an identity: decimal digits, all of which count.
///
/// M-Pin uses it as a number: `0007` and `7` are the same. Code that asks for a PIN must therefore
/// check its length.
public struct UserPIN: PersonalData {
  /// MIRACL Trust uses 4 to 6.
  public static let lengths = 1...64

  private let digits: SecretBytes

  /// - Parameter digits: 1 to 64 decimal digits of ASCII.
  /// - Throws: `badPIN`.
  public init(_ digits: String) throws(MPinError) {
    guard Self.lengths.contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw MPinError(.badPIN, "the PIN is not of 1 to 64 decimal digits")
    }
    self.digits = SecretBytes(Array(digits.utf8))
  }

  /// How many digits it has.
  public var length: Int { digits.count }

  public var revealed: String { String(decoding: digits.revealed, as: UTF8.self) }

  /// The number plus one, so that PIN 0000 is a multiple like any other and takes the same time.
  func successor() throws(MPinError) -> Scalar {
    // Each digit runs through all 32 bytes, whatever its value.
    let digits = digits
    let number = try SecretBytes(count: Scalar.byteCount) { buffer throws(MPinError) in
      for index in 0..<digits.count { buffer.multiplyByTen(adding: digits[index] - 0x30) }
      buffer.multiply(by: 1, adding: 1)
    }
    return try Scalar(number, "PIN")
  }
}

extension UnsafeMutableRawBufferPointer {
  fileprivate func multiplyByTen(adding digit: UInt8) { multiply(by: 10, adding: UInt16(digit)) }

  fileprivate func multiply(by factor: UInt16, adding summand: UInt16) {
    var carry = summand
    for index in indices.reversed() {
      carry += UInt16(self[index]) * factor
      self[index] = UInt8(truncatingIfNeeded: carry)
      carry >>= 8
    }
  }
}
