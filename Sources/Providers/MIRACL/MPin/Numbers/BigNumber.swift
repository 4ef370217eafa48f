internal import CCrypto

/// A number of libcrypto's, marked for constant-time arithmetic and wiped at its end. Never changed
/// once it was passed on.
package final class BigNumber {
  let pointer: OpaquePointer

  /// Zero, with room for 256 bits.
  init() throws(MPinError) {
    guard let pointer = BN_new() else { throw .library("a number") }
    self.pointer = pointer
    // Room first: `BN_consttime_swap` touches all words, including those above the number's size.
    try check(BN_set_bit(pointer, 255), "a number")
    BN_zero_ex(pointer)
    BN_set_flags(pointer, BN_FLG_CONSTTIME)
  }

  deinit { BN_clear_free(pointer) }

  convenience init(_ bytes: SecretBytes) throws(MPinError) {
    try self.init()
    let pointer = pointer
    try bytes.withBytes { buffer throws(MPinError) in
      guard BN_bin2bn(buffer.baseAddress, Int32(buffer.count), pointer) != nil else { throw .library("a number") }
    }
  }

  /// A constant: hexadecimal digits in the source, or public bytes.
  package convenience init(public bytes: [UInt8]) throws(MPinError) {
    try self.init()
    guard BN_bin2bn(bytes, Int32(bytes.count), pointer) != nil else { throw .library("a number") }
  }

  /// 32 bytes, the highest first.
  /// - Throws: `library` also for a number of more than 256 bits.
  func bytes() throws(MPinError) -> SecretBytes {
    let pointer = pointer
    return try SecretBytes(count: 32) { buffer throws(MPinError) in
      guard BN_bn2binpad(pointer, buffer.baseAddress, 32) == 32 else { throw .library("a number of 32 bytes") }
    }
  }

  var isZero: Bool { BN_is_zero(pointer) == 1 }
  var isOdd: Bool { BN_is_odd(pointer) == 1 }

  package static func == (left: BigNumber, right: BigNumber) -> Bool { BN_cmp(left.pointer, right.pointer) == 0 }
  package static func < (left: BigNumber, right: BigNumber) -> Bool { BN_cmp(left.pointer, right.pointer) < 0 }
}

/// libcrypto's storage for intermediate numbers, which it wipes; for one thread.
final class Workspace {
  let pointer: OpaquePointer

  init() throws(MPinError) {
    guard let pointer = BN_CTX_new() else { throw .library("a workspace") }
    self.pointer = pointer
  }

  deinit { BN_CTX_free(pointer) }
}

/// Checks what a libcrypto function returned, whether it failed or not.
///
/// - Parameters:
///   - what: the intended result, for the error.
///   - objects: objects whose pointers the function used and that nothing else keeps alive until it
///     ends. Swift may release an object once its pointer was read.
func check(_ status: Int32, _ what: String, keeping objects: AnyObject...) throws(MPinError) {
  extendLifetime(objects)
  guard status == 1 else { throw .library(what) }
}

extension MPinError {
  /// libcrypto's last failure on this thread.
  static func library(_ what: String) -> MPinError {
    let number = ERR_get_error()
    ERR_clear_error()
    let cause = number == 0 ? nil : ERR_reason_error_string(number).map { String(cString: $0) }
    return MPinError(.library, "libcrypto could not make \(what)", cause: cause)
  }
}
