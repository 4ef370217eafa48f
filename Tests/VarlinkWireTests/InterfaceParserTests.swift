import Testing
import VarlinkWire

@Suite("Interface descriptions")
struct InterfaceParserTests {
  private static func interface(_ members: String) throws -> InterfaceSyntax {
    try InterfaceParser.parse("interface org.example.Test\n\(members)\n")
  }

  @Test("Types, methods and errors are read with their comments")
  func whole() throws {
    let text = """
      # What it is for.
      # Two lines.
      interface org.example.Test

      # Not a comment of the type, for a blank line follows.

      # A place.
      type Place (
        # Degrees.
        latitude: float,
        #Without a blank.
        name: ?string
      )

      type Kind (small, large)

      # Looks.
      method Look(at: []Place, how: Kind) -> (seen: [string](count: int))
      method Nothing() -> ()

      # It is dark.
      error Dark (since: int)
      """
    let syntax = try InterfaceParser.parse(text)
    #expect(syntax.name == "org.example.Test" && syntax.comment == ["What it is for.", "Two lines."])
    #expect(
      syntax.members == [
        .type(
          name: "Place", comment: ["A place."],
          .struct([
            .init(name: "latitude", comment: ["Degrees."], type: .float),
            .init(name: "name", comment: ["Without a blank."], type: .nullable(.string)),
          ])),
        .type(name: "Kind", comment: [], .enum(["small", "large"])),
        .method(
          name: "Look", comment: ["Looks."],
          parameters: [.init(name: "at", type: .array(.named("Place"))), .init(name: "how", type: .named("Kind"))],
          reply: [.init(name: "seen", type: .map(.struct([.init(name: "count", type: .int)])))]),
        .method(name: "Nothing", comment: [], parameters: [], reply: []),
        .error(name: "Dark", comment: ["It is dark."], fields: [.init(name: "since", type: .int)]),
      ])
  }

  @Test(
    "Each form of type is read",
    arguments: [
      ("bool", .bool), ("int", .int), ("float", .float), ("string", .string), ("object", .object),
      ("T", .named("T")), ("?int", .nullable(.int)), ("[]int", .array(.int)), ("[string]int", .map(.int)),
      ("?[]?int", .nullable(.array(.nullable(.int)))), ("[][string][]T", .array(.map(.array(.named("T"))))),
      ("(one, two)", .enum(["one", "two"])), ("()", .struct([])), ("(one)", .enum(["one"])),
      (
        "(a: int, b: (c: (x, y)))",
        .struct([
          .init(name: "a", type: .int),
          .init(name: "b", type: .struct([.init(name: "c", type: .enum(["x", "y"]))])),
        ])
      ),
      ("[string]()", .map(.struct([]))),
    ] as [(String, TypeSyntax)])
  func types(text: String, type: TypeSyntax) throws {
    let syntax = try Self.interface("type T (field: \(text))")
    #expect(syntax.members == [.type(name: "T", comment: [], .struct([.init(name: "field", type: type)]))])
  }

  @Test("Blanks, tabs, carriage returns and comments may stand between any two words")
  func blanks() throws {
    let tight = try Self.interface("method Get(a:?int)->(b:[]string)")
    let wide = try Self.interface("method\tGet ( a :\r\n ? int ) # one\n -> # two\n ( b : [ ] string )")
    guard case .method(_, _, let a, let b) = tight.members[0], case .method(_, _, let c, let d) = wide.members[0] else {
      Issue.record("not methods")
      return
    }
    #expect(a.map(\.type) == c.map(\.type) && b.map(\.type) == d.map(\.type))
  }

  @Test("Names of interfaces", arguments: ["org.example.Test", "a.b", "org.ex-ample.a--b.C1", "io.x.1a"])
  func goodNames(name: String) throws {
    #expect(try InterfaceParser.parse("interface \(name)").name == name)
  }

  @Test(
    "What is no name of an interface is refused",
    arguments: ["org", "", ".org.a", "org..a", "org.a.", "1org.a", "org.-a", "org.a-", "org.a_b", "org.ä"])
  func badNames(name: String) {
    #expect(throws: InterfaceSyntaxError.self) { try InterfaceParser.parse("interface \(name)\n") }
  }

  @Test(
    "An error says the line, and what was expected there",
    arguments: [
      ("type", 3, "a name"),
      ("type t (a: int)", 2, "capital"),
      ("type\nt\n(a: int)", 3, "capital"),
      ("type T a: int", 2, "“(”"),
      ("type T (a: int", 3, "“)”"),
      ("type T (\n  a: int\n  b: int\n)", 4, "“)”"),
      ("type T (a: int, a: int)", 2, "twice"),
      ("type T (a, a)", 2, "twice"),
      ("type T (a: int, b)", 2, "“:” and a type"),
      ("type T (a, b: int)", 2, "as in an enum"),
      ("type T (a: )", 2, "a type"),
      ("type T (a: text)", 2, "“text” is not a type"),
      ("type T (a: ??int)", 2, "“?”"),
      ("type T (a: [int]string)", 2, "“string]”"),
      ("type T (1a: int)", 2, "begin with a letter"),
      ("type T (a.b: int)", 2, "begin with a letter"),
      ("type T (a__b: int)", 2, "inner “_”"),
      ("type T (a: Missing)", 2, "“Missing” is not declared"),
      ("error Missing ()\ntype T (a: Missing)", 3, "“Missing” is not declared"),
      ("type T (a: int)\ntype T (b: int)", 3, "declared twice"),
      ("method M() (a: int)", 2, "“->”"),
      ("method M(a) -> ()", 2, "“:” and a type"),
      ("method M() -> (a, b)", 2, "“:” and a type"),
      ("error E", 3, "“(”"),
      ("thing T ()", 2, "“type”, “method” or “error”"),
      ("type T (a: int);", 2, "byte 59"),
      ("type T (a: “int”)", 2, "byte 226"),
    ])
  func errors(members: String, line: Int, fragment: String) {
    let error = #expect(throws: InterfaceSyntaxError.self) { try Self.interface(members) }
    #expect(error?.line == line)
    #expect(error?.message.contains(fragment) == true, "\(error?.message ?? "")")
  }

  @Test("A description begins with its interface", arguments: ["", "# only a comment", "type T ()", "interface"])
  func beginning(text: String) {
    #expect(throws: InterfaceSyntaxError.self) { try InterfaceParser.parse(text) }
  }

  @Test("Types that stand too deep in each other are refused", arguments: ["[]", "(a: ", "[string]", "?[]"])
  func depth(form: String) {
    let error = #expect(throws: InterfaceSyntaxError.self) {
      try Self.interface("type T (a: " + String(repeating: form, count: 50_000))
    }
    #expect(error?.message.contains("deep") == true)
  }

  @Test("Random descriptions are read or refused", arguments: 0..<20)
  func random(seed: Int) {
    var state = UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 &+ 1
    let next = { (count: Int) -> Int in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let words = [
      "interface", "org.a.B", "type", "method", "error", "T", "a", "(", ")", ":", ",", "?", "[", "]", "->", "-", "int",
      "string", "#", "\n", " ", ".", "\u{0}", "é",
    ]
    for _ in 0..<500 {
      let text = "interface org.a.B\n" + (0..<next(40)).map { _ in words[next(words.count)] + " " }.joined()
      guard let syntax = try? InterfaceParser.parse(text) else { continue }
      #expect(syntax.name == "org.a.B")
    }
  }
}
