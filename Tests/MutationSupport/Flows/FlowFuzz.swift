/// Recorded flows that a fuzzer changes: its bytes choose one, then up to four changes of its
/// answers.
package struct FlowFuzz: Sendable {
  /// An answer with the places in it.
  private struct Turn: Sendable {
    let step: String
    let number: Int
    let places: [RecordedAnswer.Place]
  }

  private let recordings: [(recording: RecordedFlow, turns: [Turn])]

  package init(_ recordings: [RecordedFlow]) {
    self.recordings = recordings.map { recording in
      (
        recording,
        recording.turns.map { step, number in
          Turn(step: step, number: number, places: recording.answers[step]?[number].places ?? [])
        }
      )
    }
  }

  /// Runs one recorded flow.
  ///
  /// - Returns: its broken promises, with what was changed.
  package func run(_ bytes: [UInt8]) -> [String] {
    var reader = MutationReader(bytes)
    let (recording, turns) = recordings[reader.byte() % recordings.count]
    var mutations: [(turn: Turn, place: RecordedAnswer.Place, way: Int)] = []
    for _ in 0...reader.byte() & 3 where !turns.isEmpty {
      let turn = turns[reader.byte() % turns.count]
      mutations.append((turn, turn.places[reader.choice(turn.places.count)], reader.choice(65_536)))
    }
    let extremes = reader.extremes()
    // A fuzzer learns what values are compared with. A secret that the server itself says is not
    // one that is given away.
    guard !recording.secrets.contains(where: { reader.text.contains($0) }) else { return [] }
    let made = mutations.map { turn, place, way in
      let count = recording.answers[turn.step]?[turn.number].count(of: place, extremes) ?? 1
      return Mutation(step: turn.step, number: turn.number, place: place, index: way % count)
    }
    let end = waiting { [answers = recording.changed(made, extremes)] in await recording.run(answers) }
    return end.faults.map { fault in "\(made.map { recording.describe($0, extremes) }): \(fault)" }
  }
}
