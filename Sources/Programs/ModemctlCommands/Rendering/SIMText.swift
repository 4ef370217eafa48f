import ModemAPI
import ModemctlCore

/// SIMs and slots for people.
enum SIMText {
  private static let columns: [TableLayout.Column] = [
    .init("SLOT", isNumber: true), .init("IN USE"), .init("CARD"), .init("ESIM"), .init("ICCID"),
  ]

  /// A line for each slot.
  static func table(_ slots: [ModemInterface.Slot], _ paint: Paint) -> String {
    TableLayout.render(columns, slots.map(row), paint)
  }

  private static func row(_ slot: ModemInterface.Slot) -> [Cell] {
    [
      Cell(String(slot.slot)), Cell(slot.active ? "yes" : "no", slot.active ? .good : .plain),
      Cell(slot.card.rawValue, slot.card == .failed ? .bad : .plain),
      Cell(slot.esim.map { $0 ? "yes" : "no" }), Cell(slot.iccid),
    ]
  }

  /// The SIM of a modem in full, each number on a line of its own.
  static func details(_ modem: ModemInterface.Modem) -> Details.Group {
    let sim = modem.sim
    let numbers = sim.numbers.map { ("Number", Cell(ModemText.text($0))) as (String, Cell?) }
    return Details.Group(
      "SIM of \(modem.id)",
      cells: [
        ("Fault", modem.fault.map { Cell("\($0.cause) (since \(ShownTime.text($0.since)))", .bad) }),
        ("State", Cell(ModemText.words(sim.state), ModemText.colour(sim.state))),
        ("Attempts left", sim.retriesLeft.map { Cell(String($0)) }),
        ("Slot", sim.slot.map { Cell(String($0)) }),
      ] + (numbers.isEmpty ? [("Number", sim.state == .ready ? Cell("none on the SIM") : nil)] : numbers) + [
        ("IMSI", sim.imsi.map { Cell($0) }),
        ("ICCID", sim.iccid.map { Cell($0) }),
        ("Home network", sim.home.map { Cell(ModemText.text($0)) }),
      ])
  }
}

extension ModemInterface.Slot {
  func masked() -> Self {
    var slot = self
    slot.iccid = iccid.map { Mask.digits($0, readable: 4) }
    return slot
  }
}
