import Synchronization

/// Answers as `IntruderPlay` says, and lets all else pass. It is asked before the services that it wants to be.
package final class IntruderService: SimulatedService {
  private let play: IntruderPlay
  private let ground: ProviderGround
  /// By placeholder.
  private let heard = Mutex<[String: String]>([:])

  package init(_ play: IntruderPlay, _ ground: ProviderGround) {
    self.play = play
    self.ground = ground
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedResponse? {
    let heard = heard.withLock { heard in
      heard.merge(request.query) { _, new in new }
      for (index, part) in request.pathParts.enumerated() { heard["\(request.host)/\(index)"] = part }
      return heard
    }
    let plan = ground.word("intruder.plan")
    guard let answer = play.answers.first(where: { $0.isFor(request, plan) }) else { return nil }
    let fill = { (text: String) in
      heard.reduce(text) { $0.replacing("{\($1.key)}", with: FormFields.encoded($1.value)) }
    }
    return SimulatedResponse(
      status: answer.status, headers: answer.headers.map { ($0.key, fill($0.value)) }, body: fill(answer.body))
  }
}
