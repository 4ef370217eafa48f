import Glibc

/// The source of random bytes: the system, or a test's own.
public struct RandomSource: Sendable {
  private let write: @Sendable (UnsafeMutableRawBufferPointer) throws(MPinError) -> Void

  /// A source of a test's own.
  /// - Parameter fill: overwrites the whole buffer.
  public init(_ fill: @escaping @Sendable (UnsafeMutableRawBufferPointer) throws(MPinError) -> Void) { write = fill }

  /// The kernel's generator (getentropy(3)), which waits until it has been seeded.
  public static let system = RandomSource { buffer throws(MPinError) in
    // It returns at most 256 bytes at once.
    for start in stride(from: 0, to: buffer.count, by: 256) {
      let count = min(256, buffer.count - start)
      guard getentropy(buffer.baseAddress.map { $0 + start }, count) == 0 else {
        throw MPinError(.randomness, "the system gave no random bytes", cause: String(cString: strerror(errno)))
      }
    }
  }

  func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(MPinError) { try write(buffer) }
}
