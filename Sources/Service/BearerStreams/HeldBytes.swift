import ModemService
import Synchronization

/// What streams hold back for programs that read more slowly than the network sends. A stream reads
/// no more than fits its window, except at the other end's last byte: then the event loop reads all
/// that the kernel has.
final class HeldBytes: Sendable {
  /// For one user.
  static let limit = 16 << 20

  private let bytes = Mutex<[Caller: Int]>([:])

  /// - Returns: whether there is room. Without, nothing was taken.
  func take(_ count: Int, for caller: Caller) -> Bool {
    bytes.withLock { bytes in
      guard bytes[caller, default: 0] + count <= Self.limit else { return false }
      bytes[caller, default: 0] += count
      return true
    }
  }

  func free(_ count: Int, for caller: Caller) {
    guard count > 0 else { return }
    bytes.withLock { bytes in
      bytes[caller, default: count] -= count
      if bytes[caller] == 0 { bytes[caller] = nil }
    }
  }
}
