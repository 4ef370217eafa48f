import CLinux

/// One netlink message: its header's fields and its payload (linux/netlink.h, struct nlmsghdr).
package struct NetlinkMessage: Hashable, Sendable {
  package static let headerSize = 16

  /// RTM_* or NLMSG_*.
  package var type: UInt16
  /// NLM_F_*.
  package var flags: UInt16
  package var sequence: UInt32
  /// The port of the requesting socket, which the kernel repeats in its answers.
  package var port: UInt32
  /// All bytes after the header, without trailing padding.
  package var payload: [UInt8]

  package init(type: UInt16, flags: UInt16, sequence: UInt32 = 0, port: UInt32 = 0, payload: [UInt8] = []) {
    self.type = type
    self.flags = flags
    self.sequence = sequence
    self.port = port
    self.payload = payload
  }

  /// The message in the form that goes to the kernel.
  package var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.append(UInt32(Self.headerSize + payload.count))
    writer.append(type)
    writer.append(flags)
    writer.append(sequence)
    writer.append(port)
    writer.append(payload)
    return writer.bytes
  }

  /// Splits a datagram into its messages.
  ///
  /// - Throws: `NetlinkError` `badReply` if a length does not fit the datagram.
  package static func parse(_ datagram: [UInt8]) throws -> [NetlinkMessage] {
    let reader = ByteReader(datagram[...])
    var messages: [NetlinkMessage] = []
    var position = 0
    while position < datagram.count {
      guard let length: UInt32 = reader.number(at: position), length >= headerSize,
        let whole = reader.slice(from: position, count: Int(length)),
        let type: UInt16 = reader.number(at: position + 4), let flags: UInt16 = reader.number(at: position + 6),
        let sequence: UInt32 = reader.number(at: position + 8), let port: UInt32 = reader.number(at: position + 12)
      else {
        throw NetlinkError(
          .badReply, "a netlink datagram of \(datagram.count) bytes has a wrong length field at byte \(position)")
      }
      messages.append(
        NetlinkMessage(
          type: type, flags: flags, sequence: sequence, port: port, payload: Array(whole.dropFirst(headerSize))))
      position += (Int(length) + 3) & ~3
    }
    return messages
  }

  var reader: ByteReader { ByteReader(payload[...]) }
}

/// The content of NLMSG_ERROR: an errno, 0 for success, and the kernel's explanation if there is
/// one.
struct Acknowledgement {
  /// Positive; 0 means done.
  let errno: Int32
  /// NLMSGERR_ATTR_MSG of the extended acknowledgement.
  let text: String?

  /// Reads an NLMSG_ERROR, or an NLMSG_DONE that ends a dump with an error; nil if it is too short.
  init?(_ message: NetlinkMessage) {
    let reader = message.reader
    guard let code: Int32 = reader.number(at: 0) else { return nil }
    errno = code == Int32.min ? Int32.max : abs(code)
    var offset = 4
    if message.type == UInt16(NLMSG_ERROR) {
      // The request's header is returned, and also its payload unless the kernel was told to omit
      // it.
      let length: UInt32 = reader.number(at: 4) ?? 0
      let capped = message.flags & UInt16(NLM_F_CAPPED) != 0 || code == 0
      offset += capped ? NetlinkMessage.headerSize : (Int(length) + 3) & ~3
    }
    let hasText = message.flags & UInt16(NLM_F_ACK_TLVS) != 0
    text = hasText ? reader.attributes(from: offset).text(NLMSGERR_ATTR_MSG.rawValue) : nil
  }
}
