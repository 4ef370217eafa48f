import DeviceAPI
import JSONTree
import MetricsAPI
import ModemAPI

/// What happened on the machine that the agent speaks for.
package enum MachineChange: Sendable {
  /// modemd answers. What is known of its modems is told next.
  case present(version: String?)
  /// modemd does not answer; the reason in one sentence. It comes back by itself.
  case absent(String)
  /// A modem is there, or has changed.
  case modem(ModemInterface.Modem)
  /// A modem went away. By modemd's id.
  case removed(modem: String)
  /// A bearer's state.
  case bearer(BearerInterface.Bearer)
  /// Budgets of the agent's user, or those of them that are nearly used.
  case budgets([UsageInterface.Budget])
}

/// What a fleet's agent sees of modemd.
package protocol FleetMachine: Sendable {
  /// All changes, in their order, and the present state first. One reader. It ends only with the
  /// machine.
  var changes: AsyncStream<MachineChange> { get }

  /// What modemd counts (io.systemd.Metrics).
  ///
  /// - Throws: `MachineFailure`.
  func figures() async throws -> [MetricsInterface.List.Reply]

  /// Carries a command out. Modems in it have modemd's names. Cancelling the task ends it.
  ///
  /// - Parameter progress: told each step and hop in its order.
  /// - Returns: what modemd answered, with modemd's names and all that it shows.
  /// - Throws: `MachineFailure`.
  func carryOut(
    _ command: FleetCommand, progress: @escaping @Sendable (MachineProgress) async -> Void
  ) async throws -> MachineAnswer

  /// A report for a maintainer, masked, as text.
  ///
  /// - Throws: `MachineFailure`.
  func diagnosis() async throws -> [UInt8]
}

/// What a command has done so far.
package enum MachineProgress: Sendable {
  case step(VerifyInterface.Step)
  case hop(VerifyInterface.Hop)
  case chainHop(CheckInterface.Hop)
}

/// What a command came to.
package enum MachineAnswer: Sendable {
  case modems([ModemInterface.Modem])
  case modem(ModemInterface.Modem)
  case bearer(BearerInterface.Bearer)
  case prepared(CheckInterface.Prepare.Reply)
  case verified(VerifyInterface.Outcome)
  case opened(CheckInterface.Outcome)
  case reloaded
}

/// Why modemd did not do what it was asked.
package struct MachineFailure: Error, Hashable, Sendable {
  /// A Varlink error's name, or `org.modemd.Fleet.Absent`, `.TimedOut`, `.Failed`.
  package var name: String
  /// The error's fields.
  package var parameters: JSONValue
  /// One sentence for people.
  package var text: String

  package init(_ name: String, parameters: JSONValue = .object([:]), _ text: String) {
    self.name = name
    self.parameters = parameters
    self.text = text
  }

  /// modemd does not answer.
  package static func absent(_ text: String) -> MachineFailure { MachineFailure("org.modemd.Fleet.Absent", text) }
  /// It took too long.
  package static func timedOut(_ text: String) -> MachineFailure { MachineFailure("org.modemd.Fleet.TimedOut", text) }
  /// Anything else.
  package static func failed(_ text: String) -> MachineFailure { MachineFailure("org.modemd.Fleet.Failed", text) }
}
