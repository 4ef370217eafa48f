internal import CCrypto

/// Bytes of a fixed number that are wiped when nobody holds them any more. Copies share them.
package struct SecretBytes: Hashable, Sendable {
  // Written only in `init`, before anybody else can see it.
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

  /// Makes zeros and lets `fill` write over them.
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
    // The buffer is read through a pointer: keep its owner until then.
    extendLifetime(storage)
    return value
  }

  package subscript(index: Int) -> UInt8 { storage.buffer[index] }

  /// A copy that is not wiped.
  package var revealed: [UInt8] { Array(storage.buffer) }

  /// Takes as long wherever the first difference is.
  package static func == (left: SecretBytes, right: SecretBytes) -> Bool {
    left.count == right.count
      && CRYPTO_memcmp(left.storage.buffer.baseAddress, right.storage.buffer.baseAddress, left.count) == 0
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(bytes: UnsafeRawBufferPointer(storage.buffer)) }
}
