import Glibc
import ModemModel
import Testing

@testable import ScenarioRunner

/// `modemctl diagnose` beside real daemons, without them, and as a user without root's rights.
@Suite(.serialized, .timeLimit(.minutes(3)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct DiagnoseWorldTests {
  /// The simulated SIM's and modem's own numbers, and the bearer's public addresses, in the
  /// scenario's usual form.
  private static let scenario = #"{ "sim": { "numbers": ["+4915198765432"] } }"#
  private static let number = "15198765432"

  private static func report(
    _ world: World, _ name: String, through: [String] = [], program: String = "modemctl", _ more: String...
  ) async throws -> (result: CommandResult, text: String) {
    let file = world.folder.file(name)
    let result = try await world.run(
      through + [program, "diagnose", "--output", file, "--ports", world.folder.file("ports")] + more)
    return (result, Worlds.contents(of: file) ?? "")
  }

  /// What a report must not have, as the modem itself tells it.
  private static func personal(_ world: World) async throws -> [String] {
    let modems = try await world.run(["modemctl", "list", "--json", "--reveal"]).output
    // IMEI, IMSI and ICCID.
    let identifiers = modems.split { !($0.isASCII && $0.isNumber) }.map { String($0) }.filter { $0.count >= 14 }
    #expect(identifiers.count >= 3, "\(modems)")
    return identifiers + [number, "2001:db8:64::2"]
  }

  @Test(arguments: ModemProtocol.allCases)
  func `beside running daemons it has their states, the control channel, and no number`(kind: ModemProtocol)
    async throws
  {
    try await Worlds.with(Self.scenario, kind: kind) { world in
      #expect(try await world.run(["modemctl", "connect"]).end == .exited(0))
      let personal = try await Self.personal(world)
      let (result, text) = try await Self.report(world, "report.txt", "--capture", "2")
      #expect(result.end == .exited(0), "\(result.error)")
      for word in [
        "== What is wrong ==", "\"state\" : \"up\"", "libmbim-glib.so", "modemd-port \(Product.version)", "lookup",
        "msisdn#1", "imsi#1",
        "ipv6#", "== Control channel of wwan0, 2 s ==",
        kind == .mbim ? "Basic Connect SUBSCRIBER_READY_STATUS" : "DMS 0x",
        "sent", "received", "status 0", "End of the report.",
      ] {
        #expect(text.contains(word), "\(word)")
      }
      for value in personal {
        #expect(!text.contains(value), "\(value)")
        #expect(!result.output.contains(value), "\(value)")
      }
      var status = stat()
      #expect(stat(world.folder.file("report.txt"), &status) == 0 && status.st_mode & 0o7777 == 0o600)
      // What is there already is neither written over nor followed.
      let again = try await Self.report(world, "report.txt")
      #expect(again.result.end == .exited(2) && again.text == text)
    }
  }

  @Test func `without modemd the ports tell root, and without ports it says so`() async throws {
    try await Worlds.with(Self.scenario) { world in
      let personal = try await Self.personal(world)
      await world.end(.service, with: SIGTERM)
      let (result, text) = try await Self.report(world, "stopped.txt")
      #expect(result.end == .exited(0), "\(result.error)")
      #expect(result.output.contains("modemd's socket"), "\(result.output)")
      for word in ["modemd does not answer", "== Ports, by their own answers ==", "msisdn#1", "\"protocol\" : "] {
        #expect(text.contains(word), "\(word)")
      }
      for value in personal { #expect(!text.contains(value), "\(value)") }
      await world.end(.port, with: SIGTERM)
      let bare = try await Self.report(world, "bare.txt", "--capture", "1")
      #expect(bare.result.end == .exited(0), "\(bare.result.error)")
      #expect(bare.text.contains("the control channel: no port answers"))
    }
  }

  @Test func `a locked SIM, and a killed modemd's socket, are found in words`() async throws {
    try await Worlds.with(#"{ "sim": { "state": "pinRequired", "pin": "1234" } }"#) { world in
      let (locked, _) = try await Self.report(world, "locked.txt")
      #expect(locked.output.contains("waits for its PIN"), "\(locked.output)")
      #expect(locked.output.contains("modemctl unlock"))
      await world.end(.service)
      let (killed, text) = try await Self.report(world, "killed.txt")
      #expect(killed.output.contains("nobody listens on it"), "\(killed.output)")
      #expect(killed.output.contains("waits for its PIN") && !text.contains("PIN: 1234"))
    }
  }

  @Test func `a user without root's rights gets a file and is told what root could read`() async throws {
    try await Worlds.with(Self.scenario) { world in
      // Where the programs lie this user may not go.
      let program = world.folder.file("modemctl-copy")
      #expect(try await world.run(["cp", "\(world.options.programs)/modemctl", program]).end == .exited(0))
      world.admitMembers()
      let folder = world.folder.file("users")
      mkdir(folder, 0o700)
      chown(folder, LocalUser.stranger.userID, LocalUser.stranger.userID)
      let (result, _) = try await Self.report(
        world, "users/stranger.txt", through: LocalUser.stranger.words, program: program, "--capture", "1")
      #expect(result.end == .exited(0), "\(result.error)")
      #expect(result.output.contains("root can: sudo modemctl diagnose"), "\(result.output)")
      let text = Worlds.contents(of: world.folder.file("users/stranger.txt")) ?? ""
      for word in ["a user without root's rights", "root can ask", "the control channel: only root"] {
        #expect(text.contains(word), "\(word) in \(text.prefix(2000))")
      }
      #expect(!text.contains(Self.number) && !text.contains("msisdn#1"))
      // The socket of a port, were its folder open, tells nobody of the control channel but root.
      chmod(world.folder.file("ports"), 0o711)
      let port = world.folder.file("ports/\(await world.portName)")
      chmod(port, 0o666)
      let call = try await LocalUser.stranger.call(
        "org.modemd.Port.Capture", #"{"seconds":1}"#, in: world, at: port)
      #expect(!call.isAnswered, "\(call)")
    }
  }
}
