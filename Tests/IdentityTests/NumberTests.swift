import ModemModel
import ModemSimulator
import Testing

@Suite(.timeLimit(.minutes(2))) struct `The numbers of a modem's SIM` {
  /// One way to put numbers on a SIM, and what is told of them.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var numbers: [String] = []
    var records: [String]?
    var reports = true
    var settings: [String] = []
    var country: String?
    /// Number, whether it is E.164, and where it was read; nil is the modem's own way.
    let expected: [(String, Bool, PhoneNumber.Source?)]
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(name: "reported", numbers: ["+447700900123"], expected: [("+447700900123", true, nil)]),
    Case(name: "reported as national", numbers: ["07700900123"], expected: [("+447700900123", true, nil)]),
    Case(name: "reported raw", numbers: ["4711"], expected: [("4711", false, nil)]),
    Case(
      name: "in the file alone", numbers: ["+447700900123"], reports: false,
      expected: [("+447700900123", true, .efMsisdn)]),
    Case(name: "in the file as national", records: ["07700900123"], expected: [("+447700900123", true, .efMsisdn)]),
    Case(name: "in the file and of no known form", records: ["12345"], expected: [("12345", false, .efMsisdn)]),
    Case(
      name: "record 1 alone", records: ["+447700900001", "+447700900002"],
      expected: [("+447700900001", true, .efMsisdn)]),
    Case(name: "an empty record", records: [""], expected: []),
    Case(name: "the first record empty", records: ["", "+447700900002"], expected: []),
    Case(name: "none anywhere", expected: []),
    Case(
      name: "configured", settings: ["+447700900999"], expected: [("+447700900999", true, .configured)]),
    Case(
      name: "configured beside reported, once", numbers: ["+447700900123"],
      settings: ["+447700900123", "+447700900999"],
      expected: [("+447700900123", true, nil), ("+447700900999", true, .configured)]),
    Case(
      name: "of a configured country", records: ["015112345678"], country: "49",
      expected: [("+4915112345678", true, .efMsisdn)]),
  ]

  @Test(arguments: ModemProtocol.allCases, cases)
  func `carry their source and are E.164 where that can be`(kind: ModemProtocol, sample: Case) async throws {
    let modem = SimulatedModem.with(kind) {
      $0.sim?.numbers = sample.numbers
      $0.sim?.numberRecords = sample.records
      $0.reportsNumbersOverMBIM = sample.reports
      $0.reportsNumberOverDMS = sample.reports
    }
    var settings = ModemSettings()
    settings.numbers = sample.settings
    settings.homeCountry = sample.country
    try await SimulatedPort(modem, kind, settings: settings).run { port in
      let sim = await port.state.sim
      #expect(sim.state == .ready)
      #expect(sim.numbers.map(\.revealed) == sample.expected.map(\.0))
      #expect(sim.numbers.map(\.isNormalised) == sample.expected.map(\.1))
      let own: PhoneNumber.Source = kind == .mbim ? .subscriberReady : .dms
      #expect(sim.numbers.map(\.source) == sample.expected.map { $0.2 ?? own })
    }
    modem.unplug()
  }

  @Test func `are every one that MBIM lists, and the first may be empty`() async throws {
    let modem = SimulatedModem.with(.mbim) { $0.sim?.numbers = ["", "+447700900001", "+447700900002"] }
    try await SimulatedPort(modem, .mbim).run { port in
      #expect(await port.state.sim.numbers.map(\.revealed) == ["+447700900001", "+447700900002"])
    }
    modem.unplug()
  }

  @Test func `are not looked for in files that an MBIM modem does not read`() async throws {
    let modem = SimulatedModem.with(.mbim) {
      $0.reportsNumbersOverMBIM = false
      $0.hasUICCAccess = false
    }
    try await SimulatedPort(modem, .mbim).run { port in
      let sim = await port.state.sim
      #expect(sim.state == .ready && sim.numbers.isEmpty && sim.home?.plmn == PLMN("23415"))
      #expect(modem.snapshot.commands[.simFile] == nil)
    }
    modem.unplug()
  }
}

@Suite(.timeLimit(.minutes(2))) struct `The home network of a modem's SIM` {
  @Test(
    arguments: ModemProtocol.allCases,
    [
      ("310026", "310026123456789", nil, "310026"), ("31026", "310261234567890", nil, "31026"),
      // EF_AD corrects what the modem says; a short one leaves it.
      ("31026", "310260123456789", 3, "310260"), ("310260", "310261234567890", 2, "31026"),
      ("310026", "310026123456789", 0, "310026"), ("26201", "262011234567890", 0, "26201"),
    ] as [(String, String, Int?, String)])
  func `has the MNC that the SIM means`(
    kind: ModemProtocol, sample: (word: String, imsi: String, length: Int?, expected: String)
  ) async throws {
    let modem = SimulatedModem.with(kind) {
      $0.sim?.home = Network(PLMN(sample.word)!, name: "Home")
      $0.sim?.imsi = sample.imsi
      $0.sim?.mncLength = sample.length
    }
    try await SimulatedPort(modem, kind).run { port in
      let home = await port.state.sim.home
      #expect(home?.plmn.description == sample.expected)
      #expect(home?.name == "Home")
    }
    modem.unplug()
  }
}
