import CCrypto
import Glibc
import NIOSSL
import Testing

@testable import MPin

/// OpenSSL's libcrypto beside BoringSSL, which swift-nio-ssl brings: the same names, one process.
@Suite("libcrypto beside BoringSSL", .timeLimit(.minutes(1)))
struct LinkTests {
  @Test("the functions that M-Pin calls are libcrypto's")
  func origin() throws {
    let read: @convention(c) (UnsafePointer<UInt8>?, Int32, OpaquePointer?) -> OpaquePointer? = BN_bin2bn
    let multiply:
      @convention(c) (
        OpaquePointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?
      ) -> Int32 = EC_POINT_mul
    let hash:
      @convention(c) (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?) -> UnsafeMutablePointer<UInt8>? =
        SHA256
    for function in [
      unsafeBitCast(read, to: UInt.self), unsafeBitCast(multiply, to: UInt.self), unsafeBitCast(hash, to: UInt.self),
    ] {
      let path = try #require(file(mappedAt: function))
      #expect(path.contains("/libcrypto.so"))
    }
  }

  /// The file whose mapping an address of this process is in.
  private func file(mappedAt address: UInt) -> String? {
    guard let maps = fopen("/proc/self/maps", "re") else { return nil }
    defer { fclose(maps) }
    var buffer = [CChar](repeating: 0, count: 4096)
    while fgets(&buffer, Int32(buffer.count), maps) != nil {
      let line = String(decoding: buffer.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      let bounds = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
      guard bounds.count == 2, (bounds[0]..<bounds[1]).contains(address) else { continue }
      return line.split(separator: " ").last.map(String.init)
    }
    return nil
  }

  @Test("both work, by turns")
  func byTurns() throws {
    for _ in 0..<3 {
      let world = try World.new()
      let context = try NIOSSLContext(configuration: .makeClientConfiguration())
      let token = try world.token("1234")
      #expect(throws: Never.self) { try NIOSSLClientHandler(context: context, serverHostname: "example.com") }
      // Failures of one leave the other's alone.
      #expect(throws: (any Error).self) { try NIOSSLCertificate(bytes: [1, 2, 3], format: .der) }
      #expect(throws: MPinError.self) { try G1Point([4] + Array(repeating: 9, count: 64)) }
      #expect(try MPinToken(hex: token.revealed) == token)
    }
  }

  @Test("libcrypto's list of errors is empty after points were refused")
  func errorList() {
    for _ in 0..<3 { #expect(throws: MPinError.self) { try G1Point([4] + Array(repeating: 9, count: 64)) } }
    #expect(ERR_peek_error() == 0)
  }
}
