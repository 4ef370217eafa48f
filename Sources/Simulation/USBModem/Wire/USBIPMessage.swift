/// A message of the USB/IP protocol, as the kernel's virtual host controller sends and takes it
/// (Linux Documentation/usb/usbip_protocol.rst). Numbers in headers are big-endian.
package enum USBIPMessage: Hashable, Sendable {
  /// A transfer that the host wants done (USBIP_CMD_SUBMIT).
  package struct Submission: Hashable, Sendable {
    package let number: UInt32
    /// 0 to 15.
    package let endpoint: UInt8
    package let isIn: Bool
    /// Most bytes that an IN transfer may bring.
    package let length: Int
    /// Of a control transfer.
    package let setup: [UInt8]
    /// Of an OUT transfer.
    package let data: [UInt8]
  }

  case submit(Submission)
  /// The host no longer wants the transfer `target` (USBIP_CMD_UNLINK).
  case unlink(number: UInt32, target: UInt32)

  static let headerBytes = 48

  /// Reads the first message of a stream.
  ///
  /// - Returns: the message and how many bytes it has; nil when more must come first.
  /// - Throws: `USBModemError` for a command that no host controller sends.
  package static func read(_ bytes: ArraySlice<UInt8>) throws(USBModemError) -> (message: USBIPMessage, count: Int)? {
    guard bytes.count >= headerBytes else { return nil }
    let head = Array(bytes.prefix(headerBytes))
    func word(_ offset: Int) -> UInt32 { head[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) } }
    switch word(0) {
    case 1:
      let isIn = word(12) == 1
      let length = Int(word(24))
      let dataCount = isIn ? 0 : length
      guard bytes.count >= headerBytes + dataCount else { return nil }
      let data = bytes.dropFirst(headerBytes).prefix(dataCount)
      return (
        .submit(
          Submission(
            number: word(4), endpoint: UInt8(truncatingIfNeeded: word(16)), isIn: isIn, length: length,
            setup: Array(head[40..<48]), data: Array(data))), headerBytes + dataCount
      )
    case 2: return (.unlink(number: word(4), target: word(20)), headerBytes)
    default: throw USBModemError(.protocolViolation, "the host controller sent command \(word(0)), 1 or 2 was expected")
    }
  }

  /// The end of a transfer (USBIP_RET_SUBMIT).
  ///
  /// - Parameters:
  ///   - status: 0, or a negated errno as -32 for a stall.
  ///   - count: how many bytes of an OUT transfer were taken; that of `data` for an IN transfer.
  static func finished(_ number: UInt32, status: Int32 = 0, data: [UInt8] = [], count: Int? = nil) -> [UInt8] {
    var bytes = BigEndianBytes()
    for word in [3, number, 0, 0, 0, UInt32(bitPattern: status), UInt32(count ?? data.count)] { bytes.append(word) }
    return bytes.padded(to: headerBytes) + data
  }

  /// What became of an unlinked transfer (USBIP_RET_UNLINK): -104 when it was taken back, 0 when it
  /// was over already.
  static func unlinked(_ number: UInt32, wasPending: Bool) -> [UInt8] {
    var bytes = BigEndianBytes()
    for word in [4, number, 0, 0, 0, UInt32(bitPattern: wasPending ? -104 : 0)] { bytes.append(word) }
    return bytes.padded(to: headerBytes)
  }
}

private struct BigEndianBytes {
  private var bytes: [UInt8] = []

  mutating func append(_ word: UInt32) {
    bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
  }

  func padded(to count: Int) -> [UInt8] { bytes + [UInt8](repeating: 0, count: count - bytes.count) }
}
