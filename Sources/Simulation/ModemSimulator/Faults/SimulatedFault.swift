/// What a command asks of the modem, whichever protocol it comes in.
public enum ModemOperation: String, Sendable, CaseIterable {
  case open, close, versions, clientIDs, deviceCaps, subscriber, radio, pin, homeNetwork, registration, signal
  case packetService, connect, disconnect, connectionStatus, ipConfiguration, simFile, dataFormat, subscribe, messages,
    other
  /// In a fault: every command.
  case any
}

/// A way in which the modem misbehaves, as data.
public struct SimulatedFault: Sendable, Hashable {
  /// What happens in place of, or to, the answer.
  public enum Action: Sendable, Hashable {
    /// The network refuses with this 3GPP cause (TS 24.301, 9.9.4.4); for commands other than
    /// connect it is `fail`.
    case refuse(cause: Int)
    /// The modem answers Failure (MBIM) or Internal (QMI) and does nothing.
    case fail
    /// The modem answers with this MBIM status or QMI error and does nothing.
    case answer(status: UInt32)
    /// The command is done; its answer comes this much later.
    case delay(Duration)
    /// The command is taken, not done and never answered.
    case swallow
    /// The command is done, and its answer is lost.
    case lose
    /// The command is done once and answered twice.
    case double
    /// The command is done, and the answer to the next command overtakes its answer, which comes
    /// this much later at the latest.
    case overtake(atMost: Duration)
    /// The command is done, and its answer says that it answers something else.
    case mismatch(Mismatch)
    /// The command is done, and the second half of what its answer tells is missing.
    case cut
    /// The command is done, and bytes that belong to no message come before its answer.
    case noise
    /// The command is done and answered; then comes this many times the same indication, all at
    /// once.
    case storm(Storm, count: Int)
    /// The control port goes away before the command is done.
    case hangUp
    /// The command is done, and the control port goes away in the middle of its answer.
    case hangUpAfter
    /// The firmware starts over on the same port: neither done nor answered, and everything is
    /// forgotten.
    case restart
    /// The control port goes away before the command is done, and comes back as another terminal
    /// after this time: under the same link, or, elsewhere, under a link of another name.
    case replug(after: Duration, elsewhere: Bool)
  }

  /// What an answer says wrongly of itself.
  public enum Mismatch: String, Sendable, CaseIterable {
    /// The transaction: the command seems to be without an answer.
    case transaction
    /// The command: another one of the same service.
    case command
    /// The service (MBIM) or the client (QMI).
    case recipient
  }

  /// What a storm tells of.
  public enum Storm: String, Sendable, CaseIterable {
    case signal, registration, sim
  }

  public var operation: ModemOperation
  public var action: Action
  /// How many commands are met, from the next one on; nil for every one.
  public var times: Int?
  /// How many commands go well before.
  public var skip: Int

  public init(on operation: ModemOperation, _ action: Action, times: Int? = nil, skip: Int = 0) {
    self.operation = operation
    self.action = action
    self.times = times
    self.skip = skip
  }
}

extension [SimulatedFault] {
  /// Takes the fault that meets a command, and counts it.
  mutating func take(_ operation: ModemOperation) -> SimulatedFault.Action? {
    for index in indices where self[index].operation == operation || self[index].operation == .any {
      guard self[index].times != 0 else { continue }
      guard self[index].skip == 0 else {
        self[index].skip -= 1
        continue
      }
      if let times = self[index].times { self[index].times = times - 1 }
      return self[index].action
    }
    return nil
  }
}
