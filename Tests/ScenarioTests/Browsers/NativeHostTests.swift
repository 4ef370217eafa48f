import Glibc
import JSONTree
import Testing

@testable import ScenarioRunner

/// The native host without a browser: what it says to programs that start it in a browser's place,
/// and with whose rights it asks.
@Suite(
  "The native host's process", .serialized, .timeLimit(.minutes(2)),
  .enabled(if: Worlds.areAllowed, Worlds.reason), .world(#"{ "settings": { "access": { "groups": ["daemon"] } } }"#))
struct NativeHostTests {
  private static let `extension` = "abcdefghijklmnopabcdefghijklmnop"

  /// Runs the host as a browser does, hands it messages, and closes its input.
  ///
  /// - Returns: its exit status and messages.
  private static func run(
    _ messages: [String], caller: String = "chrome-extension://\(`extension`)/", as user: LocalUser? = nil,
    folder: String? = nil
  ) async throws -> (status: ChildProcess.End, events: [JSONValue], error: String) {
    let world = try SharedWorld.current()
    try world.folder.write(
      """
      { "extensions": ["\(`extension`)"],
        "origins": { "https://kiosk.example": { "startsPerMinute": 2 } } }
      """, to: "browser-host.json", mode: 0o644)
    // A browser's messages, from a program that knows no more of them than their length.
    let script = """
      import json, struct, subprocess, sys
      messages = json.loads(sys.argv[1])
      host = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
      for message in messages:
          data = message.encode()
          host.stdin.write(struct.pack("=I", len(data)) + data)
      host.stdin.flush()
      events = []
      while len(events) < len(messages):
          head = host.stdout.read(4)
          if len(head) < 4:
              break
          event = json.loads(host.stdout.read(struct.unpack("=I", head)[0]))
          print(json.dumps(event), flush=True)
          if event["event"] != "progress":
              events.append(event)
      host.stdin.close()
      sys.exit(host.wait())
      """
    let list = JSONValue.array(messages.map { .string($0) }).text
    let program = try await program(in: world)
    let run = try await world.run(
      (user?.words ?? []) + ["env", "XDG_RUNTIME_DIR=\(folder ?? "/nowhere")", WorldBrowser.python, "-c", script, list]
        + [program, "native-host", "--configuration", world.folder.file("browser-host.json"), "--socket"]
        + [world.folder.socket, "--", caller])
    let events = run.output.split(separator: "\n").compactMap { JSONValue(parsing: Array($0.utf8)) }
    return (run.end, events, run.error)
  }

  /// A copy where other users may go.
  private static func program(in world: World) async throws -> String {
    let copy = world.folder.file("modemd-web")
    guard access(copy, X_OK) != 0 else { return copy }
    let made = try await world.run(["install", "-m", "0755", "\(Programs.folder)/modemd-web", copy])
    #expect(made.end == .exited(0), "\(made.error)")
    return copy
  }

  private static func open(_ origin: String) -> String {
    #"{"id":0,"call":"open","parameters":{"origin":"\#(origin)"}}"#
  }
  private static let verify = #"{"id":1,"call":"verify","parameters":{"number":"+4915112345678"}}"#

  @Test func `an unknown extension gets nothing, and another origin one sentence`() async throws {
    for caller in ["chrome-extension://\(String(repeating: "b", count: 32))/", "", "/path", "https://kiosk.example"] {
      let run = try await Self.run([Self.open("https://kiosk.example")], caller: caller)
      #expect(run.status == .exited(1) && run.events.isEmpty, "\(caller): \(run)")
    }
    for origin in ["https://evil.example", "https://kiosk.example:8443", "http://kiosk.example", "null"] {
      let run = try await Self.run([Self.open(origin), Self.verify])
      #expect(run.events.count == 1 && run.events.first?["event"]?.string == "error", "\(origin): \(run)")
    }
    let long = try await Self.run([Self.open("https://kiosk.example"), String(repeating: " ", count: 70_000)])
    #expect(long.events.last?["error"]?["name"]?.string == "badMessage", "\(long)")
  }

  @Test func `modemd decides by the browser's user, and an origin has its limit`() async throws {
    let world = try SharedWorld.current()
    world.admitMembers()
    let messages = [Self.open("https://kiosk.example"), Self.verify]
    // No provider is configured, which is modemd's answer; a stranger does not even reach it.
    let member = try await Self.run(messages, as: .first)
    #expect(member.events.last?["error"]?["name"]?.string == "NoProvider", "\(member)")
    let stranger = try await Self.run(messages, as: .stranger)
    #expect(stranger.events.last?["error"]?["name"]?.string == "unreachable", "\(stranger)")

    try world.folder.makeFolder("runtime")
    var names: [String?] = []
    for _ in 0..<3 {
      let run = try await Self.run(messages, folder: world.folder.file("runtime"))
      names.append(run.events.last?["error"]?["name"]?.string)
    }
    #expect(names == ["NoProvider", "NoProvider", "tooMany"])
  }

  @Test func `parameters are read strictly, and each error names its field`() async throws {
    let rows: [(String, String)] = [
      (#"{"number":"4711"}"#, "parameters.number"), ("{}", "parameters.number"),
      (#"{"number":7}"#, "parameters.number"),
      (#"{"number":"+4915112345678","imsi":true}"#, "parameters.imsi"),
      (#"{"number":"+4915112345678","provider":7}"#, "parameters.provider"),
    ]
    for (parameters, field) in rows {
      let call = #"{"id":1,"call":"verify","parameters":\#(parameters)}"#
      let run = try await Self.run([Self.open("https://kiosk.example"), call])
      #expect(run.events.last?["error"]?["field"]?.string == field, "\(parameters): \(run)")
    }
  }
}
