import FoundationEssentials
import ModemAPI
import ModemModel
import Testing

@testable import ModemctlCommands

@Suite("list, status, connect, disconnect, unlock", .timeLimit(.minutes(1)))
struct ModemVerbTests {
  @Test("list has a line for each modem, aligned, with units in its header")
  func list() async throws {
    try await MemoryService.run(modems: [.sample(), .sample("modem-22", sim: .pinRequired)]) { service in
      let run = await service.modemctl("list")
      #expect(run.status == .done && run.messages == "")
      #expect(
        run.output == """
          MODEM           DEVICE         PROTOCOL  SIM           NUMBER         REGISTRATION  NETWORK      TECHNOLOGY  SIGNAL dBm
          modem-0011aabb  /dev/cdc-wdm0  mbim      ready         •••••••••••23  home          Test 001-01  LTE                -73
          modem-22        /dev/cdc-wdm0  mbim      PIN required  •••••••••••23  home          Test 001-01  LTE                -73

          """)
      #expect(await service.modemctl("list", "--reveal").output.contains("+447700900123"))
    }
  }

  @Test("status has all that is known of a modem and its bearer")
  func status() async throws {
    try await MemoryService.run { service in
      _ = await service.modemctl("connect", "--apn", "internet")
      let run = await service.modemctl("status", "modem-0011aabb")
      #expect(run.status == .done && run.messages == "")
      #expect(
        run.output == """
          modem-0011aabb
            Device         /dev/cdc-wdm0 (MBIM)
            Interface      wwan0
            Manufacturer   Maker
            Model          X1
            Firmware       1.2
            IMEI           •••••••••••7518

          SIM
            State          ready
            Attempts left  3
            Slot           1
            Number         •••••••••••23 (from the modem)
            IMSI           •••••••••••••••
            ICCID          •••••••••••••••0017
            Home network   Test 001-01

          Registration
            State          home
            Network        Test 001-01
            Technology     LTE
            Signal         -73 dBm

          Bearer
            State          up (since 1970-01-01T00:00:01Z)
            Access point   internet
            Interface      wwan0
            IPv4 address   10.64.0.2/30, gateway 10.64.0.1
            DNS servers    10.64.0.53
            MTU            1430 bytes
            Routing table  1007

          """)
      for name in ["/dev/cdc-wdm0", "wwan0"] {
        #expect(await service.modemctl("status", name).output == run.output)
      }
    }
  }

  @Test("What is measured of the cell is in status, on the line of a modem, and in JSON")
  func cell() async throws {
    var modem = ModemState.sample()
    modem.registration.referenceSignal = ReferenceSignal(rsrp: -99, rsrq: -11, sinr: 13)
    var alone = ModemState.sample("modem-22")
    alone.registration.technology = .nr
    alone.registration.rssi = nil
    alone.registration.referenceSignal = ReferenceSignal(rsrp: -112, sinr: -4)
    try await MemoryService.run(modems: [modem, alone]) { service in
      let details = await service.modemctl("status", "modem-0011aabb").output
      #expect(
        details.contains("Signal         -73 dBm\n  Cell           RSRP -99 dBm, RSRQ -11 dB, SINR 13 dB\n"),
        "\(details)")
      #expect(
        await service.modemctl("status", "modem-22").output.contains("Cell           RSRP -112 dBm, SINR -4 dB\n"))
      let overview = await service.modemctl("status").output
      #expect(overview.contains("LTE, -73 dBm, RSRP -99 dBm, RSRQ -11 dB, SINR 13 dB\n"), "\(overview)")
      #expect(overview.contains("5G, RSRP -112 dBm, SINR -4 dB\n"), "\(overview)")
      let json = await service.modemctl("list", "--json").output
      let list = try JSONDecoder().decode(ModemInterface.List.Reply.self, from: Data(json.utf8)).modems
      #expect(list.map(\.registration.rsrp) == [-99, -112] && list.map(\.registration.rsrq) == [-11, nil])
      #expect(list.map(\.registration.sinr) == [13, -4] && list.map(\.registration.rssi) == [-73, nil])
    }
  }

  @Test(
    "status without a modem is the service on one screen: versions, how each modem is shared and why, bearer, faults")
  func overview() async throws {
    var shared = ModemState.sample("modem-1")
    shared.sharing = Sharing(
      way: .follow, reason: "ModemManager has the modem, with a connected bearer", manager: "1.20.4",
      managerState: .connected, passedOver: "share: the modem carries one session")
    shared.software = "modemd-port 0.1.0, libmbim 1.28.2"
    var broken = ModemState.sample("modem-2", sim: .pinRequired)
    broken.sharing = Sharing(way: .share, reason: "share, as configured", session: 77)
    broken.fault = Fault(cause: "the control port does not answer", since: Timestamp(milliseconds: 0))
    try await MemoryService.run(modems: [shared, broken]) { service in
      _ = await service.modemctl("connect", "--modem", "modem-1", "--apn", "internet")
      let run = await service.modemctl("status")
      #expect(run.status == .done && run.messages == "")
      #expect(
        run.output == """
          modemd test
            Socket       \(service.path)
            Modems       2, of which 1 do not work

          modem-1
            Device       /dev/cdc-wdm0 (MBIM), wwan0
            Sharing      follow: ModemManager has the modem, with a connected bearer (ModemManager 1.20.4)
            Passed over  share: the modem carries one session
            SIM          ready, •••••••••••23
            Network      home, Test 001-01, LTE, -73 dBm
            Bearer       up, wwan0, 10.64.0.2/30, access point internet, since 1970-01-01T00:00:01Z
            Software     modemd-port 0.1.0, libmbim 1.28.2

          modem-2
            Fault        the control port does not answer (since 1970-01-01T00:00:00Z)
            Device       /dev/cdc-wdm0 (MBIM), wwan0
            Sharing      share: share, as configured; session 77
            SIM          PIN required, •••••••••••23
            Network      home, Test 001-01, LTE, -73 dBm
            Bearer       down, since 1970-01-01T00:00:00Z

          """)
      let json = await service.modemctl("status", "--json").output
      let overview = try JSONDecoder().decode(Status.Overview.self, from: Data(json.utf8))
      #expect(overview.service.version == "test")
      #expect(overview.modems.map(\.modem.sharing?.way) == [.follow, .share])
      #expect(overview.modems.map(\.modem.sharing?.managerState) == [.connected, nil])
      #expect(overview.modems.map(\.bearer.state) == [.up, .down])
      let details = await service.modemctl("status", "modem-1").output
      #expect(details.contains("has the modem, with a connected bearer\n") && details.contains("Passed over"))
    }
  }

  @Test("No verb shows personal data unless --reveal is given, as text or as JSON")
  func masked() async throws {
    try await MemoryService.run { service in
      for verb in ["list", "status"] {
        for form in [[], ["--json"]] {
          let hidden = RecordingConsole()
          let shown = RecordingConsole()
          let variables = ["MODEMD_SOCKET": service.path]
          _ = await Modemctl.run([verb] + form, on: hidden.console(variables: variables))
          _ = await Modemctl.run([verb, "--reveal"] + form, on: shown.console(variables: variables))
          for secret in personalData { #expect(!hidden.output.contains(secret), "\(verb) \(form)") }
          #expect(shown.output.contains("447700900123"))
        }
      }
    }
  }

  @Test("--json gives one document of the wire types")
  func json() async throws {
    try await MemoryService.run { service in
      let list = await service.modemctl("list", "--json", "--reveal").output
      let modems = try JSONDecoder().decode(ModemInterface.List.Reply.self, from: Data(list.utf8)).modems
      #expect(modems == [ModemInterface.Modem(.sample())])
      let connect = await service.modemctl("connect", "--json").output
      let bearer = try JSONDecoder().decode(BearerInterface.Connect.Reply.self, from: Data(connect.utf8)).bearer
      #expect(bearer.settings?.ipv4?.address == "10.64.0.2")
      let status = await service.modemctl("status", "wwan0", "--json").output
      #expect(try JSONDecoder().decode(Status.Document.self, from: Data(status.utf8)).bearer == bearer)
      let disconnect = await service.modemctl("disconnect", "--json").output
      let down = try JSONDecoder().decode(BearerInterface.Disconnect.Reply.self, from: Data(disconnect.utf8)).bearer
      #expect(down.state == .down && down.settings == nil)
    }
  }

  @Test("Without a modem, list says so in one sentence; for programs it is an empty list")
  func noModem() async throws {
    try await MemoryService.run(modems: []) { service in
      let list = await service.modemctl("list")
      #expect(list.status == .noModem && list.output == "" && list.messages.contains("plug one in"))
      let json = await service.modemctl("list", "--json")
      #expect(json.status == .done && json.messages == "")
      let status = await service.modemctl("status")
      #expect(status.status == .noModem && status.messages.contains("plug one in"))
      #expect(status.output == "modemd test\n  Socket  \(service.path)\n  Modems  none\n")
      #expect(status.messages.filter { $0 == "\n" }.count == 1)
    }
  }

  @Test("With several modems one must be named, and the names are given")
  func severalModems() async throws {
    try await MemoryService.run(modems: [.sample("modem-1"), .sample("modem-2")]) { service in
      let run = await service.modemctl("connect")
      #expect(run.status == .noModem && run.output == "")
      #expect(run.messages == "modemctl: there are 2 modems; name one of modem-1, modem-2\n")
      #expect(await service.modemctl("connect", "--modem", "modem-2").status == .done)
      let unknown = await service.modemctl("status", "modem-3")
      #expect(unknown.status == .noModem && unknown.messages.contains("no modem is named modem-3"))
    }
  }

  @Test("The last attempt takes a word of its own")
  func lastAttempt() async throws {
    var modem = ModemState.sample(sim: .pinRequired)
    modem.sim.retriesLeft = 1
    try await MemoryService.run(modems: [modem]) { service in
      let refused = await service.modemctl("unlock", secret: "1234")
      #expect(refused.status == .notReady)
      #expect(refused.messages == "modemctl: 1 attempt is left, with `modemctl unlock --last-attempt`\n")
      let meant = await service.modemctl("unlock", "--last-attempt", secret: "1234")
      #expect(meant.status == .done && meant.output == "modem-0011aabb: SIM ready\n")
    }
  }

  @Test("A locked SIM keeps the bearer down until unlock; the PIN comes from the terminal or from standard input")
  func unlock() async throws {
    try await MemoryService.run(modems: [.sample(sim: .pinRequired)]) { service in
      let connect = await service.modemctl("connect")
      #expect(connect.status == .notReady && connect.messages.contains("modemctl unlock"))
      let wrong = await service.modemctl("unlock", secret: "9999")
      #expect(wrong.status == .notReady)
      #expect(wrong.messages == "modemctl: the SIM refused the PIN; 2 attempts left\n")
      for bad in ["12", "12a4", "123456789", ""] {
        let run = await service.modemctl("unlock", secret: bad)
        #expect(run.status == .usage && run.messages.contains("was not sent"))
      }
      #expect(await service.modemctl("unlock").status == .usage)
      let right = await service.modemctl("unlock", secret: "1234")
      #expect(right.status == .done && right.output == "modem-0011aabb: SIM ready\n")
      #expect(await service.modemctl("unlock", secret: "1234").status == .notReady)
      #expect(await service.modemctl("unlock", "1234").status == .usage)
    }
  }
}
