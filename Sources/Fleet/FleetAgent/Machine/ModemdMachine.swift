import DeviceAPI
import LimitClock
import MetricsAPI
import ModemAPI
import ModemAPIClient
import Varlink

/// modemd on this machine, as any of its clients sees it.
package final class ModemdMachine: FleetMachine {
  /// Where modemd's figures are asked for.
  package static let metricsPath = "/run/modemd/metrics"

  package let changes: AsyncStream<MachineChange>
  private let socket: String
  private let metricsSocket: String
  private let program: DiagnosisProgram
  private let clock: LimitClock
  private let watching: Task<Void, Never>

  /// Watches modemd from now on, whether it runs or not.
  package init(
    socket: String = ModemAPIClient.defaultPath, metricsSocket: String = metricsPath,
    program: DiagnosisProgram = .modemctl, clock: LimitClock = .machine
  ) {
    self.socket = socket
    self.metricsSocket = metricsSocket
    self.program = program
    self.clock = clock
    let (stream, continuation) = AsyncStream.makeStream(of: MachineChange.self, bufferingPolicy: .bufferingNewest(4096))
    changes = stream
    let watch = ModemdWatch(socket: socket, clock: clock) { continuation.yield($0) }
    watching = Task {
      await watch.run()
      continuation.finish()
    }
  }

  deinit { watching.cancel() }

  package func figures() async throws -> [MetricsInterface.List.Reply] {
    try await Self.telling {
      let client = try await ModemAPIClient.connect(to: metricsSocket)
      var figures: [MetricsInterface.List.Reply] = []
      for try await figure in client.stream(MetricsInterface.List.self, .init(), within: .seconds(30)) {
        figures.append(figure)
        if figures.count >= MetricReport.most { break }
      }
      return figures
    }
  }

  package func diagnosis() async throws -> [UInt8] { try await program.run(clock) }

  package func carryOut(
    _ command: FleetCommand, progress: @escaping @Sendable (MachineProgress) async -> Void
  ) async throws -> MachineAnswer {
    try await Self.telling {
      let client = try await ModemAPIClient.connect(to: socket)
      switch command {
      case .listModems: return .modems(try await client.call(ModemInterface.List.self, .init()).modems)
      case .getModem(let modem):
        return .modem(try await client.call(ModemInterface.Get.self, .init(modem: modem)).modem)
      case .getBearer(let modem):
        return .bearer(try await client.call(BearerInterface.Get.self, .init(modem: modem)).bearer)
      case .connect(let parameters):
        return .bearer(try await client.call(BearerInterface.Connect.self, parameters).bearer)
      case .disconnect(let modem):
        return .bearer(try await client.call(BearerInterface.Disconnect.self, .init(modem: modem)).bearer)
      case .prepare(let parameters):
        return .prepared(try await client.call(CheckInterface.Prepare.self, parameters))
      case .verify(let parameters): return try await Self.verify(client, parameters, progress)
      case .open(let parameters): return try await Self.open(client, parameters, progress)
      case .reload:
        _ = try await client.call(ServiceInterface.Reload.self, .init())
        return .reloaded
      case .figures, .diagnosis: throw MachineFailure.failed("this command has a way of its own")
      }
    }
  }

  private static func verify(
    _ client: ModemAPIClient, _ parameters: VerifyInterface.Number.Parameters,
    _ progress: @Sendable (MachineProgress) async -> Void
  ) async throws -> MachineAnswer {
    for try await reply in client.stream(VerifyInterface.Number.self, parameters) {
      if let step = reply.step { await progress(.step(step)) }
      if let hop = reply.hop { await progress(.hop(hop)) }
      if let outcome = reply.outcome { return .verified(outcome) }
    }
    throw VarlinkClientError.disconnected
  }

  private static func open(
    _ client: ModemAPIClient, _ parameters: CheckInterface.Open.Parameters,
    _ progress: @Sendable (MachineProgress) async -> Void
  ) async throws -> MachineAnswer {
    for try await reply in client.stream(CheckInterface.Open.self, parameters) {
      if let hop = reply.hop { await progress(.chainHop(hop)) }
      if let outcome = reply.outcome { return .opened(outcome) }
    }
    throw VarlinkClientError.disconnected
  }

  /// What went wrong, in the fleet's words.
  private static func telling<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let error as VarlinkError {
      let text = error.field("text") ?? error.field("cause") ?? error.field("message") ?? error.field("hint")
      throw MachineFailure(error.name, parameters: error.parameters, text ?? "modemd answered \(error.name)")
    } catch let error as VarlinkClientError {
      throw MachineFailure.absent("modemd does not answer: \(error)")
    } catch let error as CallLimitExceeded {
      throw MachineFailure.timedOut("\(error)")
    }
  }
}
