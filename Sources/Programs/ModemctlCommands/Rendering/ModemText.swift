import ModemAPI
import ModemctlCore

/// Modems for people.
enum ModemText {
  private static let columns: [TableLayout.Column] = [
    .init("MODEM"), .init("DEVICE"), .init("PROTOCOL"), .init("SIM"), .init("NUMBER"), .init("REGISTRATION"),
    .init("NETWORK"), .init("TECHNOLOGY"), .init("SIGNAL dBm", isNumber: true),
  ]

  /// A line for each modem. Below a modem that does not work is the reason: its line is old.
  static func table(_ modems: [ModemInterface.Modem], _ paint: Paint) -> String {
    var layout = TableLayout(columns)
    let rows = modems.map(row)
    for row in rows { layout.fit(row) }
    return layout.header(paint)
      + zip(modems, rows).map { modem, row in
        layout.line(row, paint) + (modem.fault.map { "  " + paint(old($0), .bad) + "\n" } ?? "")
      }.joined()
  }

  private static func old(_ fault: ModemInterface.Fault) -> String {
    "does not work since \(ShownTime.text(fault.since)), what is above was last known: \(fault.cause)"
  }

  private static func row(_ modem: ModemInterface.Modem) -> [Cell] {
    [
      Cell(modem.id, modem.fault == nil ? .plain : .bad), Cell(modem.device), Cell(modem.protocol.rawValue),
      Cell(words(modem.sim.state), colour(modem.sim.state)),
      Cell(modem.sim.numbers.map(\.number).joined(separator: " ")),
      Cell(words(modem.registration.state), colour(modem.registration.state)),
      Cell(modem.registration.serving.map(text)), Cell(modem.registration.technology.map(words)),
      Cell(modem.registration.rssi.map(String.init)),
    ]
  }

  /// A modem in full.
  static func details(_ modem: ModemInterface.Modem) -> [Details.Group] {
    let sim = modem.sim
    let registration = modem.registration
    return [
      Details.Group(
        modem.id,
        cells: [
          ("Fault", modem.fault.map { Cell("\($0.cause) (since \(ShownTime.text($0.since)))", .bad) }),
          ("Device", Cell("\(modem.device) (\(modem.protocol.rawValue.uppercased()))")),
          ("Interface", modem.interface.map { Cell($0) }),
          ("Manufacturer", modem.manufacturer.map { Cell($0) }),
          ("Model", modem.model.map { Cell($0) }),
          ("Firmware", modem.firmware.map { Cell($0) }),
          ("IMEI", modem.imei.map { Cell($0) }),
          ("Sharing", modem.sharing.map { Cell(SharingText.line($0)) }),
          ("Passed over", modem.sharing?.passedOver.map { Cell($0) }),
          ("ModemManager", modem.sharing?.managerState.map { Cell(SharingText.words($0)) }),
          ("Software", modem.software.map { Cell($0) }),
        ]),
      Details.Group(
        "SIM",
        cells: [
          ("State", Cell(words(sim.state), colour(sim.state))),
          ("Attempts left", sim.retriesLeft.map { Cell(String($0)) }),
          ("Slot", sim.slot.map { Cell(String($0)) }),
          (sim.numbers.count > 1 ? "Numbers" : "Number", Cell(sim.numbers.map(text).joined(separator: ", "))),
          ("IMSI", sim.imsi.map { Cell($0) }),
          ("ICCID", sim.iccid.map { Cell($0) }),
          ("Home network", sim.home.map { Cell(text($0)) }),
        ]),
      Details.Group(
        "Registration",
        cells: [
          ("State", Cell(words(registration.state), colour(registration.state))),
          ("Network", registration.serving.map { Cell(text($0)) }),
          ("Technology", registration.technology.map { Cell(words($0)) }),
          ("Signal", registration.rssi.map { Cell("\($0) dBm") }),
          ("Cell", cell(registration).map { Cell($0) }),
          ("Cause", registration.cause.map { Cell(BearerText.text($0.code, $0.text), .bad) }),
        ]),
    ]
  }

  /// A modem on one line, without its id.
  static func summary(_ modem: ModemInterface.Modem) -> String {
    if let fault = modem.fault { return "does not work: \(fault.cause)" }
    return [
      "SIM \(words(modem.sim.state))", words(modem.registration.state), modem.registration.serving.map(text),
      modem.registration.technology.map(words), signal(modem.registration),
    ].compactMap(\.self).joined(separator: ", ")
  }

  /// The signal strength and what is measured of the serving cell, on one line; nil if the modem
  /// reports neither.
  static func signal(_ registration: ModemInterface.Registration) -> String? {
    let parts = [registration.rssi.map { "\($0) dBm" }, cell(registration)].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// What is measured of the serving cell of LTE or 5G.
  private static func cell(_ registration: ModemInterface.Registration) -> String? {
    let parts = [
      registration.rsrp.map { "RSRP \($0) dBm" }, registration.rsrq.map { "RSRQ \($0) dB" },
      registration.sinr.map { "SINR \($0) dB" },
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  static func text(_ number: ModemInterface.PhoneNumber) -> String {
    let source =
      switch number.source {
      case .subscriberReady, .dms: "the modem"
      case .efMsisdn: "the SIM's file"
      case .configured: "the configuration"
      case .unknown: "an unknown place"
      case .other(let word): word
      }
    return "\(number.number) (from \(source)\(number.normalised ? "" : ", not E.164"))"
  }

  static func text(_ network: ModemInterface.Network) -> String {
    [network.name, "\(network.mcc)-\(network.mnc)"].compactMap(\.self).joined(separator: " ")
  }

  static func words(_ state: ModemInterface.SIM.State) -> String {
    switch state {
    case .pinRequired: "PIN required"
    case .pukRequired: "PUK required"
    case .notActivated: "not activated"
    default: state.rawValue
    }
  }

  static func words(_ state: ModemInterface.Registration.State) -> String {
    state == .deregistered ? "not registered" : state.rawValue
  }

  static func words(_ technology: ModemInterface.Registration.Technology) -> String {
    switch technology {
    case .gsm: "GSM"
    case .umts: "UMTS"
    case .lte: "LTE"
    case .nrNonStandalone: "5G NSA"
    case .nr: "5G"
    case .other(let word): word
    }
  }

  static func colour(_ state: ModemInterface.SIM.State) -> Paint.Colour {
    switch state {
    case .ready: .good
    case .absent, .failed, .pukRequired, .notActivated: .bad
    case .unknown, .initialising, .pinRequired, .other: .attention
    }
  }

  private static func colour(_ state: ModemInterface.Registration.State) -> Paint.Colour {
    switch state {
    case .home, .roaming, .partner: .good
    case .denied: .bad
    case .unknown, .deregistered, .searching, .other: .attention
    }
  }
}
