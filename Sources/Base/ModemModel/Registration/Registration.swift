/// Where the modem is registered, and its signal strength.
public struct Registration: Hashable, Sendable {
  /// The registration states of MBIM_REGISTER_STATE; QMI's are mapped to them.
  public enum State: String, Sendable, CaseIterable {
    case unknown, deregistered, searching, home, roaming, partner, denied

    /// Whether the modem may ask for a bearer in this state.
    public var allowsData: Bool { self == .home || self == .roaming || self == .partner }
  }

  /// Radio access technology of the serving cell.
  public enum Technology: String, Sendable, CaseIterable {
    case gsm, umts, lte, nrNonStandalone, nr
  }

  public var state: State
  public var serving: Network?
  public var technology: Technology?
  /// Received signal strength in dBm, -113 to -51 as in 3GPP TS 27.007 (+CSQ).
  public var rssi: Int?
  /// Of the serving cell. With `nrNonStandalone`, this is the LTE cell: the modem is registered
  /// there, and its 5G cell comes and goes (3GPP TS 37.340, 4.1.2). While the modem is not
  /// registered, it is the cell that the modem hears.
  public var referenceSignal: ReferenceSignal
  /// Why the network denied registration (3GPP TS 24.008, 24.301, 24.501).
  public var cause: NetworkCause?

  public init(
    state: State = .unknown, serving: Network? = nil, technology: Technology? = nil, rssi: Int? = nil,
    referenceSignal: ReferenceSignal = .none, cause: NetworkCause? = nil
  ) {
    self.state = state
    self.serving = serving
    self.technology = technology
    self.rssi = rssi
    self.referenceSignal = referenceSignal
    self.cause = cause
  }
}
