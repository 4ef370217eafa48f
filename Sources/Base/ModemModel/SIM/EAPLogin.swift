import OutsideNumber

/// A method by which a SIM logs in over EAP.
public enum EAPMethod: String, Hashable, Sendable, CaseIterable {
  /// EAP-AKA (RFC 4187).
  case aka
  /// EAP-AKA′ (RFC 9048).
  case akaPrime
}

/// An identity of the SIM for EAP: a network access identifier (3GPP TS 23.003, 19.3) with the
/// IMSI, a pseudonym, or an identity for fast re-authentication.
public struct EAPIdentity: PersonalData {
  public let revealed: String
  public init(_ text: String) { revealed = text }
}

/// What begins a login of the SIM.
public struct EAPLoginRequest: Hashable, Sendable {
  public var method: EAPMethod
  /// The realm of the identity; nil for the home network's own,
  /// `nai.epc.mnc….mcc….3gppnetwork.org`.
  public var realm: String?
  /// With `akaPrime`: the name that the server must bind its keys to (AT_KDF_INPUT); nil for any.
  public var networkName: String?
  /// Whether pseudonyms and fast re-authentication are used where the server offers them.
  public var reauthenticates: Bool

  public init(
    _ method: EAPMethod, realm: String? = nil, networkName: String? = nil, reauthenticates: Bool = false
  ) {
    self.method = method
    self.realm = realm
    self.networkName = networkName
    self.reauthenticates = reauthenticates
  }
}

/// A login that has begun: the port holds its keys, and they never leave it.
public struct EAPLogin: Hashable, Sendable {
  /// What the port knows it by.
  public var id: String
  /// What the server is told at first.
  public var identity: EAPIdentity
  /// Group Identifier Level 1 (3GPP TS 31.102, 4.2.10), by which operators tell virtual operators
  /// apart; nil if the SIM has none.
  public var groupIdentifier: [UInt8]?

  public init(id: String, identity: EAPIdentity, groupIdentifier: [UInt8]? = nil) {
    self.id = id
    self.identity = identity
    self.groupIdentifier = groupIdentifier
  }
}

/// What a packet of the server led to.
public struct EAPReply: Hashable, Sendable {
  /// The words are those of the wire.
  public enum Event: String, Hashable, Sendable, CaseIterable {
    /// The server asked for an identity.
    case identity
    /// The SIM answered the challenge, and the server proved that it has the SIM's keys.
    case response
    /// The SIM gave its sequence number, or the peer chose a key derivation; the server may send
    /// one more challenge.
    case synchronisation
    /// The keys of an earlier login answered; the SIM was not asked. With a text if the server has
    /// to ask it all the same.
    case reauthentication
    /// The server told something; `notification` has its number.
    case notification
    /// The SIM or the peer refuses the server (AKA-Authentication-Reject): the challenge is not
    /// from the SIM's home network.
    case rejected
    /// The packet is against the protocol (AKA-Client-Error), or of another method (Nak).
    case refused
    /// EAP-Success.
    case success
    /// EAP-Failure.
    case failure
    /// The port used a word that this version does not know.
    case unknown
  }

  public var event: Event
  /// The answer for the server; nil after `success` and `failure`, and with `refused` where nobody
  /// waits for one, as the packet was no request.
  public var packet: [UInt8]?
  /// With `notification`: the server's number, as in 16384.
  public var notification: Int?
  /// With `akaPrime`: the name that the server sent.
  public var networkName: String?
  /// One sentence for people; nil if there is nothing to say. It holds nothing personal.
  public var text: String?

  public init(
    _ event: Event, packet: [UInt8]? = nil, notification: Int? = nil, networkName: String? = nil, text: String? = nil
  ) {
    self.event = event
    self.packet = packet
    self.notification = notification
    self.networkName = networkName
    self.text = text
  }
}

/// Why a login cannot begin or go on, besides the SIM's state and the modem's failures, which are
/// `ModemError`s.
public enum EAPFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The modem has no way to ask its SIM; why, in one sentence.
  case notSupported(String)
  /// The SIM was asked as often as it may be within a minute or a day.
  case tooMany(limit: Int, retryAfter: Duration)
  /// The login is over, or there never was one of this id.
  case unknownLogin

  public var description: String {
    switch self {
    case .notSupported(let text): text
    case .tooMany(let limit, let retryAfter):
      "the SIM was asked \(limit) times already, and may be asked again in \(Self.seconds(retryAfter)) s"
    case .unknownLogin: "the login is over, or its modem's port was restarted; begin anew"
    }
  }
  /// Rounded up: who waits that long does not come too early.
  private static func seconds(_ time: Duration) -> Int { (time.bounded.millisecondsRoundedUp + 999) / 1000 }
}
