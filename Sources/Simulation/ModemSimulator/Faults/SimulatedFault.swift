/// The request of a command, in any protocol.
package enum ModemOperation: String, Sendable, CaseIterable {
  case open, close, versions, clientIDs, deviceCaps, subscriber, radio, pin, homeNetwork, registration, signal
  case packetService, connect, disconnect, connectionStatus, ipConfiguration, simFile, dataFormat, subscribe, messages
  /// A challenge by MBIM's service AUTH, or by UIM Authenticate.
  case authenticate
  /// Logical channels and the commands on them.
  case channel
  case other
  /// In a fault: every command.
  case any
}

/// A way in which the modem misbehaves, as data.
package struct SimulatedFault: Sendable, Hashable {
  /// What happens instead of the answer, or to it.
  package enum Action: Sendable, Hashable {
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
    /// The command is done, and its answer claims to answer something else.
    case mismatch(Mismatch)
    /// The command is done, and the second half of its answer's content is missing.
    case cut
    /// The command is done, and bytes that belong to no message come before its answer.
    case noise
    /// The command is done and answered; then the same indication comes this many times at once.
    case storm(Storm, count: Int)
    /// The control port vanishes before the command is done.
    case hangUp
    /// The command is done, and the control port vanishes in the middle of its answer.
    case hangUpAfter
    /// The firmware restarts on the same port: the command is neither done nor answered, and
    /// everything is forgotten.
    case restart
    /// The control port vanishes before the command is done, and returns as another terminal after
    /// this time: under the same link or, elsewhere, under a link with another name.
    case replug(after: Duration, elsewhere: Bool)
  }

  /// The wrong part of an answer's header.
  package enum Mismatch: String, Sendable, CaseIterable {
    /// The transaction: the command seems to have no answer.
    case transaction
    /// The command: another one of the same service.
    case command
    /// The service (MBIM) or the client (QMI).
    case recipient
  }

  /// What a storm tells of.
  package enum Storm: String, Sendable, CaseIterable {
    case signal, registration, sim
  }

  package var operation: ModemOperation
  package var action: Action
  /// How many commands are affected, from the next one on; nil for all.
  package var times: Int?
  /// How many commands succeed before that.
  package var skip: Int

  package init(on operation: ModemOperation, _ action: Action, times: Int? = nil, skip: Int = 0) {
    self.operation = operation
    self.action = action
    self.times = times
    self.skip = skip
  }
}

extension [SimulatedFault] {
  /// Takes the fault that affects a command, and counts it.
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
