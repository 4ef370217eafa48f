/// What a command asks of the modem, whichever protocol it comes in.
public enum ModemOperation: String, Sendable, CaseIterable {
  case open, close, versions, clientIDs, deviceCaps, subscriber, radio, pin, homeNetwork, registration, signal
  case packetService, connect, disconnect, connectionStatus, ipConfiguration, simFile, dataFormat, subscribe, other
}

/// A way in which the modem misbehaves, as data.
public struct SimulatedFault: Sendable, Hashable {
  /// What happens in place of, or to, the answer.
  public enum Action: Sendable, Hashable {
    /// The network refuses with this 3GPP cause (TS 24.301, 9.9.4.4); for commands other than connect it is `fail`.
    case refuse(cause: Int)
    /// The modem answers Failure (MBIM) or Internal (QMI) and does nothing.
    case fail
    /// The modem answers with this MBIM status or QMI error and does nothing.
    case answer(status: UInt32)
    /// The command is done; its answer comes this much later.
    case delay(Duration)
    /// The command is taken and never answered.
    case swallow
    /// The control port goes away.
    case hangUp
  }

  public var operation: ModemOperation
  public var action: Action
  /// How many commands are met, from the next one on; nil for every one.
  public var times: Int?

  public init(on operation: ModemOperation, _ action: Action, times: Int? = nil) {
    self.operation = operation
    self.action = action
    self.times = times
  }
}
