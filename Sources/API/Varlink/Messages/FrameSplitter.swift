import Glibc
import NIOCore

/// Splits a stream of bytes into NUL-terminated frames.
struct FrameSplitter {
  /// A frame that exceeded the limit.
  struct TooLong: Error {
    let limit: Int
  }

  private var buffer = ByteBuffer()
  /// Whether the buffer was made here. Otherwise, it is the channel's, which has room for far more
  /// than waits in it.
  private var isOwn = false
  /// How many bytes are known to contain no NUL.
  private var searched = 0
  let limit: Int

  init(limit: Int) { self.limit = limit }

  var waitingBytes: Int { buffer.readableBytes }
  /// The memory that they take.
  var heldBytes: Int { buffer.readableBytes == 0 ? 0 : buffer.capacity }
  /// The beginning of an incomplete frame.
  var unfinished: ByteBufferView { buffer.readableBytesView }

  mutating func append(_ bytes: inout ByteBuffer) {
    if buffer.readableBytes == 0 {
      buffer = bytes
      isOwn = false
      searched = 0
    } else {
      buffer.writeBuffer(&bytes)
    }
  }

  /// All bytes that are left; none are afterwards.
  mutating func takeRest() -> ByteBuffer {
    defer {
      buffer = ByteBuffer()
      isOwn = false
      searched = 0
    }
    return buffer
  }

  /// The next complete frame without its NUL; nil if more bytes are needed.
  mutating func next() throws -> [UInt8]? {
    guard let length = nextNUL() else {
      searched = buffer.readableBytes
      // Here and not for each frame, because the rest is moved to the front.
      keepRest()
      guard searched <= limit else { throw TooLong(limit: limit) }
      return nil
    }
    guard length <= limit else { throw TooLong(limit: limit) }
    let frame = buffer.readBytes(length: length)
    buffer.moveReaderIndex(forwardBy: 1)
    searched = 0
    return frame
  }

  /// The position of the next NUL. The C library searches for it, because every byte that a caller
  /// sends passes here.
  private func nextNUL() -> Int? {
    buffer.withUnsafeReadableBytes { bytes in
      guard let base = bytes.baseAddress, searched < bytes.count else { return nil }
      return memchr(base + searched, 0, bytes.count - searched).map { UnsafeRawPointer($0) - base }
    }
  }

  private mutating func keepRest() {
    if isOwn, buffer.readableBytes > 0 {
      buffer.discardReadBytes()
    } else {
      buffer = buffer.readableBytes == 0 ? ByteBuffer() : ByteBuffer(bytes: buffer.readableBytesView)
      isOwn = true
    }
  }
}
