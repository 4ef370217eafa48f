import Synchronization

@testable import MPin

extension RandomSource {
  /// Gives these bytes, one string for each draw, and then fails.
  static func giving(_ strings: [UInt8]...) -> RandomSource {
    let queue = GivenBytes(strings)
    return RandomSource { buffer throws(MPinError) in
      guard let bytes = queue.next(), bytes.count == buffer.count else {
        throw MPinError(.randomness, "the test has no bytes left")
      }
      buffer.copyBytes(from: bytes)
    }
  }

  /// Gives the bytes of hexadecimal digits.
  static func giving(hex: String) throws(MPinError) -> RandomSource { giving(try bytes(hex)) }
}

private final class GivenBytes: Sendable {
  private let strings: Mutex<[[UInt8]]>

  init(_ strings: [[UInt8]]) { self.strings = Mutex(strings) }

  func next() -> [UInt8]? { strings.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}
