import AuthCore
import AuthFlows
import JSONTree

/// A flow with the answers of a simulated provider, and what its end must keep to whatever becomes
/// of them.
package struct RecordedFlow: Sendable {
  package let name: String
  /// By step, in order; the last one stays.
  package let answers: [String: [RecordedAnswer]]
  /// How it ends with the answers as they are.
  package let result: FlowResult
  /// The registered redirect URI.
  package var redirect = "https://app.example/back"
  /// What a caller gives when asked, in order; the last one stays.
  package var codes: [String] = []
  /// What no text may show.
  package var secrets = [
    "447700900", "s3cret", "the-code", "access-1", "refresh-1", "pcr-1", "the-state", "the-nonce", "token-1",
  ]
  /// Whether the answers that were given allow a success. It reads them for itself, so that it can
  /// find the flow wrong.
  package var allows: @Sendable (Given) -> Bool = { _ in true }
  let run: @Sendable (FlowRun) async throws -> FlowOutcome

  init(
    _ name: String, _ result: FlowResult, _ answers: [String: [RecordedAnswer]],
    run: @escaping @Sendable (FlowRun) async throws -> FlowOutcome
  ) {
    self.name = name
    self.result = result
    self.answers = answers
    self.run = run
  }

  /// The answers that a flow was given, by step.
  package struct Given: Sendable {
    package internal(set) var answers: [String: [RecordedAnswer]] = [:]

    /// The last one of a step; nil where none was given.
    package subscript(_ step: String) -> RecordedAnswer? { answers[step]?.last }

    /// A member of the last answer of a step, where that was a success.
    package func member(_ step: String, _ name: String) -> JSONValue? {
      guard let answer = self[step], answer.failure == nil, (200...299).contains(answer.status) else { return nil }
      return JSONValue(parsing: answer.body)?[name]
    }
  }

  /// Steps with the answers that can be changed, in a fixed order.
  package var turns: [(step: String, number: Int)] {
    answers.keys.sorted().flatMap { step in (answers[step] ?? []).indices.map { (step, $0) } }
  }
}

/// One change of one answer.
package struct Mutation: Hashable, Sendable {
  package var step: String
  package var number: Int
  package var place: RecordedAnswer.Place
  package var index: Int

  package init(step: String, number: Int, place: RecordedAnswer.Place, index: Int) {
    self.step = step
    self.number = number
    self.place = place
    self.index = index
  }
}

extension RecordedFlow {
  /// The recorded flow with changes in its answers.
  package func changed(_ mutations: [Mutation], _ extremes: [Extreme]) -> [String: [RecordedAnswer]] {
    var answers = answers
    for mutation in mutations {
      guard var list = answers[mutation.step], list.indices.contains(mutation.number) else { continue }
      list[mutation.number] = list[mutation.number].changed(mutation.place, mutation.index, extremes)
      answers[mutation.step] = list
    }
    return answers
  }

  /// Every way to change one place of one answer, but for members that come twice.
  package func everyMutation(_ extremes: [Extreme]) -> [Mutation] {
    turns.flatMap { step, number -> [Mutation] in
      guard let answer = answers[step]?[number] else { return [] }
      return answer.places.flatMap { place in
        (0..<answer.count(of: place, extremes)).filter { !(extremes.count..<extremes.count * 2).contains($0) }
          .map { Mutation(step: step, number: number, place: place, index: $0) }
      }
    }
  }

  /// For people: what was changed, and into what.
  package func describe(_ mutation: Mutation, _ extremes: [Extreme]) -> String {
    guard let answer = answers[mutation.step]?[mutation.number] else { return "nothing" }
    let extreme = extremes[mutation.index % extremes.count].json.prefix(60)
    return
      "\(name): \(mutation.step) \(mutation.number), \(answer.name(of: mutation.place)), way \(mutation.index): \(extreme)"
  }
}
