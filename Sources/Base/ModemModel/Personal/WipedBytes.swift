/// Secret bytes, such as a key, that are wiped with their last copy. Copies share them. It prints
/// how many there are, and nothing else.
///
/// Arrays made from it, such as the one from `revealed`, are not wiped: use `withBytes` where the
/// code that takes them allows it.
public struct WipedBytes: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// `@unchecked Sendable`: written only in `init`, before anybody else can see it.
  private final class Storage: @unchecked Sendable {
    let buffer: UnsafeMutableRawBufferPointer

    init(count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
      buffer = .allocate(byteCount: count, alignment: 1)
      buffer.initializeMemory(as: UInt8.self, repeating: 0)
      // On a throw, `deinit` frees the buffer: the object is whole by then.
      try fill(buffer)
    }

    deinit {
      WipedText.wipe(buffer)
      buffer.deallocate()
    }
  }

  private let storage: Storage

  public init(_ bytes: some Collection<UInt8>) {
    storage = Storage(count: bytes.count) { $0.copyBytes(from: bytes) }
  }

  /// Makes bytes in place, so that no other copy of them exists.
  ///
  /// - Parameters:
  ///   - count: how many, zero or more.
  ///   - fill: writes them; they are zero before.
  public init(count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
    storage = try Storage(count: count, fill)
  }

  public var count: Int { storage.buffer.count }

  /// A copy that is not wiped, for code that only takes an array and drops it soon.
  public var revealed: [UInt8] { withBytes { Array($0) } }

  /// Gives access to the bytes during the call.
  public func withBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
    // The buffer is read through a pointer, so its owner must live until then.
    try withExtendedLifetime(storage) { try body(UnsafeRawBufferPointer(storage.buffer)) }
  }

  /// Takes the same time wherever the first difference is.
  public static func == (left: WipedBytes, right: WipedBytes) -> Bool {
    guard left.count == right.count else { return false }
    return left.withBytes { one in
      right.withBytes { other in zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0 }
    }
  }

  public func hash(into hasher: inout Hasher) { withBytes { hasher.combine(bytes: $0) } }

  public var description: String { "(\(count) secret bytes)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
