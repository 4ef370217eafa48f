/// A short message as the network sent it: SMS-DELIVER and related types (3GPP TS 23.040, 9.2.2).
/// It prints redacted.
public struct MessagePDU: PersonalData {
  public let octets: [UInt8]

  public init(_ octets: [UInt8]) { self.octets = octets }

  /// Reads hexadecimal digits, two for each octet; nil for anything else.
  public init?(hex: String) {
    // Digits of other scripts, such as full-width ones, also count as digits.
    let digits = hex.utf8.allSatisfy { $0 < 0x80 } ? hex.compactMap(\.hexDigitValue) : []
    guard digits.count == hex.count, digits.count.isMultiple(of: 2) else { return nil }
    octets = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  /// Hexadecimal digits, upper case.
  public var revealed: String {
    octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
  }
}

/// A short message in a modem's store, or one that the modem passed on without storing it.
public struct StoredMessage: Hashable, Sendable {
  /// Its place, as in `uim/3`; `memory/1` for a message that only modemd-port keeps. Unique within
  /// one modem.
  public var reference: String
  public var pdu: MessagePDU
  /// Whether the PDU begins with the service centre's address.
  public var hasServiceCentre: Bool
  /// Whether the modem keeps it.
  public var isStored: Bool
  /// When it arrived; nil if it was there before the first look.
  public var received: Timestamp?

  public init(
    reference: String, pdu: MessagePDU, hasServiceCentre: Bool = true, isStored: Bool = true, received: Timestamp? = nil
  ) {
    self.reference = reference
    self.pdu = pdu
    self.hasServiceCentre = hasServiceCentre
    self.isStored = isStored
    self.received = received
  }
}

/// Whether a modem's messages can be read, and whether there is room for more.
public struct MessageStoreState: Hashable, Sendable {
  /// Why they cannot be read at present, in one sentence; nil if they can.
  public var unavailable: String?
  /// The network's next message would not fit.
  public var isFull: Bool

  public init(unavailable: String? = nil, isFull: Bool = false) {
    self.unavailable = unavailable
    self.isFull = isFull
  }
}

/// A port's reports about its modem's messages, in order. The first one is a snapshot.
public enum MessageUpdate: Hashable, Sendable {
  /// All messages, replacing earlier reports.
  case snapshot([StoredMessage], MessageStoreState)
  case arrived(StoredMessage)
  case removed(reference: String)
}
