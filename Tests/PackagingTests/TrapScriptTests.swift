import Testing

/// scripts/check-traps on small packages of its own.
@Suite(.timeLimit(.minutes(1)))
struct TrapScriptTests {
  private static let package = """
    let package = Package(
      targets: [
        library("Base"),
        library(
          "Middle", ["Base"]),
        library("Elsewhere"),
        program("modemd", ["Middle"]),
        program("modemd-port", ["Base"]),
        tests("BaseTests", ["Base", "Elsewhere"]),
      ])
    """

  /// Runs the script on a package of one source file in `Base`.
  ///
  /// - Parameter counts: the rows of the table in the documentation.
  private static func run(
    _ source: String, in target: String = "Base", counts: [String: Int] = [:]
  ) async throws -> Tool.Result {
    try await Scratch.with { scratch in
      for folder in ["Docs", "Sources/Lower/Base", "Sources/Lower/\(target)"] {
        File.makeFolder("\(scratch.path)/\(folder)")
      }
      File.write(package, to: "\(scratch.path)/Package.swift")
      File.write("let harmless = 1 != 2\n", to: "\(scratch.path)/Sources/Lower/Base/Harmless.swift")
      File.write(source, to: "\(scratch.path)/Sources/Lower/\(target)/Source.swift")
      let rows = counts.sorted { $0.key < $1.key }.map { "| `\($0.key)` | \($0.value) | why |\n" }.joined()
      File.write(
        "# Security\n\n| `fatalError` | 9 | of another section |\n\n## Traps\n\n\(rows)\n## Next\n\n| `!` | 9 | no |\n",
        to: "\(scratch.path)/Docs/security.md")
      return try await Tool.run("scripts/check-traps", [scratch.path])
    }
  }

  @Test(arguments: [
    ("preconditionFailure", "preconditionFailure(\"no\")"), ("precondition", "precondition(a > 0)"),
    ("fatalError", "fatalError()"), ("assert", "assertionFailure(\"no\")"), ("try!", "let a = try! b()"),
    ("as!", "let a = b as! Int"), ("!", "let a = b!.c"), ("!", "let a = b[0]!"), ("!", "let a = f(b!, c)"),
    ("!", "let a = b()!"), ("!", "var a: Int!"), ("unsafe cast", "a.unsafelyUnwrapped"),
    ("unowned", "unowned let a: B"),
    ("uniqueKeysWithValues", "Dictionary(uniqueKeysWithValues: a)"), ("numericCast", "let a: Int = numericCast(b)"),
    ("assumeIsolated", "self.assumeIsolated { $0.run() }"),
    ("time arithmetic", "let a = Int64(time / .milliseconds(1))"), ("time arithmetic", "now.milliseconds + other"),
  ]) func aTrapNeedsAReasonAndARow(_ kind: String, _ line: String) async throws {
    let bare = try await Self.run("\(line)\n", counts: [kind: 1])
    #expect(bare.status == 1, "\(bare.error)")
    #expect(bare.error.contains("Source.swift:1: \(kind) without"), "\(bare.error)")
    let uncounted = try await Self.run("// Impossible: as it is.\n\(line)\n")
    #expect(uncounted.status == 1 && uncounted.error.contains("1 × `\(kind)`"), "\(uncounted.error)")
    for source in [
      "// Impossible: as it is.\n\(line)\n", "// Impossible: as it\n// is.\n  \(line)\n",
      "\(line)  // Impossible: so.\n",
    ] {
      let right = try await Self.run(source, counts: [kind: 1])
      #expect(right.status == 0, "\(right.error)")
    }
  }

  @Test func aCountThatIsTooHighIsWrongToo() async throws {
    let result = try await Self.run("let a = 1\n", counts: ["!": 1])
    #expect(result.status == 1 && result.error.contains("0 × `!`"), "\(result.error)")
  }

  @Test func aReasonIsForTheLineBelowItAlone() async throws {
    let result = try await Self.run("// Impossible: this one.\nlet a = b!\nlet c = d!\n", counts: ["!": 2])
    #expect(result.status == 1 && result.error.contains("Source.swift:3: ! without"), "\(result.error)")
  }

  @Test(arguments: [
    "let a = \"no! try! as! fatalError()\"", "// fatalError()", "let a = b != c", "if !a { return }", "let a = !b",
    "let a = \"\"\"\n  preconditionFailure()\n  \"\"\"",
  ]) func textsCommentsAndNegationsAreNoTraps(_ source: String) async throws {
    let result = try await Self.run("\(source)\n")
    #expect(result.status == 0, "\(result.error)")
  }

  @Test func whatADaemonDoesNotLinkIsLeftAlone() async throws {
    #expect(try await Self.run("fatalError()\n", in: "Elsewhere").status == 0)
    #expect(try await Self.run("fatalError()\n", in: "Middle").status == 1)
    #expect(try await Self.run("fatalError()\n", in: "modemd").status == 1)
  }

  @Test func theSourcesOfThisRepositoryAreAsTheDocumentationSays() async throws {
    let result = try await Tool.run("scripts/check-traps")
    #expect(result.status == 0, "\(result.error)")
  }
}
