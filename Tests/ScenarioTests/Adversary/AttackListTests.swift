import Glibc
import Testing

/// The suite of attacks as a whole. Swift Testing tells no test which others there are, so that
/// their sources are read.
@Suite struct AttackListTests {
  /// The lines that mark a test as an attack.
  private static let marks: [String] = {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob("\(Worlds.repository)/Tests/ScenarioTests/Adversary/*/*.swift", 0, nil, &found) == 0 else { return [] }
    let files = (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
    let lines = files.flatMap { (Worlds.contents(of: $0) ?? "").split(separator: "\n") }
    return lines.map { String($0) }.filter { $0.contains(".attack(by: .") }
  }()

  @Test func thereAreSixtyAttacksAtLeast() {
    #expect(Self.marks.count >= 60, "\(Self.marks.count) tests are marked as attacks")
  }

  @Test(arguments: Attack.Attacker.allCases) func eachAttackerHasSome(_ attacker: Attack.Attacker) {
    #expect(Self.marks.contains { $0.contains(".attack(by: .\(attacker),") })
  }

  @Test func eachSaysWhatItDidBefore() {
    for mark in Self.marks {
      #expect(Attack.Before.allCases.contains { mark.contains(", .\($0))") }, "\(mark)")
    }
  }
}
