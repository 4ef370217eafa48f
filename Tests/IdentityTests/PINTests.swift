import GLibBridge
import ModemModel
import ModemPort
import ModemSimulator
import Testing

@Suite(.timeLimit(.minutes(2))) struct `A deposited PIN` {
  private static func locked(_ kind: ModemProtocol, wrongPINs: Int = 0) -> SimulatedModem {
    SimulatedModem.with(kind) {
      $0.sim?.pin = "4711"
      $0.sim?.wrongPINs = wrongPINs
    }
  }

  /// One life of a port on the modem: the SIM's state at its end.
  private func life(
    of modem: SimulatedModem, _ kind: ModemProtocol, _ credentials: [String: String], _ folder: String? = nil
  ) async throws -> SIMStatus {
    let deposit = SimulatedPort.Deposit(credentials: credentials, folder: folder)
    return try await SimulatedPort(modem, kind, deposit: deposit).run { await $0.state.sim }
  }

  @Test(
    arguments: ModemProtocol.allCases,
    [
      ["sim-pin": "4711"], ["sim-pin": "4711\n"], ["sim-pin.8944100000000000015": "4711", "sim-pin": "0000"],
    ])
  func `opens the SIM at the start`(kind: ModemProtocol, credentials: [String: String]) async throws {
    let modem = Self.locked(kind)
    #expect(try await life(of: modem, kind, credentials).state == .ready)
    #expect(modem.snapshot.pinAttempts == 3)
    modem.unplug()
  }

  @Test(arguments: ModemProtocol.allCases)
  func `opens a SIM that is locked later, and one that is put in`(kind: ModemProtocol) async throws {
    let modem = SimulatedModem.with(kind)
    let simulated = try SimulatedPort(modem, kind, deposit: .init(credentials: ["sim-pin": "4711"]))
    try await simulated.run { port in
      modem.removeSIM()
      await simulated.until { $0.sim.state == .absent }
      var sim = SimulatedSIM()
      sim.pin = "4711"
      modem.insertSIM(sim)
      await simulated.until { $0.sim.state == .ready }
    }
    modem.unplug()
  }

  @Test(arguments: ModemProtocol.allCases)
  func `that was refused is not tried again, by the next run of the port either`(kind: ModemProtocol) async throws {
    let modem = Self.locked(kind)
    try await withFolder { folder in
      for _ in 0..<3 {
        let sim = try await life(of: modem, kind, ["sim-pin": "0000"], folder)
        #expect(sim.state == .pinRequired && sim.retriesLeft == 2)
      }
      // What is remembered names neither SIM nor PIN.
      let files = names(in: folder)
      #expect(files.count == 1)
      let text = files.joined() + contents(of: "\(folder)/\(files[0])")
      #expect(!text.contains("0000 ") && !text.contains("8944100000000000015"))
      // Another PIN is tried, and opens it.
      #expect(try await life(of: modem, kind, ["sim-pin": "4711"], folder).state == .ready)
      #expect(modem.snapshot.pinAttempts == 3)
    }
    modem.unplug()
  }

  @Test(arguments: ModemProtocol.allCases)
  func `never takes the last attempt`(kind: ModemProtocol) async throws {
    let modem = Self.locked(kind, wrongPINs: 2)
    let sim = try await life(of: modem, kind, ["sim-pin": "4711"])
    #expect(sim.state == .pinRequired && sim.retriesLeft == 1)
    #expect(modem.snapshot.pinAttempts == 1)
    modem.unplug()
  }

  @Test(arguments: ModemProtocol.allCases)
  func `of which nobody knows what became is not tried again`(kind: ModemProtocol) async throws {
    let modem = Self.locked(kind)
    // The modem fails at the PIN. Over MBIM the questions before it, two of them, are the same
    // command.
    let fault = SimulatedFault(on: .pin, .fail, times: 1)
    modem.setFaults(kind == .mbim ? [SimulatedFault(on: .pin, .delay(.zero), times: 2), fault] : [fault])
    try await withFolder { folder in
      let sim = try await life(of: modem, kind, ["sim-pin": "0000"], folder)
      #expect(sim.state == .pinRequired && names(in: folder).count == 1)
      #expect(try await life(of: modem, kind, ["sim-pin": "0000"], folder).retriesLeft == 3)
      #expect(modem.snapshot.pinAttempts == 3)
      #expect(try await life(of: modem, kind, ["sim-pin": "4711"], folder).state == .ready)
    }
    modem.unplug()
  }

  @Test(arguments: ModemProtocol.allCases)
  func `gives way to one that is entered by hand, whose refusal counts too`(kind: ModemProtocol) async throws {
    let modem = Self.locked(kind)
    try await withFolder { folder in
      let deposit = SimulatedPort.Deposit(credentials: [:], folder: folder)
      try await SimulatedPort(modem, kind, deposit: deposit).run { port in
        let error = await modemError { try await port.unlock(with: PIN("0000")!) }
        #expect(error?.code == .wrongPIN && error?.retriesLeft == 2)
        #expect(await port.state.sim.retriesLeft == 2)
      }
      #expect(try await life(of: modem, kind, ["sim-pin": "0000"], folder).retriesLeft == 2)
      try await SimulatedPort(modem, kind, deposit: deposit).run { port in
        let opened = try await port.unlock(with: PIN("4711")!)
        #expect(opened.sim.state == .ready)
      }
      // The SIM's PIN becomes the one that it refused: entered by hand and taken, it is good again.
      modem.lockSIM(pin: PIN("0000")!)
      #expect(try await life(of: modem, kind, ["sim-pin": "0000"], folder).state == .pinRequired)
      try await SimulatedPort(modem, kind, deposit: deposit).run { port in
        let opened = try await port.unlock(with: PIN("0000")!)
        #expect(opened.sim.state == .ready)
      }
      #expect(names(in: folder).isEmpty)
      modem.lockSIM(pin: PIN("0000")!)
      #expect(try await life(of: modem, kind, ["sim-pin": "0000"], folder).state == .ready)
    }
    modem.unplug()
  }

  @Test(arguments: ["", "12", "12a4", "123456789"])
  func `of another form than a PIN's costs no attempt`(text: String) async throws {
    let modem = Self.locked(.mbim)
    #expect(try await life(of: modem, .mbim, ["sim-pin": text]).retriesLeft == 3)
    modem.unplug()
  }

  @Test func `is not entered where it cannot be remembered`() async throws {
    let modem = Self.locked(.mbim)
    let sim = try await life(of: modem, .mbim, ["sim-pin": "4711"], "/nonexistent")
    #expect(sim.state == .pinRequired && modem.snapshot.pinAttempts == 3)
    // By hand it is.
    let deposit = SimulatedPort.Deposit(credentials: [:], folder: "/nonexistent")
    try await SimulatedPort(modem, .mbim, deposit: deposit).run { port in
      let opened = try await port.unlock(with: PIN("4711")!)
      #expect(opened.sim.state == .ready)
    }
    modem.unplug()
  }
}

