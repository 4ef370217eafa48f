import Testing
import VarlinkWire

@Suite("Generated Python")
struct PythonGeneratorTests {
  /// The generated files by their paths.
  private static func files(_ interfaces: String...) throws -> [String: String] {
    let files = try PythonGenerator.files(of: interfaces)
    return Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.text) })
  }

  private static func file(_ path: String, _ members: String) throws -> String {
    try #require(try files("interface org.example.Test\n\(members)\n")[path])
  }

  @Test(
    "Each form of declaration becomes Python",
    arguments: [
      ("type Place (at: float, of: ?string)", "class Place(_wire.Record):"),
      ("type Place (at: float, of: ?string)", "    at: float\n\n    of: str | None = None\n"),
      (
        "# Where.\ntype Place (\n  # Metres.\n  at: float\n)",
        "    \"\"\"Where.\"\"\"\n\n    at: float\n    \"\"\"Metres.\"\"\""
      ),
      ("type Kind (small, veryLarge)", "class Kind(_wire.Word):"),
      ("type Kind (small, veryLarge)", "    VERY_LARGE = _wire.Known(\"veryLarge\")"),
      ("type Kind (a, b)\nmethod Get(kind: Kind) -> ()", "Kind = Literal[\"a\", \"b\"]"),
      ("type T (kind: ?(a, b))", "    kind: TKind | None = None"),
      ("type T (all: [](x: int))", "    all: tuple[TAll, ...]"),
      ("type T (any: object, all: [string]int)", "    all: Mapping[str, int]"),
      ("type T (class: int)", "    class_: int\n"),
      ("type T (lastSIMChange: int)", "{\"last_sim_change\": \"lastSIMChange\"}"),
      ("type T (imsi: ?string, table: int)", "    HIDDEN: ClassVar[frozenset[str]] = frozenset([\"imsi\"])"),
      ("error Gone (since: string)", "class Gone(_wire.ServiceError):"),
      ("error Gone (since: string)", "    NAME = \"org.example.Test.Gone\""),
      ("error Gone (since: string)", "    def since(self) -> str | None:\n        return self.field(\"since\", str)"),
      ("error Gone (name: string)", "    def name_(self) -> str | None:\n        return self.field(\"name\", str)"),
      ("error Gone (names: []string)", "        return self.texts(\"names\")"),
      ("# Says \"\"\" and \\.\nerror Gone ()", "    \"\"\"Says \\\"\\\"\\\" and \\\\.\"\"\""),
      ("method Get(name: ?string) -> (value: int)", "GET = _wire.Method(\"org.example.Test.Get\", GetReply)"),
    ])
  func declarations(members: String, fragment: String) throws {
    let source = try Self.file("test.py", members)
    #expect(source.contains(fragment), "\(source)")
  }

  private static let outcome = "type Outcome (result: string)\n"

  @Test(
    "A method is a call, a stream, or a flow with its questions",
    arguments: [
      ("method Get(name: string, at: ?int) -> (value: int)", "self._caller.call("),
      (
        "method Get(name: string, at: ?int) -> (value: int)",
        "        name: str,\n        *,\n        at: int | None = None,"
      ),
      ("method Watch() -> (change: (ready, changed))", "def watch(\n"),
      ("method Watch() -> (change: (ready, changed))", ") -> Stream[_types.WatchReply]:"),
      (outcome + "method Ask() -> (event: (ready, outcome), outcome: ?Outcome)", ") -> _types.AskResult:"),
      (outcome + "method Ask() -> (event: (ready, outcome), outcome: ?Outcome)", "def ask_replies("),
      ("method Take() -> (socketFileDescriptor: int)", "    def take(\n"),
      ("method Take() -> (socketFileDescriptor: int)", "    ) -> socket.socket:\n"),
      (
        "method Take() -> (socketFileDescriptor: int)",
        "self._caller.take_socket(\n            _types.TAKE,\n            \"socket_file_descriptor\","
      ),
      (
        "method Take() -> (socketFileDescriptor: int)",
        "def take_with_reply(\n        self,\n        *,\n        timeout: float | None = None,\n"
          + "    ) -> tuple[_types.TakeReply, socket.socket]:"
      ),
      ("# It must be sent\n# with `upgrade`.\nmethod Open() -> (id: string)", "self._caller.open_stream("),
      (
        outcome + "method Ask() -> (event: (ready, codeWanted, outcome), flow: ?string, outcome: ?Outcome)\n"
          + "method GiveCode(flow: string, code: string) -> ()", "on_code: _wire.Asked[_types.AskReply] | None = None,"
      ),
    ])
  func methods(members: String, fragment: String) throws {
    let source = try Self.file("_sync/test.py", members)
    #expect(source.contains(fragment), "\(source)")
  }

  @Test("The awaited form has the same methods")
  func awaited() throws {
    let source = try Self.file("_async/test.py", "method Get() -> (value: int)")
    #expect(source.contains("class AsyncTestMethods:") && source.contains("    async def get("))
    #expect(source.contains("return await self._caller.call("))
    let stream = try Self.file("_async/test.py", "# It must be sent with `upgrade`.\nmethod Open() -> (id: string)")
    #expect(stream.contains("import asyncio\n\nfrom .."))
    #expect(stream.contains(") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:"))
  }

  @Test("A type that two interfaces declare alike is that of the first")
  func shared() throws {
    let files = try Self.files(
      "interface org.example.One\ntype Step (index: int)\ntype Own (a: int)\nmethod A() -> (s: Step, o: Own)\n",
      "interface org.example.Two\ntype Step (index: int)\ntype Own (a: string)\nmethod A() -> (s: Step, o: Own)\n")
    let two = try #require(files["two.py"])
    #expect(two.contains("from .one import Step\n") && !two.contains("class Step("))
    #expect(two.contains("class Own(_wire.Record):"))
    #expect(files["_sync/interfaces.py"]?.contains("self.two = TwoMethods(caller)") == true)
  }

  @Test("Lines end before column 100")
  func width() throws {
    let names = (1...20).map { "aRatherLongName\($0)" }
    let source = try Self.file(
      "test.py",
      "# \(String(repeating: "word ", count: 60))\ntype Words (\(names.joined(separator: ", ")))\n"
        + "type Many (\(names.map { "\($0): ?string" }.joined(separator: ", ")))\nmethod Get(w: Words) -> ()")
    #expect(source.split(separator: "\n").allSatisfy { $0.count <= 100 }, "\(source)")
  }
}
