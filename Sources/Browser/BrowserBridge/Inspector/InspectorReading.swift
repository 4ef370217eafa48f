import LimitClock
import ModemAPIClient

/// What modemd says at one moment, as modemd-web may hear it.
struct InspectorReading: Sendable {
  struct Machine: Sendable {
    let modem: ModemInterface.Modem
    /// Nil if modemd does not say.
    let bearer: BearerInterface.Bearer?
  }

  /// Nil if modemd does not answer, or does not allow it.
  let machines: [Machine]?
  /// The same.
  let checks: [CheckInterface.PastCheck]?

  /// Rows of the history.
  private static let rows = 20
  /// For all of modemd's answers, which come from its memory.
  private static let time = Duration.seconds(5)

  static func read(_ socket: String, _ clock: LimitClock) async -> InspectorReading {
    let nothing = InspectorReading(machines: nil, checks: nil)
    return await withTaskGroup(of: InspectorReading.self) { group in
      group.addTask {
        guard let client = try? await ModemAPIClient.connect(to: socket) else { return nothing }
        return InspectorReading(machines: await machines(client), checks: await checks(client))
      }
      group.addTask {
        try? await clock.pause(for: time)
        return nothing
      }
      defer { group.cancelAll() }
      return await group.next() ?? nothing
    }
  }

  private static func machines(_ client: ModemAPIClient) async -> [Machine]? {
    guard let modems = try? await client.call(ModemInterface.List.self, .init()).modems else { return nil }
    var machines: [Machine] = []
    for modem in modems {
      let bearer = try? await client.call(BearerInterface.Get.self, .init(modem: modem.id)).bearer
      machines.append(Machine(modem: modem, bearer: bearer))
    }
    return machines
  }

  private static func checks(_ client: ModemAPIClient) async -> [CheckInterface.PastCheck]? {
    try? await client.call(CheckInterface.History.self, .init(limit: rows)).checks
  }
}
