import ModemModel
import ModemSimulator
import ScenarioRunner
import Testing

/// ModemManager and modemd on the same simulated modem, both real, over real proxies and a real
/// bus. Neither disturbs the other.
@Suite(.serialized, .timeLimit(.minutes(6)), .enabled(if: Stage.isPossible, Stage.reason))
struct ThreeWaysTests {
  private static let check = "https://check.aggregator.example/checks/4915112345678"

  @Test func `follow uses ModemManager's bearer, adds a table and rules, and leaves the rest as it is`() async throws {
    try await Stage.with { stage in
      try await stage.startModemManager()
      try await stage.connectModemManager()
      try await stage.setAddresses()
      let before = try await stage.world.run(["ip", "address", "show", "dev", "wwan0"]).output
      let commands = stage.world.modem.snapshot.commands
      try await stage.startModemd()
      #expect(
        try await stage.waits(for: "Sharing") {
          $0 == "follow: ModemManager has the modem, with a connected bearer (ModemManager 1.20.4)"
        })
      #expect(try await stage.waits(for: "SIM") { $0 == "ready, +4915112345678" })
      #expect(try await stage.waits(for: "Network") { $0.hasPrefix("home, Example Mobile 262-01, LTE") })

      let connect = try await stage.modemctl("connect")
      #expect(connect.end.status == 0, "\(connect.error) \(stage.log(of: "modemd-port"))")
      #expect(try await stage.rules().contains("oif wwan0"))
      let open = try await stage.modemctl("open", Self.check)
      #expect(open.end.status == 0, "\(open.error)")
      #expect(stage.world.leaks.packets == 0, "\(stage.world.leaks)")
      let disconnect = try await stage.modemctl("disconnect")
      #expect(disconnect.end.status == 0, "\(disconnect.error)")

      #expect(try await stage.rules() == "")
      #expect(try await stage.world.run(["ip", "address", "show", "dev", "wwan0"]).output == before)
      #expect(try await stage.isConnected())
      // Not one command of modemd's went to the modem: it was neither opened nor closed, connected
      // nor disconnected.
      let after = stage.world.modem.snapshot.commands
      for operation in [ModemOperation.open, .close, .connect, .disconnect, .subscriber, .deviceCaps] {
        #expect(after[operation] == commands[operation], "\(operation)")
      }
    }
  }

  @Test func `a bearer that ModemManager takes down ends modemd's with the cause`() async throws {
    try await Stage.with { stage in
      try await stage.startModemManager()
      try await stage.connectModemManager()
      try await stage.setAddresses()
      try await stage.startModemd("--sharing", "follow")
      #expect(try await stage.waits(for: "SIM") { $0.hasPrefix("ready") })
      let connect = try await stage.modemctl("connect")
      #expect(connect.end.status == 0, "\(connect.error)")
      let disconnect = try await stage.mmcli("-m", "any", "--simple-disconnect")
      #expect(disconnect.end.status == 0, "\(disconnect.error)")
      #expect(try await stage.waits(for: "Bearer") { $0.contains("ModemManager's bearer was disconnected") })
      #expect(try await eventually { try await stage.rules() == "" })
      let again = try await stage.modemctl("connect")
      #expect(again.end.status != 0 && again.error.contains("ModemManager has no connected bearer"), "\(again.error)")
    }
  }

  @Test(arguments: ModemProtocol.allCases)
  func `own has ModemManager let go, and gives the modem back at the end`(kind: ModemProtocol) async throws {
    try await Stage.with(kind) { stage in
      try await stage.startModemManager()
      try await stage.startModemd("--sharing", "own")
      #expect(try await stage.waits(for: "Sharing") { $0.hasPrefix("own: own, as configured") })
      #expect(try await stage.waits(for: "SIM") { $0 == "ready, +4915112345678" })
      #expect(try await !stage.hasModem())
      let open = try await stage.modemctl("open", Self.check)
      #expect(open.end.status == 0, "\(open.error) \(stage.log(of: "modemd-port"))")
      #expect(stage.world.leaks.packets == 0)
      try await stage.end("modemd-port")
      #expect(try await eventually { try await stage.hasModem() })
      #expect(stage.world.modem.snapshot.bearers.isEmpty)
    }
  }

  @Test func `share leaves whoever connected first its session`() async throws {
    try await Stage.with { stage in
      try await stage.startModemManager()
      try await stage.startModemd("--sharing", "share")
      #expect(try await stage.waits(for: "Sharing") { $0.hasPrefix("share: share, as configured") })
      #expect(try await stage.waits(for: "SIM") { $0 == "ready, +4915112345678" })
      #expect(try await stage.hasModem())
      guard try await stage.status("Sharing")?.contains("session 77") == false else { return }

      let open = try await stage.modemctl("open", Self.check)
      #expect(open.end.status == 0, "\(open.error) \(stage.log(of: "modemd-port"))")
      let disconnect = try await stage.modemctl("disconnect")
      #expect(disconnect.end.status == 0, "\(disconnect.error)")
      #expect(try await stage.hasModem())

      try await stage.connectModemManager()
      let connect = try await stage.modemctl("connect")
      #expect(connect.end.status != 0 && connect.error.contains("another program"), "\(connect.error)")
      #expect(try await stage.isConnected())
      try await stage.end("modemd-port")
      #expect(try await stage.isConnected())
      #expect(stage.world.modem.snapshot.bearers.count == 1)
    }
  }

  @Test(.enabled(if: KernelLinks.hasVLAN, KernelLinks.reason))
  func `share has a session of its own beside ModemManager's`() async throws {
    try await Stage.with { stage in
      try await stage.startModemManager()
      try await stage.startModemd("--sharing", "share")
      #expect(try await stage.waits(for: "Sharing") { $0.contains("session 77") })
      try await stage.connectModemManager()
      let connect = try await stage.modemctl("connect")
      #expect(connect.end.status == 0, "\(connect.error)")
      #expect(stage.world.modem.snapshot.bearers.count == 2)
      #expect(try await stage.world.run(["ip", "link", "show", "wwan0.77"]).end.status == 0)
      _ = try await stage.modemctl("disconnect")
      #expect(try await stage.world.run(["ip", "link", "show", "wwan0.77"]).end.status != 0)
      #expect(try await stage.isConnected())
    }
  }

  @Test func `ModemManager that leaves the bus is a fault, and its coming back ends it`() async throws {
    try await Stage.with { stage in
      try await stage.startModemManager()
      try await stage.connectModemManager()
      try await stage.setAddresses()
      try await stage.startModemd("--sharing", "follow")
      #expect(try await stage.waits(for: "SIM") { $0.hasPrefix("ready") })
      let connect = try await stage.modemctl("connect")
      #expect(connect.end.status == 0, "\(connect.error)")
      try await stage.end("ModemManager", with: "KILL")
      #expect(try await stage.waits(for: "Fault") { $0.contains("ModemManager does not run") })
      #expect(try await eventually { try await stage.rules() == "" })
      try await stage.startModemManager()
      #expect(try await eventually { try await stage.status("Fault") == nil })
      #expect(try await stage.waits(for: "Sharing") { $0.hasPrefix("follow: follow, as configured (ModemManager") })
    }
  }

  @Test(arguments: ModemProtocol.allCases, [true, false])
  func `left to itself a port has ModemManager let go when a bearer is wanted, and gives the modem back`(
    kind: ModemProtocol, managerIsFirst: Bool
  ) async throws {
    // Without links for sessions, as on many kernels that tests run on, and with one session
    // everywhere.
    try await Stage.with(kind, "{ \"modem\": { \"sessions\": 1 } }") { stage in
      if managerIsFirst { try await stage.startModemManager() }
      try await stage.startModemd()
      if !managerIsFirst {
        #expect(try await stage.waits(for: "SIM") { $0.hasPrefix("ready") })
        let first = try await stage.modemctl("open", Self.check)
        #expect(first.end.status == 0, "\(first.error) \(stage.log(of: "modemd-port"))")
        try await stage.startModemManager()
      }
      #expect(
        try await stage.waits(for: "Sharing") { $0.hasPrefix("follow: ModemManager has the modem without a bearer") })
      #expect(try await stage.waits(for: "SIM") { $0.hasPrefix("ready") })
      let open = try await stage.modemctl("open", Self.check)
      #expect(open.end.status == 0, "\(open.error) \(stage.log(of: "modemd-port"))")
      #expect(
        try await stage.waits(for: "Sharing") { $0.hasPrefix("own: ModemManager was asked to release the modem") })
      #expect(try await stage.status("Passed over")?.contains("follow: ModemManager had no bearer") == true)
      #expect(try await !stage.hasModem())
      let disconnect = try await stage.modemctl("disconnect")
      #expect(disconnect.end.status == 0, "\(disconnect.error)")
      #expect(try await eventually { try await stage.hasModem() })
      #expect(try await stage.waits(for: "Sharing") { $0.hasPrefix("follow: ") })
      #expect(stage.world.leaks.packets == 0 && stage.world.modem.snapshot.bearers.isEmpty)
    }
  }

  @Test func `by itself a port changes its way with what runs`() async throws {
    try await Stage.with { stage in
      try await stage.startModemd()
      #expect(try await stage.waits(for: "Sharing") { $0 == "own: ModemManager does not run" })
      #expect(try await stage.waits(for: "SIM") { $0.hasPrefix("ready") })
      try await stage.startModemManager()
      #expect(try await stage.waits(for: "Sharing") { $0.contains("ModemManager has the modem") })
      #expect(try await stage.waits(for: "SIM") { $0.hasPrefix("ready") })
      try await stage.end("ModemManager", with: "KILL")
      #expect(try await stage.waits(for: "Sharing") { $0 == "own: ModemManager does not run" })
      #expect(try await eventually { try await stage.status("Fault") == nil })
    }
  }
}
