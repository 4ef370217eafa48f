internal import CCrypto

/// A fixed number of bytes that are wiped with their last copy. Copies share them.
package struct SecretBytes: Hashable, Sendable {
  // Only written in `init`, before it is shared.
  private final class Storage: @unchecked Sendable {
    let buffer: UnsafeMutableRawBufferPointer

    init(count: Int) {
      buffer = .allocate(byteCount: count, alignment: 8)
      buffer.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit {
      OPENSSL_cleanse(buffer.baseAddress, buffer.count)
      buffer.deallocate()
    }
  }

  private let storage: Storage

  package var count: Int { storage.buffer.count }

  /// Makes zeros and lets `fill` overwrite them.
  package init(count: Int, fill: (UnsafeMutableRawBufferPointer) throws(MPinError) -> Void) throws(MPinError) {
    storage = Storage(count: count)
    try fill(storage.buffer)
  }

  package init(_ bytes: some Collection<UInt8>) {
    storage = Storage(count: bytes.count)
    storage.buffer.copyBytes(from: bytes)
  }

  package func withBytes<Value>(
    _ body: (UnsafeRawBufferPointer) throws(MPinError) -> Value
  ) throws(MPinError) -> Value {
    let value = try body(UnsafeRawBufferPointer(storage.buffer))
    // The buffer is read through a pointer, so keep its owner until then.
    extendLifetime(storage)
    return value
  }

  package subscript(index: Int) -> UInt8 { storage.buffer[index] }

  /// A copy that is not wiped.
  package var revealed: [UInt8] { Array(storage.buffer) }

  /// Takes the same time wherever the first difference is.
  package static func == (left: SecretBytes, right: SecretBytes) -> Bool {
    left.count == right.count
      && CRYPTO_memcmp(left.storage.buffer.baseAddress, right.storage.buffer.baseAddress, left.count) == 0
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(bytes: UnsafeRawBufferPointer(storage.buffer)) }
}
