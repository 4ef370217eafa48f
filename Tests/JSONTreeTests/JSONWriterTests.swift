import FoundationEssentials
import JSONTree
import Testing

@Suite("The JSON writer")
struct JSONWriterTests {
  private struct Everything: Codable, Hashable {
    var bool: Bool? = true
    var string: String? = "a \"b\" \\ / \n\r\t\u{1}\u{7f} ü 😀"
    var double: Double? = 1.5
    var float: Float? = 0.25
    var int: Int? = -1
    var int8: Int8? = -128
    var int16: Int16? = 1
    var int32: Int32? = 2
    var int64: Int64? = .min
    var uint: UInt? = .max
    var uint8: UInt8? = 255
    var uint16: UInt16? = 3
    var uint32: UInt32? = 4
    var uint64: UInt64? = .max
    var list: [[Int]]? = [[1, 2], [], [3]]
    var map: [String: [Bool]]? = ["a\"": [true, false]]
    var any: JSONValue? = .object(["x": .array([.null, .int(1), .double(0.1), .string("")])])
    var empty: Nothing? = Nothing()

    static var nothing: Everything {
      Everything(
        bool: nil, string: nil, double: nil, float: nil, int: nil, int8: nil, int16: nil, int32: nil, int64: nil,
        uint: nil,
        uint8: nil, uint16: nil, uint32: nil, uint64: nil, list: nil, map: nil, any: nil, empty: nil)
    }
  }

  private struct Nothing: Codable, Hashable {}

  private static func text(_ value: some Encodable, nils: JSONWriter.Nils = .asNull) throws -> String {
    try #require(String(validating: try JSONWriter.write(value, nils: nils), as: UTF8.self))
  }

  @Test("What it writes is read back, by Foundation too")
  func roundTrip() throws {
    let text = try Self.text(Everything())
    #expect(try JSONDecoder().decode(Everything.self, from: Data(text.utf8)) == Everything())
    #expect(throws: Never.self) { try JSONReader.read(Array(text.utf8)) }
    #expect(text.hasPrefix(#"{"bool":true,"string":"a \"b\" \\ / \n\r\t\u0001"#))
    #expect(text.hasSuffix(#""empty":{}}"#))
  }

  @Test("Nil is null or left out, of every type")
  func nils() throws {
    #expect(try Self.text(Everything.nothing, nils: .leftOut) == "{}")
    guard case .object(let members) = try JSONReader.read(Array(Self.text(Everything.nothing).utf8)) else {
      Issue.record("no object")
      return
    }
    #expect(members.count == 18 && members.values.allSatisfy { $0 == .null })
    #expect(try Self.text([1, nil, 3] as [Int?], nils: .leftOut) == "[1,null,3]")
    #expect(try Self.text(Int?.none, nils: .leftOut) == "null")
  }

  @Test(
    "Numbers are as short as they can be, and text where JSON has no form for them",
    arguments: [
      (0, "0"), (100, "100"), (-2.5, "-2.5"), (0.1, "0.1"), (1e300, "1e+300"),
      (9_007_199_254_740_992, "9007199254740992.0"),
      (.infinity, #""Infinity""#), (-.infinity, #""-Infinity""#), (.nan, #""NaN""#),
    ] as [(Double, String)])
  func numbers(number: Double, text: String) throws {
    #expect(try Self.text(number) == text)
  }

  private class Parent: Encodable {
    let a = 1
  }

  private final class Child: Parent {
    private enum Key: CodingKey { case b, c, list }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try super.encode(to: encoder)
      var inner = container.nestedContainer(keyedBy: Key.self, forKey: .b)
      try inner.encode(2, forKey: .c)
      var list = inner.nestedUnkeyedContainer(forKey: .list)
      try list.encode("x")
      try list.encodeNil()
      try container.encode(3, forKey: .c)
    }
  }

  @Test("Containers may stand in each other, and a class with its parent in one")
  func nested() throws {
    #expect(try Self.text(Child()) == #"{"a":1,"b":{"c":2,"list":["x",null]},"c":3}"#)
  }

  private struct Late: Encodable {
    private enum Key: CodingKey { case a, b }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      var inner = container.nestedContainer(keyedBy: Key.self, forKey: .a)
      try inner.encode(1, forKey: .a)
      try container.encode(2, forKey: .b)
      try inner.encode(3, forKey: .b)
    }
  }

  @Test("A container that has ended takes nothing more: an error, and no broken text")
  func late() {
    #expect(throws: (any Error).self) { try JSONWriter.write(Late(), nils: .asNull) }
  }
}
