import FleetAgent
import JSONTree
import MetricsAPI
import ModemAPI
import Synchronization

/// A machine with one modem that is registered and has its bearer up, as an agent sees it.
final class SimulatedMachine: FleetMachine {
  private struct State {
    var modem: ModemInterface.Modem
    var bearer: BearerInterface.Bearer
    /// How far its figures have come.
    var tick = 0
    var downs = 0
    var checks = 0
  }

  let changes: AsyncStream<MachineChange>
  private let continuation: AsyncStream<MachineChange>.Continuation
  private let state: Mutex<State>

  init(_ number: Int) {
    (changes, continuation) = AsyncStream.makeStream(of: MachineChange.self)
    let id = "modem-" + String(String(number + (1 << 40), radix: 16).suffix(8)) + "00000000"
    let modem = ModemInterface.Modem(
      id: id, device: "/dev/cdc-wdm0", protocol: .mbim, manufacturer: "Maker", model: "M1", firmware: "1.2",
      imei: "490154203237518", interface: "wwan0",
      sim: .init(
        state: .ready, slot: 1, iccid: "8944110068256270054", imsi: "234150999999999",
        numbers: [.init(number: "+447700900123", normalised: true, source: .subscriberReady)],
        home: .init(mcc: "234", mnc: "15", name: "Home")),
      registration: .init(
        state: .home, serving: .init(mcc: "234", mnc: "15", name: "Home"), technology: .lte, rssi: -71),
      fault: nil, sharing: .init(way: .own, reason: "no other program has the modem"), software: "modemd-port 1")
    state = Mutex(State(modem: modem, bearer: Self.bearer(id, .up)))
    continuation.yield(.present(version: "1"))
    continuation.yield(.modem(modem))
    continuation.yield(.bearer(Self.bearer(id, .up)))
  }

  private static func bearer(_ id: String, _ state: BearerInterface.Bearer.State) -> BearerInterface.Bearer {
    .init(
      modem: id, state: state, apn: "internet",
      settings: state == .up
        ? .init(
          interface: "wwan0", ipv4: .init(address: "10.64.0.7", prefixLength: 32), dns: ["10.64.0.1"], mtu: 1500,
          table: 1000) : nil,
      since: "2026-11-26T10:00:00.000Z")
  }

  /// The bearer goes down, or comes up.
  func turn(_ bearerState: BearerInterface.Bearer.State) {
    let bearer = state.withLock { state in
      state.bearer = Self.bearer(state.modem.id, bearerState)
      if bearerState != .up { state.downs += 1 }
      return state.bearer
    }
    continuation.yield(.bearer(bearer))
  }

  /// A minute of a machine passes: the signal is another.
  func minute(_ rssi: Int) {
    let modem = state.withLock { state in
      state.tick += 1
      state.modem.registration.rssi = rssi
      return state.modem
    }
    continuation.yield(.modem(modem))
  }

  /// What modemd has of figures for one modem after some use: those of Docs/metrics.md.
  func figures() async throws -> [MetricsInterface.List.Reply] {
    let (id, tick, downs, checks, bearer) = state.withLock { state in
      (state.modem.id, state.tick, state.downs, state.checks, state.bearer)
    }
    var list: [MetricsInterface.List.Reply] = []
    func add(_ name: String, _ value: Int, _ fields: [String: String] = [:], ofModem: Bool = false) {
      list.append(
        .init(
          name: "org.modemd." + name, value: .int(value), object: ofModem ? id : nil,
          fields: fields.isEmpty ? nil : fields))
    }
    add("Modems", 1)
    for state in ["unknown", "ready", "absent", "pinRequired", "pukRequired", "blocked", "failed"] {
      add("SimState", state == "ready" ? 1 : 0, ["state": state], ofModem: true)
    }
    for state in ["unknown", "searching", "home", "roaming", "denied", "none"] {
      add("RegistrationState", state == "home" ? 1 : 0, ["state": state], ofModem: true)
    }
    for state in ["down", "connecting", "up", "disconnecting"] {
      add("BearerState", state == bearer.state.rawValue ? 1 : 0, ["state": state], ofModem: true)
    }
    add("ModemFault", 0, ofModem: true)
    add("SignalRssiDbm", -70 - tick % 7, ["technology": "lte"], ofModem: true)
    add("PortStarts", 1, ofModem: true)
    add("PortRequestTimeouts", 0, ofModem: true)
    add("BearerUp", bearer.state == .up ? 1 : 0, ofModem: true)
    add("BearerUpSinceTimestampSeconds", 1_795_700_000, ofModem: true)
    add("BearerAttempts", downs + 1, ["result": "up"], ofModem: true)
    add("BearerAttempts", 0, ["result": "failed"], ofModem: true)
    add("BearerUps", downs + 1, ofModem: true)
    add("BearerDowns", downs, ["cause": "36"], ofModem: true)
    add("BearerUpSeconds", tick * 60, ofModem: true)
    for purpose in ["chains", "flows", "warming", "sockets", "streams", "proxy", "probes"] {
      let share = ["chains", "flows", "probes"].contains(purpose) ? tick * 1234 : 0
      add("BearerReceiveBytes", share, ["purpose": purpose], ofModem: true)
      add("BearerTransmitBytes", share / 3, ["purpose": purpose], ofModem: true)
    }
    add("BearerTrafficSilent", 0, ofModem: true)
    for histogram in ["CheckDurationSeconds", "FlowDurationSeconds"] {
      for bound in ["0.25", "0.5", "1", "2.5", "5", "10", "30", "60", "+Inf"] {
        add(histogram + "Bucket", checks, ["le": bound, "result": "answer"])
      }
      add(histogram + "Count", checks, ["result": "answer"])
      add(histogram + "Sum", checks * 2, ["result": "answer"])
    }
    add("Checks", checks, ["result": "answer"])
    add("Hops", checks * 6, ["scheme": "http"])
    add("Hops", checks * 2, ["scheme": "https"])
    for name in ["ChecksRunning", "ChecksWaiting", "ProviderFaults", "MetricSeriesDropped"] { add(name, 0) }
    add("ProcessCpuSeconds", tick / 10)
    add("ProcessResidentMemoryBytes", 27_000_000 + tick % 5 * 4096)
    add("ProcessVirtualMemoryBytes", 900_000_000)
    add("ProcessOpenFds", 31)
    add("ProcessMaxFds", 4096)
    add("ProcessStartTimeSeconds", 1_795_600_000)
    return list
  }

  func carryOut(
    _ command: FleetCommand, progress: @escaping @Sendable (MachineProgress) async -> Void
  ) async throws -> MachineAnswer {
    let (modem, bearer) = state.withLock { state in
      state.checks += 1
      return (state.modem, state.bearer)
    }
    return switch command {
    case .listModems: .modems([modem])
    case .getModem: .modem(modem)
    default: .bearer(bearer)
    }
  }

  func diagnosis() async throws -> [UInt8] { Array("nothing to report\n".utf8) }
}
