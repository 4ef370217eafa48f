import ModemModel
import ModemSimulator

/// One way in which a modem misbehaves, what is asked of it meanwhile, and what its caller is to be told.
package struct FaultCase: Sendable {
  /// What is asked while the modem misbehaves.
  package enum Act: Sendable {
    /// Everything about modem, SIM and registration; so many times at once.
    case refresh(atOnce: Int = 1)
    /// The same, again and again until an event tells that the modem does not answer.
    case refreshUntilEvent
    case connect
    /// Asked with the bearer up.
    case disconnect
    /// The modem is unplugged and comes back, so that its port is opened anew; then `connect`.
    case reopen
    /// Nothing is asked; an event tells.
    case nothing(bearerIsUp: Bool)
  }

  /// What a caller is told.
  package enum Sight: Sendable, Hashable {
    case works
    /// One of these stands in the error.
    case error([String])
    /// Either: it depends on which of two answers comes first.
    case any
  }

  package let title: String
  package let act: Act
  let kinds: [ModemProtocol]
  let faults: @Sendable (ModemProtocol) -> [SimulatedFault]
  let world: @Sendable (SimulatedModem) -> Void
  /// What makes the modem well again.
  let repair: @Sendable (SimulatedModem) -> Void
  let sight: @Sendable (ModemProtocol) -> Sight
  /// Whether an unplugged modem comes back by itself.
  let comesBack: Bool
  /// Most commands that the modem may get during the trial; nil where it does not matter.
  let commandLimit: Int?

  init(
    _ title: String, _ act: Act, _ sight: Sight, kinds: [ModemProtocol] = ModemProtocol.allCases,
    _ faults: SimulatedFault..., qmi: [SimulatedFault]? = nil, seesOverQMI: Sight? = nil,
    world: @escaping @Sendable (SimulatedModem) -> Void = { _ in },
    repair: @escaping @Sendable (SimulatedModem) -> Void = { _ in }, comesBack: Bool = false,
    commandLimit: Int? = nil
  ) {
    self.title = title
    self.act = act
    self.kinds = kinds
    self.faults = { $0 == .qmi ? qmi ?? faults : faults }
    self.sight = { $0 == .qmi ? seesOverQMI ?? sight : sight }
    self.world = world
    self.repair = repair
    self.commandLimit = commandLimit
    self.comesBack =
      comesBack
      || faults.contains {
        if case .replug = $0.action { true } else { false }
      }
  }

  /// The cases of one protocol.
  package static func all(_ kind: ModemProtocol) -> [FaultCase] {
    (late + missing + wrong + storms + hangUps + ends).filter { $0.kinds.contains(kind) }
  }
}
