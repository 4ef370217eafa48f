/// Plays that a fuzzer changes: its bytes choose a play, then up to four changes of its answers.
package struct FlowFuzz: Sendable {
  /// An answer with the places in it.
  private struct Turn: Sendable {
    let step: String
    let number: Int
    let places: [RecordedAnswer.Place]
  }

  private let plays: [(play: RecordedFlow, turns: [Turn])]

  package init(_ plays: [RecordedFlow]) {
    self.plays = plays.map { play in
      (
        play,
        play.turns.map { step, number in
          Turn(step: step, number: number, places: play.answers[step]?[number].places ?? [])
        }
      )
    }
  }

  /// Runs one play.
  ///
  /// - Returns: its broken promises, with what was changed.
  package func run(_ bytes: [UInt8]) -> [String] {
    var reader = MutationReader(bytes)
    let (play, turns) = plays[reader.byte() % plays.count]
    var mutations: [(turn: Turn, place: RecordedAnswer.Place, way: Int)] = []
    for _ in 0...reader.byte() & 3 where !turns.isEmpty {
      let turn = turns[reader.byte() % turns.count]
      mutations.append((turn, turn.places[reader.choice(turn.places.count)], reader.choice(65_536)))
    }
    let extremes = reader.extremes()
    // A fuzzer learns what values are compared with. A secret that the server itself says is not
    // one that is given away.
    guard !play.secrets.contains(where: { reader.text.contains($0) }) else { return [] }
    let made = mutations.map { turn, place, way in
      let count = play.answers[turn.step]?[turn.number].count(of: place, extremes) ?? 1
      return Mutation(step: turn.step, number: turn.number, place: place, index: way % count)
    }
    let end = waiting { [answers = play.changed(made, extremes)] in await play.run(answers) }
    return end.faults.map { fault in "\(made.map { play.describe($0, extremes) }): \(fault)" }
  }
}
