import NIOCore

/// Cuts a stream of bytes into NUL-terminated frames.
struct FrameSplitter {
  /// A frame that grew past the limit.
  struct TooLong: Error {
    let limit: Int
  }

  private var buffer = ByteBuffer()
  /// How far the bytes are known to hold no NUL.
  private var searched = 0
  let limit: Int

  init(limit: Int) { self.limit = limit }

  var waitingBytes: Int { buffer.readableBytes }

  mutating func append(_ bytes: inout ByteBuffer) {
    if buffer.readableBytes == 0 {
      buffer = bytes
      searched = 0
    } else {
      buffer.writeBuffer(&bytes)
    }
  }

  /// The next whole frame without its NUL; nil when more bytes are needed.
  mutating func next() throws -> [UInt8]? {
    let view = buffer.readableBytesView
    guard let end = view[(view.startIndex + searched)...].firstIndex(of: 0) else {
      searched = view.count
      // Here and not for each frame: what is left is moved to the front.
      buffer.discardReadBytes()
      guard searched <= limit else { throw TooLong(limit: limit) }
      return nil
    }
    let length = end - view.startIndex
    guard length <= limit else { throw TooLong(limit: limit) }
    let frame = buffer.readBytes(length: length)
    buffer.moveReaderIndex(forwardBy: 1)
    searched = 0
    return frame
  }
}
