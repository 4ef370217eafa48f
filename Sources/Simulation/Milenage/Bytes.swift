extension [UInt8] {
  /// The first `count` bytes, with zeros behind them where there are fewer.
  func padded(to count: Int) -> [UInt8] {
    self.count == count
      ? self : Array(prefix(count)) + [UInt8](repeating: 0, count: Swift.max(count - self.count, 0))
  }

  /// The bytes turned towards the front: `rot` of 3GPP TS 35.206, 4.1, in bytes.
  func turned(by count: Int) -> [UInt8] { Array(dropFirst(count) + prefix(count)) }

  static func ^ (one: [UInt8], other: [UInt8]) -> [UInt8] { zip(one, other).map { $0 ^ $1 } }
}
