/// A short message as the network sent it: SMS-DELIVER and its kin (3GPP TS 23.040, 9.2.2). It prints redacted.
public struct MessagePDU: PersonalData {
  public let octets: [UInt8]

  public init(_ octets: [UInt8]) { self.octets = octets }

  /// Reads hexadecimal digits, two for each octet; nil for anything else.
  public init?(hex: String) {
    guard let octets = Hexadecimal.bytes(of: hex) else { return nil }
    self.octets = octets
  }

  /// Hexadecimal digits, upper case.
  public var revealed: String { Hexadecimal.text(of: octets, uppercase: true) }
}

/// A short message in a modem's store, or one that the modem passed on without storing it.
public struct StoredMessage: Hashable, Sendable {
  /// Where it is, as in `uim/3`; `memory/1` for one that only modemd-port keeps. Unique in one modem.
  public var reference: String
  public var pdu: MessagePDU
  /// Whether the PDU begins with the service centre's address.
  public var hasServiceCentre: Bool
  /// Whether the modem keeps it.
  public var isStored: Bool
  /// When it came; nil where it was there before anyone looked.
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
  /// Why they cannot be read at the moment, in one sentence; nil when they can.
  public var unavailable: String?
  /// The network's next message would find no room.
  public var isFull: Bool

  public init(unavailable: String? = nil, isFull: Bool = false) {
    self.unavailable = unavailable
    self.isFull = isFull
  }
}

/// What a port tells of its modem's messages, in order. The first one is a snapshot.
public enum MessageUpdate: Hashable, Sendable {
  /// All that there are, in place of what was told before.
  case snapshot([StoredMessage], MessageStoreState)
  case arrived(StoredMessage)
  case removed(reference: String)
}
