import Testing
import VarlinkWire

@Suite("The generator for TypeScript")
struct TypeScriptGeneratorTests {
  private static let first = """
    # What a first interface has.
    interface org.example.First

    # A place.
    type Place (
      # Its name: */ ends no comment.
      name: string,
      kind: (town, village),
      people: ?int
    )

    type Outcome (result: (good, bad), code: ?string, text: string)

    # Walks there.
    method WalkTo(
      name: string,
      pace: ?(slow, fast),
      provider: ?string
    ) -> (
      event: (ready, step, outcome),
      step: ?Place,
      outcome: ?Outcome,
      token: ?string
    )

    method SIMCount() -> (count: int)

    # It is closed.
    error Closed (until: ?string)
    """

  private static let second = """
    interface org.example.Second

    type Place (name: string, kind: (town, village), people: ?int)

    type Wish (place: Place, often: ?int)

    method Ask(wish: Wish) -> (places: []Place, extra: [string]object)
    """

  private static func text(_ path: String) throws -> String {
    let files = try TypeScriptGenerator.files(of: [first, second])
    #expect(files.map(\.path) == ["interfaces.d.ts", "interfaces.js", "tables.js"])
    return try #require(files.first { $0.path == path }).text
  }

  @Test("A type that two interfaces have is one type; words of replies are open, those of parameters are not")
  func declarations() throws {
    let text = try Self.text("interfaces.d.ts")
    #expect(
      text.contains(
        """
          /** A place. */
          interface Place {
            /** Its name: *\\/ ends no comment. */
            name: string;
            kind: 'town' | 'village' | (string & {});
            people: number | null;
          }
        """))
    #expect(text.contains("  type Place = First.Place;"))
    #expect(text.contains("    pace?: 'slow' | 'fast' | null;"))
    #expect(text.contains("    often?: number | null;"))
    #expect(text.contains("    extra: { [key: string]: JSONValue };"))
    #expect(text.contains("    unwrap(): Outcome;"))
  }

  @Test("A reply with an event is a union by its word, with one member for words of later versions")
  func unions() throws {
    #expect(
      try Self.text("interfaces.d.ts").contains(
        """
          type WalkToReply =
            | (WalkToReplyFields & { event: 'ready' | UnknownWord })
            | (WalkToReplyFields & { event: 'step'; step: Place })
            | (WalkToReplyFields & { event: 'outcome'; outcome: Outcome });
        """))
  }

  @Test("Methods and properties have JavaScript's spelling, and what they return says how they are called")
  func methods() throws {
    let text = try Self.text("interfaces.d.ts")
    #expect(
      text.contains(
        """
            /** Walks there. */
            walkTo(
              parameters: WalkToParameters,
              options?: CallOptions,
            ): Flow<WalkToReply>;
        """))
    #expect(text.contains("    simCount(\n      parameters?: SIMCountParameters,"))
    #expect(text.contains("  readonly second: Second.Methods;"))
    #expect(text.contains("  'org.example.Second.Ask': {\n    parameters: Second.AskParameters;"))
  }

  @Test("The tables have each field's type, what prints redacted, and how each method is called")
  func tables() throws {
    let text = try Self.text("tables.js")
    #expect(text.contains("'org.example.Second.Ask': {\n    places: '[]First.Place',\n    extra: '[string]object',"))
    #expect(text.contains("    token: '?string!',"))
    #expect(text.contains("  'First.Outcome': {\n    result: 'word',\n    code: '?string',"))
    #expect(text.contains("{ form: 'flow', event: 'event', carrying: ['step', 'outcome'] },"))
    #expect(text.contains("'org.example.First.SIMCount': { form: 'call' },"))
    // What is only asked for is never read.
    #expect(!text.contains("Second.Wish"))
    #expect(try Self.text("interfaces.js").contains("  Closed: errorClass('org.example.First.Closed'),"))
  }

  @Test("What comes along with a reply decides how its method is called")
  func carriage() throws {
    let interface = """
      interface org.example.Carried

      method Take() -> (socketFileDescriptor: int)

      # It must be sent with `upgrade`.
      method Open() -> (id: string)

      # A number, and no descriptor.
      method Count() -> (openFileDescriptors: int)

      """
    let files = try TypeScriptGenerator.files(of: [interface])
    let tables = try #require(files.first { $0.path == "tables.js" }?.text)
    for (method, form) in [("Take", "descriptor"), ("Open", "upgrade"), ("Count", "call")] {
      #expect(tables.contains("'org.example.Carried.\(method)': { form: '\(form)' },"), "\(tables)")
    }
    let declarations = try #require(files.first { $0.path == "interfaces.d.ts" }?.text)
    #expect(declarations.contains("): Promise<never>;") && declarations.contains("): Promise<ByteStream<OpenReply>>;"))
  }

  @Test("A text that is no interface is refused")
  func refusal() {
    #expect(throws: InterfaceSyntaxError.self) { try TypeScriptGenerator.files(of: [Self.first, "interface x"]) }
  }
}
