import FoundationEssentials
import ModemAPI
import ModemModel
import ModemSimulator
import Testing

@testable import ScenarioRunner
import modem_simulator

/// SIMs as programs and people see them: both daemons and modemctl on a simulated modem.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct SIMTests {
  /// What `modemctl sim --json` gives.
  private struct Document: Decodable {
    var sim: ModemInterface.SIM
    var slots: [ModemInterface.Slot]?
    var switchable: Bool
  }

  private func scenario(_ name: String) throws -> String {
    try Scenario(folder: "\(Worlds.repository)/Scenarios/\(name)").text
  }

  private func sim(in world: World) async throws -> Document {
    let run = try await world.run(["modemctl", "sim", "--json", "--reveal"])
    #expect(run.end == .exited(0), "\(run.error)")
    return try JSONDecoder().decode(Document.self, from: Data(run.output.utf8))
  }

  @Test(arguments: ModemProtocol.allCases)
  func `a number in the SIM's file is found, and the network's code is that of EF_AD`(kind: ModemProtocol) async throws
  {
    try await Worlds.with(try scenario("ef-msisdn"), kind: kind) { world in
      let found = try await sim(in: world).sim
      #expect(found.numbers == [.init(number: "+12025550123", normalised: true, source: .efMsisdn)])
      #expect(found.home?.mcc == "310" && found.home?.mnc == "026" && found.home?.name == "Example Wireless")
      let walk = try await world.walk("/checks/12025550123")
      #expect(walk.outcome?.answer?.status == 200, "\(walk.words)")
    }
  }

  @Test(arguments: ModemProtocol.allCases)
  func `another slot is used once the bearer is down`(kind: ModemProtocol) async throws {
    try await Worlds.with(try scenario("two-slots"), kind: kind) { world in
      let before = try await sim(in: world)
      #expect(before.switchable && before.slots?.map(\.active) == [false, true, false])
      #expect(before.sim.slot == 2 && before.sim.numbers.map(\.number) == ["+447700900123"])
      #expect(try await world.run(["modemctl", "connect"]).end == .exited(0))
      let refused = try await world.run(["modemctl", "switch-slot", "1"])
      #expect(refused.end == .exited(6) && refused.error.contains("modemctl disconnect"), "\(refused.error)")
      #expect(try await world.run(["modemctl", "disconnect"]).end == .exited(0))
      let switched = try await world.run(["modemctl", "switch-slot", "1"])
      #expect(switched.end == .exited(0), "\(switched.error)")
      let isLocked = try await world.eventually { try await sim(in: world).sim.state == .pinRequired }
      #expect(isLocked)
      // From a pipe: never an argument.
      let unlocked = try await world.run(["sh", "-c", "echo 1234 | modemctl unlock"])
      #expect(unlocked.end == .exited(0), "\(unlocked.error)")
      let isReady = try await world.eventually {
        let found = try await sim(in: world).sim
        return found.state == .ready && found.numbers.map(\.number) == ["+4915112345678"]
      }
      #expect(isReady)
      let missing = try await world.run(["modemctl", "switch-slot", "4"])
      #expect(missing.end == .exited(2), "\(missing.error)")
    }
  }

  /// Runs the program modemd-port with a credential until `isSo`, and ends it.
  private func runPort(
    in world: World, _ kind: ModemProtocol, pin: String,
    until isSo: @escaping @Sendable (SimulatedModem.Snapshot) -> Bool
  ) async throws -> String {
    let folder = world.folder.path
    let setUp =
      "mkdir -p \(folder)/credentials \(folder)/state && printf '%s\\n' \(pin) > \(folder)/credentials/sim-pin"
    #expect(try await world.run(["sh", "-c", setUp]).end == .exited(0))
    let port = try await world.begin([
      "env", "CREDENTIALS_DIRECTORY=\(folder)/credentials", "STATE_DIRECTORY=\(folder)/state", "modemd-port",
      "--device",
      world.devicePath, "--protocol", kind.rawValue, "--interface", "wwan0", "--socket", "\(folder)/port-by-hand",
    ])
    let modem = world.modem
    #expect(try await world.eventually { isSo(modem.snapshot) }, "\(port.error())")
    await port.process.stop()
    return port.output() + port.error()
  }

  @Test(arguments: ModemProtocol.allCases)
  func `a PIN from the port's credentials is entered, and a refused one once`(kind: ModemProtocol) async throws {
    let scenario = #"{"sim": {"state": "pinRequired", "pin": "4711"}}"#
    try await Worlds.with(scenario, kind: kind, startsDaemons: false) { world in
      _ = try await runPort(in: world, kind, pin: "9999") { $0.pinAttempts == 2 }
      let pins = world.modem.snapshot.commands[.pin, default: 0]
      let asked = world.modem.snapshot.commands[.registration, default: 0]
      // The next run asks for the SIM, leaves the PIN alone, and asks for the registration.
      let log = try await runPort(in: world, kind, pin: "9999") { $0.commands[.registration, default: 0] > asked }
      #expect(world.modem.snapshot.pinAttempts == 2)
      #expect(kind == .mbim || world.modem.snapshot.commands[.pin, default: 0] == pins)
      #expect(!log.contains("9999"))
      _ = try await runPort(in: world, kind, pin: "4711") { $0.registration.state == .home }
      #expect(world.modem.snapshot.pinAttempts == 3)
    }
  }

  @Test(arguments: ModemProtocol.allCases)
  func `a SIM that a starting modem denies is found by asking again`(kind: ModemProtocol) async throws {
    try await Worlds.with(#"{"modem": {"falseAbsences": 2}}"#, kind: kind) { world in
      // The check waits for the modem's last word.
      let walk = try await world.walk("/checks/4915112345678")
      #expect(walk.outcome?.answer?.status == 200, "\(walk.words)")
    }
  }
}
