import Testing
import VarlinkWire

@Suite("Generated Swift")
struct SwiftGeneratorTests {
  private static func source(_ members: String, homes: [TypeHome] = []) throws -> String {
    try SwiftGenerator.source(of: "interface org.example.Test\n\(members)\n", named: "test.varlink", homes: homes)
  }

  @Test(
    "Each form of declaration becomes Swift",
    arguments: [
      ("type Place (at: float, of: ?string)", "public struct Place: Codable, Hashable, Sendable {"),
      ("type Place (at: float, of: ?string)", "public init(at: Double, of: String? = nil) {"),
      ("type Kind (small, large)", "public enum Kind: OpenWord {"),
      ("type Kind (small, large)", "case small, large\n    case other(String)\n"),
      ("type Kind (small, large)", "public static let known: [Self] = [.small, .large]"),
      ("type Kind (small, large)", #"case .small: "small""#),
      ("type Kind (small, default, in)", "case small, `default`, `in`"),
      ("type T (kind: ?(a, b))", "public var kind: Kind?"),
      ("type T (kind: []((a, b)))", nil),
      ("type T (kind: [](x: int))", "public struct Kind: Codable, Hashable, Sendable {"),
      ("type T (protocol: (a, b))", "public var `protocol`: ProtocolKind"),
      ("type T (any: object, all: [string]object)", "public var all: [String: JSONValue]"),
      ("method Get(name: ?string) -> (value: int)", "public enum Get: VarlinkMethod {"),
      ("method Get(name: ?string) -> (value: int)", #"public static let name = "org.example.Test.Get""#),
      ("method Get(name: ?string) -> (value: int)", #"public static let fieldNames: Set<String> = ["name"]"#),
      ("method Get() -> ()", "public init() {}"),
      ("error Gone (since: string)", "public struct Gone: VarlinkErrorParameters, Hashable {"),
      ("# Says why.\nerror Gone (since: string)", "/// Says why."),
    ])
  func declarations(members: String, fragment: String?) throws {
    guard let fragment else {
      #expect(throws: InterfaceSyntaxError.self) { try Self.source(members) }
      return
    }
    let source = try Self.source(members)
    #expect(source.contains(fragment), "\(source)")
  }

  @Test("The interface's namespace has its name and its whole text")
  func namespace() throws {
    let source = try Self.source("type T (a: int)")
    #expect(source.contains("public enum TestInterface: VarlinkInterface {"))
    #expect(source.contains(#"public static let name = "org.example.Test""#))
    #expect(source.contains("    type T (a: int)\n\n    \"\"\"#"))
    #expect(SwiftGenerator.namespace(of: "org.example.Test") == "TestInterface")
  }

  @Test("Lines of code end before column 120, and break where the formatter breaks them")
  func width() throws {
    let names = (1...20).map { "aRatherLongName\($0)" }
    let source = try Self.source(
      "type Many (\(names.map { "\($0): ?string" }.joined(separator: ", ")))\n"
        + "type Words (\(names.joined(separator: ", ")))\n"
        + "method Ask(\(names.map { "\($0): int" }.joined(separator: ", "))) -> ()")
    let code = source.split(separator: "\n").filter { !$0.hasPrefix("    type") && !$0.hasPrefix("    method") }
    #expect(code.allSatisfy { $0.count <= 120 })
    #expect(source.contains("    public init(\n      aRatherLongName1: String? = nil, "))
    #expect(source.contains("aRatherLongName20: String? = nil\n    ) {\n"))
    #expect(source.contains("    case aRatherLongName1, "))
    #expect(source.contains("    public static let known: [Self] = [\n      .aRatherLongName1, "))
    #expect(source.contains("public static let fieldNames: Set<String> = [\n        \"aRatherLongName1\", "))
    #expect(source.contains("\"aRatherLongName20\",\n      ]\n"))
  }

  private static let closed = "String, Codable, CaseIterable, Hashable, Sendable {"

  @Test(
    "An enum is closed where it stands in parameters alone",
    arguments: [
      ("type Kind (a, b)\nmethod Get(kind: Kind) -> ()", "enum Kind", true),
      ("type Kind (a, b)\ntype Box (kind: ?[]Kind)\nmethod Get(box: Box) -> ()", "enum Kind", true),
      ("type Box (kind: (a, b))\nmethod Get(box: Box) -> ()", "enum Kind", true),
      ("method Get(kind: (a, b)) -> ()", "enum Kind", true),
      ("type Kind (a, b)\nmethod Get() -> (kind: Kind)", "enum Kind", false),
      ("type Kind (a, b)\nmethod Get(kind: Kind) -> (kind: ?Kind)", "enum Kind", false),
      ("type Kind (a, b)\nmethod Get(kind: Kind) -> ()\nerror Not (kinds: [string]Kind)", "enum Kind", false),
      ("type Box (kind: (a, b))\nmethod Get(box: Box) -> (box: Box)", "enum Kind", false),
      ("method Get() -> (kind: (a, b))", "enum Kind", false),
      ("error Not (kind: (a, b))", "enum Kind", false),
    ])
  func openness(members: String, head: String, isClosed: Bool) throws {
    let source = try Self.source(members)
    #expect(source.contains("\(head): \(isClosed ? Self.closed : "OpenWord {")"), "\(source)")
  }

  @Test("The word of unknown words cannot be one of a reply, and can be one of parameters")
  func wordOther() throws {
    #expect(throws: SwiftGenerator.Refusal.self) { try Self.source("method Get() -> (kind: (some, other))") }
    #expect(try Self.source("method Get(kind: (some, other)) -> ()").contains("case some, other"))
  }

  @Test("An anonymous enum that an interface has twice is one type")
  func anonymous() throws {
    let source = try Self.source(
      "method One(kind: (a, b)) -> (kind: (a, b))\nmethod Two(kind: (a, b)) -> (kind: (a, b), more: (x: (a, b)))\n"
        + "method Three() -> (kind: (a, c))")
    #expect(source.contains("public typealias Kind = TestInterface.One.Reply.Kind"))
    #expect(source.contains("public typealias Kind = TestInterface.One.Parameters.Kind"))
    #expect(source.components(of: "enum Kind: ") == 3)
    #expect(source.components(of: "enum X: ") == 1)
  }

  private static let flow =
    "type Step (a: int)\ntype Hop (a: int)\ntype Outcome (a: int)\nmethod Go(modem: ?string, provider: ?string, traceparent: ?string) -> "

  @Test(
    "A method is declared to run a flow where its parameters and its reply are those of flows",
    arguments: [
      ("(event: (ready), step: ?Step, hop: ?Hop, outcome: ?Outcome)", "FlowMethodReply"),
      ("(event: (ready), step: ?Step, hop: ?Hop, flow: ?string, outcome: ?Outcome, more: ?int)", "AskingMethodReply"),
      ("(event: (ready), step: ?Step, hop: ?Hop, outcome: ?Outcome, more: int)", nil),
      ("(event: (ready), step: ?Step, hop: ?Hop)", nil),
      ("(event: ?(ready), step: ?Step, hop: ?Hop, outcome: ?Outcome)", nil),
    ])
  func flows(reply: String, form: String?) throws {
    let source = try Self.source(Self.flow + reply)
    #expect(source.contains("enum Go: FlowMethod {") == (form != nil), "\(source)")
    #expect(source.contains("struct Parameters: FlowMethodParameters, Hashable {") == (form != nil))
    #expect(source.contains("struct Reply: \(form ?? "Codable, Hashable, Sendable") {"))
    #expect(source.contains("public init(event: Event) {\n        self.init(event: event, step: nil") == (form != nil))
    #expect(source.contains("public static let fieldNames: Set<String> = [\"modem\", \"provider\", \"traceparent\"]"))
  }

  private static func home(_ members: String, _ module: String? = nil) throws -> TypeHome {
    TypeHome(try InterfaceParser.parse("interface org.example.Home\n\(members)\n"), module: module)
  }

  private static let point = "type Point (x: float, at: ?Place)\ntype Place (name: string)\n"

  @Test("A type that is the same as one of a home is that type, comments aside")
  func homes() throws {
    let home = try Self.home("# Here.\n\(Self.point)")
    let source = try Self.source("# There.\n\(Self.point)type Own (p: Point)", homes: [home])
    #expect(source.contains("  /// There.\n  public typealias Point = HomeInterface.Point\n"))
    #expect(source.contains("public typealias Place = HomeInterface.Place"))
    #expect(source.contains("public struct Own: Codable") && source.contains("\nimport Varlink\n"))
  }

  @Test("Where the home is of another module, that is imported; where nothing is shared, it is not")
  func modules() throws {
    let home = try Self.home(Self.point, "Other")
    #expect(try Self.source(Self.point, homes: [home]).contains("\n\nimport Other\nimport Varlink\n\n"))
    #expect(try !Self.source("type Own (a: int)", homes: [home]).contains("import Other"))
  }

  @Test("The first home that has a type keeps it, and a home takes the types of those before it")
  func order() throws {
    let first = try Self.home(Self.point)
    let own = TypeHome(try InterfaceParser.parse("interface org.example.Test\n\(Self.point)"))
    #expect(try Self.source(Self.point, homes: [first, own]).contains("typealias Point = HomeInterface.Point"))
    #expect(try !Self.source(Self.point, homes: [own, first]).contains("typealias"))
  }

  @Test(
    "What differs is a type of its own",
    arguments: [
      "type Point (x: int, at: ?Place)\ntype Place (name: string)",
      "type Point (x: float, at: Place)\ntype Place (name: string)",
      "type Point (at: ?Place, x: float)\ntype Place (name: string)",
      "type Point (x: float, at: ?Place, z: int)\ntype Place (name: string)",
      "type Point (x: float, at: ?Place)\ntype Place (name: ?string)",
    ])
  func differing(members: String) throws {
    let source = try Self.source(members, homes: [try Self.home(Self.point)])
    #expect(source.contains("public struct Point: "), "\(source)")
  }

  @Test("A type that holds itself can be shared, and one of parameters alone is not one of replies")
  func special() throws {
    let tree = "type Tree (below: []Tree)\n"
    #expect(try Self.source(tree, homes: [try Self.home(tree)]).contains("typealias Tree = HomeInterface.Tree"))
    let kind = "type Kind (a, b)\nmethod Get() -> (kind: Kind)\n"
    let asked = "type Kind (a, b)\nmethod Get(kind: Kind) -> ()\n"
    #expect(try Self.source(asked, homes: [try Self.home(kind)]).contains("enum Kind: \(Self.closed)"))
  }

  @Test("The list of homes has a name on each line, and comments")
  func list() {
    #expect(
      TypeHome.names(in: "# A\n\norg.example.One\n  org.example.Two \n#x") == ["org.example.One", "org.example.Two"])
  }
}

extension String {
  /// How often a text stands in it.
  fileprivate func components(of text: String) -> Int {
    indices.count { self[$0...].hasPrefix(text) }
  }
}
