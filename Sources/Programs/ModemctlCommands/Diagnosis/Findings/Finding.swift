/// A problem or a possible problem, in words.
struct Finding: Codable, Hashable, Sendable {
  enum Weight: String, Codable, Sendable {
    /// It does not work this way.
    case wrong
    /// It may not work, or not always.
    case attention
    /// Good to know.
    case note
  }

  /// One word for programs.
  var id: String
  var weight: Weight
  /// What was seen.
  var seen: String
  /// Why it matters.
  var why: String
  /// What to do next.
  var next: String

  init(_ id: String, _ weight: Weight, seen: String, why: String, next: String) {
    self.id = id
    self.weight = weight
    self.seen = seen
    self.why = why
    self.next = next
  }
}

/// All rules, each a function of the observations.
enum Findings {
  typealias Rule = @Sendable (Observations) -> [Finding]

  static let rules: [Rule] = service + devices + modems + neighbours + kernel

  /// All problems, the worst first, in the order of the rules.
  static func all(of seen: Observations) -> [Finding] {
    let found = rules.flatMap { $0(seen) }
    return [Finding.Weight.wrong, .attention, .note].flatMap { weight in found.filter { $0.weight == weight } }
  }
}
