import Glibc

/// Text whose bytes are wiped with its last copy. Copies share them.
///
/// Values made from it, such as the `String` from `revealed`, are not wiped: Swift's strings have
/// no storage of their own to wipe.
public struct WipedText: Hashable, Sendable {
  /// `@unchecked Sendable`: written only in `init`, before anybody else can see it.
  private final class Storage: @unchecked Sendable {
    let buffer: UnsafeMutableRawBufferPointer

    init(_ bytes: some Collection<UInt8>) {
      buffer = .allocate(byteCount: bytes.count, alignment: 1)
      buffer.copyBytes(from: bytes)
    }

    deinit {
      WipedText.wipe(buffer)
      buffer.deallocate()
    }
  }

  private let storage: Storage

  public init(_ text: String) { storage = Storage(text.utf8) }

  /// Bytes of UTF-8.
  public var count: Int { storage.buffer.count }

  /// A copy that is not wiped, for code that only takes a string and drops it soon.
  public var revealed: String { withBytes { String(decoding: $0, as: UTF8.self) } }

  /// Gives access to the bytes during the call.
  public func withBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
    // The buffer is read through a pointer, so its owner must live until then.
    try withExtendedLifetime(storage) { try body(UnsafeRawBufferPointer(storage.buffer)) }
  }

  /// Takes the same time wherever the first difference is.
  public static func == (left: WipedText, right: WipedText) -> Bool {
    guard left.count == right.count else { return false }
    return left.withBytes { one in
      right.withBytes { other in zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0 }
    }
  }

  public func hash(into hasher: inout Hasher) { withBytes { hasher.combine(bytes: $0) } }

  /// Writes zeros in a way that compilers do not optimise away.
  public static func wipe(_ buffer: UnsafeMutableRawBufferPointer) {
    guard let start = buffer.baseAddress else { return }
    explicit_bzero(start, buffer.count)
  }
}
