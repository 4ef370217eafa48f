/// The control protocol of a modem.
public enum ModemProtocol: String, Sendable, CaseIterable {
  case mbim, qmi
}

/// What the modem says of itself.
public struct DeviceIdentity: Hashable, Sendable {
  public var manufacturer: String?
  public var model: String?
  public var firmware: String?
  /// 15 digits (3GPP TS 23.003, 6.2.1); nil where the modem has none or hides it.
  public var imei: String?

  public init(manufacturer: String? = nil, model: String? = nil, firmware: String? = nil, imei: String? = nil) {
    self.manufacturer = manufacturer
    self.model = model
    self.firmware = firmware
    self.imei = imei
  }
}

/// Something the modem said unasked. Except for a dropped bearer an event carries nothing: ask the backend again.
public enum ModemEvent: Hashable, Sendable {
  case simChanged
  case registrationChanged
  case signalChanged
  /// The network, or the modem by itself, ended the bearer.
  case bearerDropped(NetworkCause?)
  /// Addresses or DNS servers of the bearer changed.
  case settingsChanged
  /// The modem forgot its sessions and clients: open it anew.
  case reset
  /// The modem has left several commands in a row without an answer: open it anew.
  case unresponsive
  /// The control port went away; nothing will work any more. The stream ends after it.
  case removed
}

/// One modem reached through one control port, whatever its protocol. Calls throw `ModemError`.
///
/// A backend is used once: after `close()` or `.removed` make a new one. Every call ends at its own time limit, when
/// its task is cancelled, and at once when the port goes away.
public protocol ModemBackend: Actor {
  nonisolated var kind: ModemProtocol { get }

  /// What the modem says unasked, in order, for one reader; it ends when the port is closed or goes away. What says the same as
  /// an event that waits for the reader is left out.
  nonisolated var events: AsyncStream<ModemEvent> { get }

  /// Opens the control port and subscribes to the modem's indications.
  func open() async throws

  /// Ends what this backend started (bearer, client ids) and closes the port. It may be called at any time, and twice.
  func close() async

  func identity() async throws -> DeviceIdentity

  /// The SIM's state, and when it is ready its ICCID, IMSI, numbers and home network. An absent SIM is an answer, not an error.
  func simStatus() async throws -> SIMStatus

  /// Registration, serving network, technology and signal.
  func registration() async throws -> Registration

  /// Enters PIN1, once. Throws `wrongPIN` with the attempts left, or `pinNotRequired`.
  func unlock(with pin: PIN) async throws

  /// Agrees on the packet format of the network interface; to be called before `connect`.
  func negotiateLinkFormat() async throws -> LinkFormat

  /// Attaches to the packet domain; returns at once when attached already.
  func attach() async throws

  /// The access points that the modem itself knows for the Internet, most likely first; empty where it knows none.
  func provisionedAccessPoints() async throws -> [AccessPoint]

  /// Brings the bearer up and returns what the network gave it; what is left to the link stands in its `onLink`. Throws
  /// `refused` with the network's cause, and `busy` where another program's session is active: it is left alone.
  func connect(_ request: BearerRequest) async throws -> BearerSettings

  /// The settings of the bearer as they are now; throws `notConnected` when it is down.
  func settings() async throws -> BearerSettings

  /// Takes the bearer down; returns at once when it is down.
  func disconnect() async throws

  /// How many sessions the modem carries side by side, at least 1, as it says itself; nil where it cannot tell.
  func sessionLimit() async throws -> Int?

  /// The modem's slots. Throws `notSupported` where it does not tell.
  func slots() async throws -> SIMSlots

  /// Has the modem work with the SIM in another slot. Throws `notSupported` where it cannot, `noSuchSlot`.
  ///
  /// - Parameter slot: from 1.
  func switchSlot(to slot: Int) async throws
}

extension ModemBackend {
  public func slots() async throws -> SIMSlots {
    throw ModemError(.notSupported, "slots: this modem does not tell its slots")
  }

  public func switchSlot(to slot: Int) async throws {
    throw ModemError(.notSupported, "switch slot: this modem cannot change its slot")
  }
}

extension ModemBackend {
  public func sessionLimit() async throws -> Int? { nil }

  public func provisionedAccessPoints() async throws -> [AccessPoint] { [] }
}
