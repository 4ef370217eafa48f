/// A message from the network, or one part of a long one: SMS-DELIVER (3GPP TS 23.040, 9.2.2.1).
package struct Delivery: Hashable, Sendable {
  /// The user data without its header, as far as it can be decoded without the other parts.
  package enum Content: Hashable, Sendable {
    /// One septet in each element.
    case septets([UInt8], GSMAlphabet.Tables)
    case utf16([UInt16])
    /// For a program, or compressed.
    case data([UInt8])
  }

  /// Nil where the modem does not tell.
  package var serviceCentre: MessageAddress?
  package var sender: MessageAddress
  /// TP-PID.
  package var protocolIdentifier: UInt8
  package var coding: DataCoding
  /// Nil where the service centre sent no valid time.
  package var sent: ServiceCentreTime?
  package var header: UserDataHeader
  package var content: Content

  /// Whether it must be acknowledged but not shown: a short message of type 0 (9.2.3.9).
  package var isSilent: Bool { protocolIdentifier == 0x40 }

  /// Whether it is for the SIM, not for people: (U)SIM data download (9.2.3.9).
  package var isForSIM: Bool { protocolIdentifier == 0x7f }

  /// Reads what follows the first octet.
  init(
    _ reader: inout OctetReader, hasHeader: Bool, serviceCentre: MessageAddress?
  ) throws(ShortMessageError) {
    self.serviceCentre = serviceCentre
    sender = try Self.address(&reader)
    protocolIdentifier = try reader.octet("TP-PID")
    coding = DataCoding(try reader.octet("TP-DCS"))
    sent = ServiceCentreTime(try reader.octets(7, "TP-SCTS"))
    let length = Int(try reader.octet("TP-UDL"))
    let isPacked = coding.alphabet == .gsm7 && !coding.isCompressed
    guard length <= (isPacked ? 160 : 140) else {
      throw ShortMessageError(
        .badLength, "TP-UDL: \(length) where at most \(isPacked ? "160 septets" : "140 octets") are expected")
    }
    let userData = try reader.octets(isPacked ? (length * 7 + 7) / 8 : length, "TP-UD")
    var headerOctets = 0
    header = UserDataHeader()
    if hasHeader {
      headerOctets = 1 + Int(userData.first ?? 0)
      guard headerOctets <= userData.count else {
        throw ShortMessageError(
          .badLength, "TP-UDHL: a header of \(headerOctets) octets in user data of \(userData.count)")
      }
      header = UserDataHeader(userData.dropFirst().prefix(headerOctets - 1))
    }
    let body = userData.dropFirst(headerOctets)
    switch coding.alphabet {
    case .gsm7 where isPacked:
      // Fill bits align the text with a septet boundary.
      let headerSeptets = (headerOctets * 8 + 6) / 7
      content = .septets(
        GSMAlphabet.unpacked(userData, count: length - headerSeptets, offset: headerSeptets * 7), header.tables)
    case .ucs2 where !coding.isCompressed:
      let octets = Array(body)
      content = .utf16(
        stride(from: 0, to: octets.count - 1, by: 2).map { UInt16(octets[$0]) << 8 | UInt16(octets[$0 + 1]) })
    default: content = .data(Array(body))
    }
  }

  /// An originating address: its length counts semi-octets, at most 20.
  private static func address(_ reader: inout OctetReader) throws(ShortMessageError) -> MessageAddress {
    let nibbles = Int(try reader.octet("TP-OA length"))
    guard nibbles <= 20 else {
      throw ShortMessageError(.badLength, "TP-OA: \(nibbles) semi-octets where at most 20 are expected")
    }
    let type = try reader.octet("TP-OA type")
    return MessageAddress(type: type, octets: try reader.octets((nibbles + 1) / 2, "TP-OA"), nibbles: nibbles)
  }
}
