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

/// Everything known about one modem: what a port announces, and what the service keeps.
public struct ModemState: Hashable, Sendable {
  /// Stable across reboots and replugging.
  public var id: String
  /// Path of the control port.
  public var device: String
  /// The control protocol; nil if this version does not know the port's protocol.
  public var kind: ModemProtocol?
  public var identity: DeviceIdentity
  /// Name of the bearer's network interface; nil if unknown.
  public var interface: String?
  public var sim: SIMStatus
  public var registration: Registration
  public var bearer: BearerStatus
  /// Set while the port does not work.
  public var fault: Fault?
  /// How the modem is shared with ModemManager; nil before the decision.
  public var sharing: Sharing?
  /// The port's program and libraries with their versions, as in
  /// `modemd-port 0.1.0, libmbim 1.28.2`.
  public var software: String?

  public init(
    id: String, device: String, kind: ModemProtocol?, identity: DeviceIdentity = DeviceIdentity(),
    interface: String? = nil, sim: SIMStatus = SIMStatus(), registration: Registration = Registration(),
    bearer: BearerStatus, fault: Fault? = nil, sharing: Sharing? = nil, software: String? = nil
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
    self.sharing = sharing
    self.software = software
  }
}
