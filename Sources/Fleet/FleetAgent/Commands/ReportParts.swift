import CZlib
import FoundationEssentials

/// A report that is compressed and cut into texts, each for one message.
struct ReportParts: Sendable {
  /// Base64, to be put together in order: gzip (RFC 1952).
  let texts: [String]

  /// Bytes of a text; a multiple of 4, so that each can be read alone.
  static let partBytes = 12 << 10
  /// Messages of one report.
  static let mostParts = 24

  /// - Throws: `MachineFailure` if it is too large.
  init(_ report: [UInt8]) throws(MachineFailure) {
    guard let packed = Self.gzip(report) else { throw .failed("the report cannot be compressed") }
    let text = Array(Data(packed).base64EncodedString().utf8)
    guard text.count <= Self.partBytes * Self.mostParts else {
      throw MachineFailure("org.modemd.Fleet.ReplyTooLarge", "the report has too many bytes for this way")
    }
    texts = stride(from: 0, to: text.count, by: Self.partBytes).map { start in
      String(decoding: text[start..<min(start + Self.partBytes, text.count)], as: UTF8.self)
    }
  }

  private static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
    // zlib keeps the address of its stream.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    let begun = deflateInit2_(
      stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard begun == Z_OK else { return nil }
    defer { deflateEnd(stream) }
    var source = bytes
    var result = [UInt8](repeating: 0, count: Int(deflateBound(stream, UInt(bytes.count))) + 32)
    let status = source.withUnsafeMutableBufferPointer { input in
      result.withUnsafeMutableBufferPointer { output in
        stream.pointee.next_in = input.baseAddress
        stream.pointee.avail_in = UInt32(clamping: input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(clamping: output.count)
        return deflate(stream, Z_FINISH)
      }
    }
    guard status == Z_STREAM_END else { return nil }
    return Array(result.prefix(Int(stream.pointee.total_out)))
  }
}
