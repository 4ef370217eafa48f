import JSONTree
import MetricsAPI
import ModemAPI
import ModemAPIClient
import Synchronization

@testable import FleetAgent

/// A machine whose modems a test plays.
final class PlayedMachine: FleetMachine {
  typealias Answer =
    @Sendable (FleetCommand, @Sendable (MachineProgress) async -> Void) async throws -> MachineAnswer

  private struct State {
    var asked: [FleetCommand] = []
    var figures: [MetricsInterface.List.Reply] = []
    var report: [UInt8] = []
    var answer: Answer?
  }

  let changes: AsyncStream<MachineChange>
  private let continuation: AsyncStream<MachineChange>.Continuation
  private let state = Mutex(State())

  init() { (changes, continuation) = AsyncStream.makeStream(of: MachineChange.self) }

  /// Commands that were carried out, in their order.
  var asked: [FleetCommand] { state.withLock { $0.asked } }

  func tell(_ change: MachineChange) { continuation.yield(change) }
  func answer(_ answer: @escaping Answer) { state.withLock { $0.answer = answer } }
  func set(figures: [MetricsInterface.List.Reply]) { state.withLock { $0.figures = figures } }
  func set(report: [UInt8]) { state.withLock { $0.report = report } }

  func figures() async throws -> [MetricsInterface.List.Reply] { state.withLock { $0.figures } }
  func diagnosis() async throws -> [UInt8] { state.withLock { $0.report } }

  func carryOut(
    _ command: FleetCommand, progress: @escaping @Sendable (MachineProgress) async -> Void
  ) async throws -> MachineAnswer {
    let answer = state.withLock { state in
      state.asked.append(command)
      return state.answer
    }
    if let answer { return try await answer(command, progress) }
    return .reloaded
  }
}

extension ModemInterface.Modem {
  static let number = "+447700900123"
  static let played = ModemInterface.Modem(
    id: "modem-0123456789abcdef", device: "/dev/cdc-wdm0", protocol: .mbim, manufacturer: "Maker", model: "M1",
    firmware: "1.2", imei: "490154203237518", interface: "wwan0",
    sim: .init(
      state: .ready, slot: 1, iccid: "8944110068256270054", imsi: "234150999999999",
      numbers: [.init(number: number, normalised: true, source: .subscriberReady)],
      home: .init(mcc: "234", mnc: "15", name: "Home")),
    registration: .init(state: .home, serving: .init(mcc: "234", mnc: "15", name: "Home"), technology: .lte, rssi: -71),
    fault: nil, sharing: .init(way: .own, reason: "nobody else is here"), software: "modemd-port 1")

  func with(_ change: (inout Self) -> Void) -> Self {
    var modem = self
    change(&modem)
    return modem
  }
}

extension BearerInterface.Bearer {
  static func played(
    _ state: State, since: String = "2026-11-26T10:00:00.000Z", cause: BearerInterface.Cause? = nil,
    nextAttempt: String? = nil, failures: Int? = nil
  ) -> Self {
    .init(
      modem: ModemInterface.Modem.played.id, state: state, apn: "internet",
      settings: state == .up
        ? .init(
          interface: "wwan0", ipv4: .init(address: "10.64.0.7", prefixLength: 32), dns: ["10.64.0.1"], mtu: 1500,
          table: 1000) : nil,
      since: since, cause: cause, nextAttempt: nextAttempt, failures: failures)
  }
}
