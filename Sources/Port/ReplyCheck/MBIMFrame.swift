/// A complete message from the modem, its fragments joined and its headers parsed (MBIM 1.0, 9.3
/// and 9.4).
package struct MBIMFrame: Hashable, Sendable {
  /// What a message is.
  package enum Kind: Hashable, Sendable {
    /// MBIM_OPEN_DONE and MBIM_CLOSE_DONE.
    case opened(status: UInt32)
    case closed(status: UInt32)
    /// MBIM_FUNCTION_ERROR_MSG.
    case functionError(UInt32)
    /// MBIM_COMMAND_DONE.
    case reply(Subject, status: UInt32)
    /// MBIM_INDICATE_STATUS_MSG.
    case indication(Subject)
  }

  /// The command that a message is about.
  package struct Subject: Hashable, Sendable {
    package let service: MBIMServiceID
    package let command: UInt32

    package init(_ service: MBIMServiceID, _ command: UInt32) {
      self.service = service
      self.command = command
    }
  }

  package let kind: Kind
  package let transaction: UInt32
  /// The information buffer and what follows it; empty for messages without one. Its indices are
  /// those of the message.
  package let information: ArraySlice<UInt8>

  /// Reads the headers.
  ///
  /// - Parameter bytes: the message and nothing after it.
  /// - Throws: `ReplyFlaw` if it is shorter than its headers, if its lengths exceed it, or if a
  ///   modem never sends such a message.
  package init(_ bytes: [UInt8]) throws(ReplyFlaw) {
    let reader = WireBytes(bytes)
    let (type, length) = (try reader.u32(at: 0, "MessageType"), Int(try reader.u32(at: 4, "MessageLength")))
    guard length <= bytes.count else {
      throw ReplyFlaw("MessageLength says \(length) bytes, and \(bytes.count) arrived")
    }
    transaction = try reader.u32(at: 8, "MessageTransactionId")
    switch type {
    case 0x8000_0001:
      kind = .opened(status: try reader.u32(at: 12, "Status"))
      information = []
    case 0x8000_0002:
      kind = .closed(status: try reader.u32(at: 12, "Status"))
      information = []
    case 0x8000_0004:
      kind = .functionError(try reader.u32(at: 12, "ErrorStatusCode"))
      information = []
    case 0x8000_0003:
      let subject = try Self.subject(reader)
      kind = .reply(subject, status: try reader.u32(at: 40, "Status"))
      information = try Self.information(bytes, reader, at: 44)
    case 0x8000_0007:
      kind = .indication(try Self.subject(reader))
      information = try Self.information(bytes, reader, at: 40)
    default: throw ReplyFlaw("message type \(type) is never sent by a modem")
    }
  }

  /// The rest of the message after the buffer's length field. That field may be too small: some
  /// firmware excludes the data that the buffer's offsets point to, and libmbim reads on to the end
  /// of the message.
  private static func information(
    _ bytes: [UInt8], _ reader: WireBytes, at place: Int
  ) throws(ReplyFlaw) -> ArraySlice<UInt8> {
    let length = Int(try reader.u32(at: place, "InformationBufferLength"))
    try reader.require(place + 4, length, "InformationBuffer")
    return bytes[(place + 4)...]
  }

  private static func subject(_ reader: WireBytes) throws(ReplyFlaw) -> Subject {
    // libmbim handles the fragment header, because it joined the fragments.
    let service = MBIMServiceID(try reader.bytes(at: 20, count: 16, "DeviceServiceId"))
    return Subject(service, try reader.u32(at: 36, "CID"))
  }

  /// The subject of a reply or an indication; nil for other messages.
  package var subject: Subject? {
    switch kind {
    case .reply(let subject, _), .indication(let subject): subject
    case .opened, .closed, .functionError: nil
    }
  }
}
