import CZlib

/// The compression of a body (RFC 9110, 8.4): gzip and deflate, one layer, decompressed up to a
/// limit.
package enum ContentCoding {
  /// The codings offered to a server.
  package static let accepted = "gzip, deflate"

  /// Why a body cannot be read.
  package enum Failure: Error, Hashable {
    /// A coding that was not offered, or more than one coding.
    case unknown
    /// The bytes are not valid for the coding, or they end too early.
    case damaged
    /// The decompressed body exceeds the limit.
    case tooLarge
  }

  /// Decompresses a body as the Content-Encoding fields state.
  ///
  /// - Parameters:
  ///   - fields: the values of all fields of that name.
  ///   - limit: largest number of decompressed bytes; decompression stops there.
  package static func decoded(_ body: [UInt8], _ fields: [String], limit: Int) throws(Failure) -> [UInt8] {
    let codings = fields.flatMap { $0.split(separator: ",") }.map { $0.filter { !$0.isWhitespace }.lowercased() }
      .filter { !$0.isEmpty && $0 != "identity" }
    guard let coding = codings.first, !body.isEmpty else { return body }
    guard codings.count == 1 else { throw .unknown }
    switch coding {
    case "gzip", "x-gzip": return try members(body, limit)
    // Some servers send the format of RFC 1951 without the two-byte header of RFC 1950.
    case "deflate": return try inflated(body[...], hasZlibHead(body) ? MAX_WBITS : -MAX_WBITS, limit).bytes
    default: throw .unknown
    }
  }

  private static func hasZlibHead(_ body: [UInt8]) -> Bool {
    body.count >= 2 && body[0] & 0xf == 8 && (Int(body[0]) << 8 | Int(body[1])) % 31 == 0
  }

  /// One gzip member after the other (RFC 1952, 2.2). Trailing bytes that are not a member are
  /// ignored, as is usual.
  private static func members(_ body: [UInt8], _ limit: Int) throws(Failure) -> [UInt8] {
    var result: [UInt8] = []
    var rest = body[...]
    repeat {
      let member = try inflated(rest, MAX_WBITS + 16, limit - result.count)
      result += member.bytes
      rest = rest.dropFirst(member.used)
    } while rest.starts(with: [0x1f, 0x8b])
    return result
  }

  private static func inflated(
    _ input: ArraySlice<UInt8>, _ windowBits: Int32, _ limit: Int
  ) throws(Failure) -> (bytes: [UInt8], used: Int) {
    // zlib keeps the address of its stream.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    guard inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw .damaged
    }
    defer { inflateEnd(stream) }
    var source = Array(input)
    var result: [UInt8] = []
    var status = Z_OK
    source.withUnsafeMutableBufferPointer { input in
      stream.pointee.next_in = input.baseAddress
      stream.pointee.avail_in = UInt32(input.count)
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16_384) { chunk in
        while status == Z_OK, result.count <= limit {
          stream.pointee.next_out = chunk.baseAddress
          stream.pointee.avail_out = UInt32(chunk.count)
          status = inflate(stream, Z_NO_FLUSH)
          result += chunk[..<(chunk.count - Int(stream.pointee.avail_out))]
        }
      }
    }
    guard result.count <= limit else { throw .tooLarge }
    guard status == Z_STREAM_END else { throw .damaged }
    return (result, input.count - Int(stream.pointee.avail_in))
  }
}
