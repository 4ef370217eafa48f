/// The control protocol of a modem.
public enum ModemProtocol: String, Sendable, CaseIterable {
  case mbim, qmi
}

/// What the modem reports about itself.
public struct DeviceIdentity: Hashable, Sendable {
  public var manufacturer: String?
  public var model: String?
  public var firmware: String?
  /// 15 digits (3GPP TS 23.003, 6.2.1); nil if the modem has none or hides it.
  public var imei: String?

  public init(manufacturer: String? = nil, model: String? = nil, firmware: String? = nil, imei: String? = nil) {
    self.manufacturer = manufacturer
    self.model = model
    self.firmware = firmware
    self.imei = imei
  }
}

/// An unsolicited report from the modem. Except for a dropped bearer, an event carries no data: ask
/// the backend again.
public enum ModemEvent: Hashable, Sendable {
  case simChanged
  case registrationChanged
  case signalChanged
  /// The network, or the modem by itself, ended the bearer.
  case bearerDropped(NetworkCause?)
  /// Addresses or DNS servers of the bearer changed.
  case settingsChanged
  /// The modem forgot its sessions and clients: reopen it.
  case reset
  /// The modem left several commands in a row unanswered: reopen it.
  case unresponsive
  /// The control port vanished, and nothing will work any more. The stream ends after it.
  case removed
}

/// One modem on one control port, for any protocol. Calls throw `ModemError`.
///
/// Use a backend once: after `close()` or `.removed`, make a new one. Every call ends at its own
/// time limit, when its task is cancelled, and at once when the port vanishes.
public protocol ModemBackend: Actor {
  nonisolated var kind: ModemProtocol { get }

  /// The modem's unsolicited reports, in order, for one reader; it ends when the port is closed or
  /// vanishes. An event equal to one that waits for the reader is dropped.
  nonisolated var events: AsyncStream<ModemEvent> { get }

  /// Opens the control port and subscribes to the modem's indications.
  func open() async throws

  /// Ends what this backend started (bearer, client ids) and closes the port. It may be called at
  /// any time, and twice.
  func close() async

  func identity() async throws -> DeviceIdentity

  /// The SIM's state and, if it is ready, its ICCID, IMSI, numbers and home network. An absent SIM
  /// is an answer, not an error.
  func simStatus() async throws -> SIMStatus

  /// Registration, serving network, technology and signal.
  func registration() async throws -> Registration

  /// Enters PIN1 once. Throws `wrongPIN` with the attempts left, or `pinNotRequired`.
  func unlock(with pin: PIN) async throws

  /// Agrees on the packet format of the network interface. Call it before `connect`.
  func negotiateLinkFormat() async throws -> LinkFormat

  /// Attaches to the packet domain; returns at once if already attached.
  func attach() async throws

  /// The Internet access points that the modem itself knows, the most likely first; empty if it
  /// knows none.
  func provisionedAccessPoints() async throws -> [AccessPoint]

  /// Brings the bearer up and returns the network's settings; `onLink` names what must be requested
  /// from the link. Throws `refused` with the network's cause, and `busy` if another program's
  /// session is active, which is left alone.
  func connect(_ request: BearerRequest) async throws -> BearerSettings

  /// The settings of the bearer as they are now; throws `notConnected` when it is down.
  func settings() async throws -> BearerSettings

  /// Takes the bearer down; returns at once if it is already down.
  func disconnect() async throws

  /// How many sessions the modem reports that it carries at the same time, at least 1; nil if it
  /// cannot report it.
  func sessionLimit() async throws -> Int?

  /// The modem's slots. Throws `notSupported` if it does not report them.
  func slots() async throws -> SIMSlots

  /// Makes the modem use the SIM in another slot. Throws `notSupported` if it cannot, and
  /// `noSuchSlot`.
  ///
  /// - Parameter slot: from 1.
  func switchSlot(to slot: Int) async throws

  /// Asks the SIM to answer a challenge, once. Throws `simLocked`, `simAbsent` and `simNotReady`
  /// where the SIM's state prevents it, `notSupported` if the modem has no way to ask, and
  /// `badReply` for an answer that no SIM gives. What it returns is an oracle for every login of
  /// this subscriber: it stays in the port.
  func authenticate(_ challenge: AKAChallenge) async throws -> AKAAnswer

  /// Group Identifier Level 1 of the SIM (EF_GID1: 3GPP TS 31.102, 4.2.10) without its padding; nil
  /// if the SIM has none, or the modem does not read it.
  func groupIdentifier() async throws -> [UInt8]?
}

extension ModemBackend {
  public func slots() async throws -> SIMSlots {
    throw ModemError(.notSupported, "slots: this modem does not report its slots")
  }

  public func switchSlot(to slot: Int) async throws {
    throw ModemError(.notSupported, "switch slot: this modem cannot change its slot")
  }

  public func authenticate(_ challenge: AKAChallenge) async throws -> AKAAnswer {
    throw ModemError(.notSupported, "SIM authentication: this modem has no way to ask its SIM")
  }

  public func groupIdentifier() async throws -> [UInt8]? { nil }
}

extension ModemBackend {
  public func sessionLimit() async throws -> Int? { nil }

  public func provisionedAccessPoints() async throws -> [AccessPoint] { [] }
}
