import Testing

/// The walks and the tables of targets in Docs/architecture.md.
@Suite("Docs/architecture.md", .timeLimit(.minutes(1)))
struct ArchitectureTests {
  /// How many files a walk may go through, and how many it may have together with those that these
  /// ask.
  struct Bar: Sendable {
    let walk: String
    let through: Int
    let all: Int
  }

  /// The files below one heading.
  private struct Walk {
    var through: Set<String> = []
    var asked: Set<String> = []
    /// Headings of further lists that are part of this one.
    var lists: [String] = []
  }

  private static func text() throws -> String {
    try #require(File.read("\(Tool.repository)/Docs/architecture.md"))
  }

  /// The lists of the section "Walks", by their headings.
  private static func walks(in text: String) -> [String: Walk] {
    var walks: [String: Walk] = [:]
    var isWithin = false
    var title: String?
    for line in text.split(separator: "\n") {
      if line.hasPrefix("## ") {
        isWithin = line == "## Walks"
        title = nil
      }
      guard isWithin else { continue }
      if line.hasPrefix("### ") {
        let heading = String(line.dropFirst(4))
        walks[heading] = Walk()
        title = heading
      }
      guard let title else { continue }
      if let item = line.wholeMatch(of: #/(?<inset> *)- `(?<path>[^`]+\.swift)`: .+/#) {
        let path = String(item.output.path)
        if item.output.inset.isEmpty {
          walks[title]?.through.insert(path)
        } else {
          walks[title]?.asked.insert(path)
        }
      } else if let item = line.wholeMatch(of: #/- \*(?<list>[^*]+)\*/#) {
        walks[title]?.lists.append(String(item.output.list))
      } else if line.contains(#/^ *- /#) {
        Issue.record("\(title): “\(line)” names neither a file nor a list")
      }
    }
    return walks
  }

  /// A walk with the lists that it names.
  private static func whole(_ title: String, _ walks: [String: Walk]) throws -> Walk {
    var walk = try #require(walks[title], "there is no list “\(title)”")
    for list in walk.lists {
      let part = try whole(list, walks)
      walk.through.formUnion(part.through)
      walk.asked.formUnion(part.asked)
    }
    walk.asked.subtract(walk.through)
    return walk
  }

  @Test("every file of a walk exists")
  func files() throws {
    let walks = try Self.walks(in: Self.text())
    #expect(walks.count >= 3)
    for (title, walk) in walks {
      #expect(!walk.through.isEmpty, "\(title)")
      for path in walk.through.union(walk.asked) {
        #expect(File.read("\(Tool.repository)/Sources/\(path)") != nil, "\(title): \(path)")
      }
    }
  }

  @Test(
    "a walk keeps its bar, and its row says how many files it has",
    arguments: [
      Bar(walk: "`modemctl open URL`", through: 43, all: 128),
      Bar(walk: "`modemctl verify NUMBER`", through: 56, all: 161),
      Bar(walk: "The loss of a bearer", through: 20, all: 34),
    ])
  func bars(_ bar: Bar) throws {
    let text = try Self.text()
    let walk = try Self.whole(bar.walk, Self.walks(in: text))
    #expect(walk.through.count <= bar.through)
    #expect(walk.through.count + walk.asked.count <= bar.all)
    let row = "| \(bar.walk) | \(walk.through.count) | \(walk.asked.count) |"
    #expect(text.contains(row), "the table lacks “\(row)”")
  }

  @Test("every target of Package.swift has a row in a table")
  func targets() throws {
    let package = try #require(File.read("\(Tool.repository)/Package.swift"))
    let rows = try Self.text().split(separator: "\n").filter { $0.hasPrefix("| ") }
    let named = Set(
      rows.compactMap { $0.split(separator: "|").first }.flatMap { cell in
        cell.matches(of: #/`(?<name>[^`]+)`/#).map { String($0.output.name) }
      })
    let byFunction = package.matches(
      of: #/\b(?:library|backend|interfaces|program|tests|fuzzer)\(\s*"(?<name>[A-Za-z0-9-]+)"/#
    ).map { String($0.output.name) }
    let byType = package.matches(
      of: #/\.(?:target|executableTarget|testTarget|systemLibrary)\(\s*name: "(?<name>[A-Za-z0-9-]+)"/#
    ).map { String($0.output.name) }
    // A provider's parts have its name before their own, and one row for all providers.
    let parts = package.matches(of: #/name: name \+ "(?<part>[A-Za-z]+)"/#).map { String($0.output.part) }
    #expect(byFunction.count > 50 && byType.count > 10 && parts.count == 6)
    for target in byFunction + byType + parts { #expect(named.contains(target), "\(target)") }
  }
}