@Suite(.timeLimit(.minutes(2))) struct `A PIN that is entered by hand` {
  private static func locked(_ kind: ModemProtocol, wrongPINs: Int) -> SimulatedModem {
    SimulatedModem.with(kind) {
      $0.sim?.pin = "4711"
      $0.sim?.wrongPINs = wrongPINs
    }
  }

  @Test(arguments: ModemProtocol.allCases, [0, 1, 2])
  func `takes the last attempt with a word of its own alone`(kind: ModemProtocol, wrong: Int) async throws {
    let modem = Self.locked(kind, wrongPINs: wrong)
    try await SimulatedPort(modem, kind).run { port in
      for left in stride(from: 3 - wrong, to: 1, by: -1) {
        let error = await modemError { try await port.unlock(with: PIN("0000")!) }
        #expect(error?.code == .wrongPIN && error?.retriesLeft == left - 1)
      }
      let refused = await modemError { try await port.unlock(with: PIN("4711")!) }
      #expect(refused?.code == .lastAttempt && refused?.retriesLeft == 1)
      #expect(modem.snapshot.pinAttempts == 1)
      let opened = try await port.unlock(with: PIN("4711")!, mayBeLast: true)
      #expect(opened.sim.state == .ready)
      // Where none is wanted the word changes nothing.
      let error = await modemError { try await port.unlock(with: PIN("4711")!) }
      #expect(error?.code == .pinNotRequired)
    }
    modem.unplug()
  }

  @Test(arguments: ModemProtocol.allCases)
  func `with the word blocks the SIM when it is wrong, and the PUK is then not mistaken for it`(
    kind: ModemProtocol
  ) async throws {
    let modem = Self.locked(kind, wrongPINs: 2)
    try await SimulatedPort(modem, kind).run { port in
      #expect(await modemError { try await port.unlock(with: PIN("0000")!, mayBeLast: true) }?.retriesLeft == 0)
      #expect(await modemError { try await port.unlock(with: PIN("4711")!) }?.code == .simLocked)
      #expect(await modemError { try await port.unlock(with: PIN("4711")!, mayBeLast: true) }?.code == .simLocked)
    }
    modem.unplug()
  }
}

@Suite struct `The memory of refused PINs` {
  @Test func `keeps SIMs and PINs apart and forgets what was taken`() async throws {
    try await withFolder { folder in
      let (one, two) = (PIN("1111")!, PIN("2222")!)
      var memory = PINMemoryFolder(path: folder, digest: Checksum.sha256)
      #expect(!memory.contains(one, for: "A"))
      try memory.note(one, for: "A")
      try memory.note(one, for: "A")
      try memory.note(two, for: "A")
      memory = PINMemoryFolder(path: folder, digest: Checksum.sha256)
      #expect(memory.contains(one, for: "A") && memory.contains(two, for: "A"))
      #expect(!memory.contains(one, for: "B") && !memory.contains(PIN("3333")!, for: "A"))
      memory.forget(one, for: "A")
      #expect(!memory.contains(one, for: "A") && memory.contains(two, for: "A"))
      memory.forget(two, for: "A")
      #expect(names(in: folder).isEmpty)
      memory.forget(two, for: "A")
    }
  }

  @Test func `is bounded`() async throws {
    try await withFolder { folder in
      let memory = PINMemoryFolder(path: folder, digest: Checksum.sha256)
      for number in 1000..<1040 { try memory.note(PIN(String(number))!, for: "A") }
      #expect(!memory.contains(PIN("1000")!, for: "A") && memory.contains(PIN("1039")!, for: "A"))
      #expect(contents(of: "\(folder)/\(names(in: folder)[0])").split(separator: "\n").count == 16)
    }
  }

  @Test func `has the digest that FIPS 180-4 gives`() {
    let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(Checksum.sha256(Array("abc".utf8)) == expected)
  }
}
