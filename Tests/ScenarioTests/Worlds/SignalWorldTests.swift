import FoundationEssentials
import ModemAPI
import ModemModel
import ModemSimulator
import Testing

@testable import ScenarioRunner
import modem_simulator

/// What a modem measures of its cell, as far as programs and people see it.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct SignalWorldTests {
  private struct Signal: Hashable {
    var rssi, rsrp, rsrq, sinr: Int?
  }

  private func signal(in world: World) async throws -> Signal? {
    let modems = try await world.client().call(ModemInterface.List.self, .init()).modems
    return modems.first.map { modem in
      let registration = modem.registration
      return Signal(
        rssi: registration.rssi, rsrp: registration.rsrp, rsrq: registration.rsrq, sinr: registration.sinr)
    }
  }

  @Test(arguments: ModemProtocol.allCases)
  func `it comes from the modem through both daemons, and follows the modem`(kind: ModemProtocol) async throws {
    // MBIM has no RSRQ.
    let isQMI = kind == .qmi
    try await Worlds.with(#"{"modem": {"mbimExtensions": 3}}"#, kind: kind) { world in
      let first = Signal(rssi: -71, rsrp: -99, rsrq: isQMI ? -11 : nil, sinr: 13)
      #expect(try await world.eventually { try await signal(in: world) == first })
      let status = try await world.run(["modemctl", "status", "wwan0"])
      let cell = "RSRP -99 dBm, \(isQMI ? "RSRQ -11 dB, " : "")SINR 13 dB\n"
      #expect(status.output.contains(cell), "\(status.output)\(status.error)")

      _ = try await world.perform(#"signal {"rssi": -93, "rsrp": -124, "rsrq": -17, "sinr": -5}"#)
      let weak = Signal(rssi: -93, rsrp: -124, rsrq: isQMI ? -17 : nil, sinr: -5)
      #expect(try await world.eventually { try await signal(in: world) == weak })

      // A modem that reports every decibel is not asked more often than once a second, and nobody
      // hears of a decibel.
      let commands = world.modem.snapshot.commands[.signal] ?? 0
      let begin = ContinuousClock.now
      for step in 0..<40 {
        world.modem.setSignal(rssi: -93, ReferenceSignal(rsrp: -124 - Double(step % 2), rsrq: -17, sinr: -5))
      }
      #expect(try await world.eventually { (world.modem.snapshot.commands[.signal] ?? 0) > commands })
      let asked = (world.modem.snapshot.commands[.signal] ?? 0) - commands
      #expect(asked <= 2 + Int((ContinuousClock.now - begin) / .seconds(1)))
      #expect(try await signal(in: world) == weak)

      _ = try await world.perform("signal")
      #expect(try await world.eventually { try await signal(in: world) == first })
    }
  }

  @Test(arguments: ["cut", "fail", "noise"])
  func `after an answer that cannot be read, the next one counts`(action: String) async throws {
    try await Worlds.with(#"{"modem": {"mbimExtensions": 3}}"#, kind: .mbim) { world in
      let first = Signal(rssi: -71, rsrp: -99, rsrq: nil, sinr: 13)
      #expect(try await world.eventually { try await signal(in: world) == first })
      _ = try await world.perform(#"faults [{"operation": "signal", "action": "\#(action)", "times": 1}]"#)
      let commands = world.modem.snapshot.commands[.signal] ?? 0
      world.modem.setSignal(rssi: -93)
      #expect(try await world.eventually { (world.modem.snapshot.commands[.signal] ?? 0) > commands })
      world.modem.setSignal(rssi: -95)
      let later = Signal(rssi: -95, rsrp: -123, rsrq: nil, sinr: 13)
      #expect(try await world.eventually { try await signal(in: world) == later })
    }
  }
}
