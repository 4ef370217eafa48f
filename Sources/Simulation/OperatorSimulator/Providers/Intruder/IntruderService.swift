import Synchronization

/// Answers as `IntruderSettings` says, and lets all else pass. It is asked before the services that
/// it wants to be.
package final class IntruderService: SimulatedService {
  private let settings: IntruderSettings
  private let environment: ProviderEnvironment
  /// By placeholder.
  private let heard = Mutex<[String: String]>([:])

  package init(_ settings: IntruderSettings, _ environment: ProviderEnvironment) {
    self.settings = settings
    self.environment = environment
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedResponse? {
    let heard = heard.withLock { heard in
      heard.merge(request.query) { _, new in new }
      for (index, part) in request.pathParts.enumerated() { heard["\(request.host)/\(index)"] = part }
      return heard
    }
    let plan = environment.word("intruder.plan")
    guard let answer = settings.answers.first(where: { $0.isFor(request, plan) }) else { return nil }
    let fill = { (text: String) in
      heard.reduce(text) { $0.replacing("{\($1.key)}", with: FormFields.encoded($1.value)) }
    }
    return SimulatedResponse(
      status: answer.status, headers: answer.headers.map { ($0.key, fill($0.value)) }, body: fill(answer.body))
  }
}
