/// A message as a modem stores it or passes it on (3GPP TS 23.040, 9.2.2).
package enum ShortMessagePDU: Hashable, Sendable {
  case delivery(Delivery)
  /// The network reports the result of a message that this SIM sent.
  case statusReport
  /// One of this SIM's own messages that waits in the store.
  case submission

  /// Reads a PDU. Octets after its end are ignored, because some modems pad.
  ///
  /// - Parameters:
  ///   - octets: at most about 180.
  ///   - hasServiceCentre: whether the service centre's address comes first, as in a modem's store.
  ///     A message that a modem pushes has none.
  /// - Throws: `ShortMessageError` `truncated`, `badLength`.
  package init(_ octets: [UInt8], hasServiceCentre: Bool = true) throws(ShortMessageError) {
    var reader = OctetReader(octets)
    let serviceCentre = hasServiceCentre ? try Self.serviceCentre(&reader) : nil
    let first = try reader.octet("first octet")
    switch first & 3 {
    case 1: self = .submission
    case 2: self = .statusReport
    // The reserved value 3 counts as a delivery (9.2.3.1).
    default:
      self = .delivery(try Delivery(&reader, hasHeader: first & 0x40 != 0, serviceCentre: serviceCentre))
    }
  }

  /// An address whose length counts octets including its type; 0 without an address.
  private static func serviceCentre(_ reader: inout OctetReader) throws(ShortMessageError) -> MessageAddress? {
    let length = Int(try reader.octet("service centre length"))
    guard length > 0 else { return nil }
    guard length <= 11 else {
      throw ShortMessageError(.badLength, "service centre: \(length) octets where at most 11 are expected")
    }
    let type = try reader.octet("service centre type")
    return MessageAddress(
      type: type, octets: try reader.octets(length - 1, "service centre"), nibbles: (length - 1) * 2)
  }
}
