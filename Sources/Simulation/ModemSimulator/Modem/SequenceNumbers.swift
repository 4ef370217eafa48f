/// The SQNs that a card accepts: the array of 3GPP TS 33.102, C.2.1, with the values of profile 2
/// (C.3.2), as most cards have it.
struct SequenceNumbers: Hashable, Sendable {
  /// The low bits of an SQN choose the place in the array.
  private static let indexBits = 5
  /// By how much SEQ may jump.
  private static let maximalJump: Int64 = 1 << 28
  private static let maximalSEQ: Int64 = (1 << 43) - 1

  /// SEQ of the latest accepted SQN at each place; -1 for none.
  private var latest: [Int64]

  /// - Parameter sequence: SQN, 6 bytes. It and all below it count as used.
  init(upTo sequence: [UInt8]) {
    let (seq, index) = Self.parts(sequence)
    latest = (0..<(1 << Self.indexBits)).map { $0 <= index ? seq : seq - 1 }
  }

  /// The highest accepted SQN, 6 bytes: SQN_MS.
  var highest: [UInt8] {
    let index = latest.indices.max { (latest[$0], $0) < (latest[$1], $1) } ?? 0
    let number = UInt64(max(latest[index], 0)) << UInt64(Self.indexBits) | UInt64(index)
    return (0..<6).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  /// Accepts an SQN of 6 bytes that is newer than the last at its place, and no more than the
  /// maximal jump beyond all.
  mutating func accept(_ sequence: [UInt8]) -> Bool {
    let (seq, index) = Self.parts(sequence)
    guard seq > latest[index], seq - (latest.max() ?? 0) <= Self.maximalJump else { return false }
    latest[index] = seq
    return true
  }

  /// Takes a million challenges at each place for accepted.
  mutating func moveAhead() { latest = latest.map { min($0 + 1_000_000, Self.maximalSEQ) } }

  private static func parts(_ sequence: [UInt8]) -> (seq: Int64, index: Int) {
    let number = sequence.reduce(0) { $0 << 8 | Int64($1) } & ((1 << 48) - 1)
    return (number >> Int64(indexBits), Int(number & ((1 << Int64(indexBits)) - 1)))
  }
}
