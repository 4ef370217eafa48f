import Testing
import VarlinkWire

@Suite("Generated Swift")
struct SwiftGeneratorTests {
  private static func source(_ members: String) throws -> String {
    try SwiftGenerator.source(of: "interface org.example.Test\n\(members)\n", named: "test.varlink")
  }

  @Test(
    "Each form of declaration becomes Swift",
    arguments: [
      ("type Place (at: float, of: ?string)", "public struct Place: Codable, Hashable, Sendable {"),
      ("type Place (at: float, of: ?string)", "public init(at: Double, of: String? = nil) {"),
      ("type Kind (small, large)", "public enum Kind: String, Codable, CaseIterable, Hashable, Sendable {"),
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
    #expect(source.contains("public static let fieldNames: Set<String> = [\n        \"aRatherLongName1\", "))
    #expect(source.contains("\"aRatherLongName20\",\n      ]\n"))
  }
}
