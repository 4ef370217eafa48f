/// The bearer's state, since when, and for which access point.
public struct BearerStatus: Hashable, Sendable {
  public var state: BearerState
  /// The access point name that was asked for last; nil for the subscription's default.
  public var apn: String?
  /// When `state` began.
  public var since: Timestamp

  public init(state: BearerState = .down(nil), apn: String? = nil, since: Timestamp) {
    self.state = state
    self.apn = apn
    self.since = since
  }
}

/// Why a modem does not work, and since when.
public struct Fault: Hashable, Sendable {
  /// One sentence without personal data.
  public var cause: String
  public var since: Timestamp

  public init(cause: String, since: Timestamp) {
    self.cause = cause
    self.since = since
  }
}

/// All that is known of one modem: what a port announces, and what the service keeps.
public struct ModemState: Hashable, Sendable {
  /// Stable across reboots and replugging.
  public var id: String
  /// Path of the control port.
  public var device: String
  public var kind: ModemProtocol
  public var identity: DeviceIdentity
  /// Name of the bearer's network interface; nil where it is not known.
  public var interface: String?
  public var sim: SIMStatus
  public var registration: Registration
  public var bearer: BearerStatus
  /// Set while the port does not work.
  public var fault: Fault?

  public init(
    id: String, device: String, kind: ModemProtocol, identity: DeviceIdentity = DeviceIdentity(),
    interface: String? = nil, sim: SIMStatus = SIMStatus(), registration: Registration = Registration(),
    bearer: BearerStatus, fault: Fault? = nil
  ) {
    self.id = id
    self.device = device
    self.kind = kind
    self.identity = identity
    self.interface = interface
    self.sim = sim
    self.registration = registration
    self.bearer = bearer
    self.fault = fault
  }
}
