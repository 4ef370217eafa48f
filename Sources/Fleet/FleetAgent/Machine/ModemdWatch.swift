import DeviceAPI
import LimitClock
import ModemAPI
import ModemAPIClient
import Synchronization
import Varlink

/// Follows modemd's state over its ends and returns.
struct ModemdWatch: Sendable {
  let socket: String
  let clock: LimitClock
  let tell: @Sendable (MachineChange) -> Void

  private static let waits: [Duration] = [1, 2, 5, 10, 30].map { .seconds($0) }
  /// Before a bearer that could not be watched is tried again.
  private static let bearerWait = Duration.seconds(5)

  /// Runs until its task is cancelled.
  func run() async {
    var failures = 0
    while !Task.isCancelled {
      do {
        let client = try await ModemAPIClient.connect(to: socket)
        let information = try await client.call(GetInfo.self, .init(), within: .seconds(10))
        failures = 0
        tell(.present(version: information.version))
        try await follow(client)
        tell(.absent("it has closed the connection"))
      } catch {
        tell(.absent("\(error)"))
      }
      guard (try? await clock.pause(for: Self.waits[min(failures, Self.waits.count - 1)])) != nil else { return }
      failures += 1
    }
  }

  /// Until the connection ends.
  private func follow(_ client: ModemAPIClient) async throws {
    let bearers = BearerWatches()
    defer { bearers.end() }
    let budgets = Task { await followBudgets(client) }
    defer { budgets.cancel() }
    let changes = client.stream(ModemInterface.Watch.self, .init())
    for try await change in changes {
      switch (change.change, change.modem) {
      case (.removed, let modem?):
        bearers.end(modem.id)
        tell(.removed(modem: modem.id))
      case (_, let modem?): add(modem, client, bearers)
      case (_, nil):
        for modem in try await client.call(ModemInterface.List.self, .init(), within: .seconds(30)).modems {
          add(modem, client, bearers)
        }
      }
    }
  }

  private func add(_ modem: ModemInterface.Modem, _ client: ModemAPIClient, _ bearers: BearerWatches) {
    tell(.modem(modem))
    bearers.begin(modem.id) { [self] in
      Task {
        repeat {
          do {
            for try await reply in client.stream(BearerInterface.Watch.self, .init(modem: modem.id)) {
              tell(.bearer(reply.bearer))
            }
          } catch {
            // The modem's own state says what is wrong with it.
          }
        } while (try? await clock.pause(for: Self.bearerWait)) != nil
      }
    }
  }

  /// A user without a right to see budgets has none that could be told.
  private func followBudgets(_ client: ModemAPIClient) async {
    var budgets: [String: UsageInterface.Budget] = [:]
    do {
      for try await reply in client.stream(UsageInterface.Watch.self, .init()) {
        for budget in reply.budgets.prefix(64) { budgets[budget.name] = budget }
        tell(.budgets(budgets.values.sorted { $0.name < $1.name }))
      }
    } catch {
      return
    }
  }

  private enum GetInfo: VarlinkMethod {
    static let name = "org.varlink.service.GetInfo"
    struct Parameters: VarlinkParameters { static let fieldNames: Set<String> = [] }
    struct Reply: Codable, Sendable { var version: String }
  }
}

/// The tasks that follow bearers, by modem.
private final class BearerWatches: Sendable {
  private let tasks = Mutex<[String: Task<Void, Never>]>([:])

  func begin(_ modem: String, _ make: () -> Task<Void, Never>) {
    tasks.withLock { tasks in if tasks[modem] == nil { tasks[modem] = make() } }
  }

  func end(_ modem: String) { tasks.withLock { $0.removeValue(forKey: modem) }?.cancel() }

  func end() { for task in tasks.withLock({ $0 }).values { task.cancel() } }
}
