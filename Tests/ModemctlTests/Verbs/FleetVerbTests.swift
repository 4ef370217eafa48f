import FleetAPI
import FoundationEssentials
import Glibc
import JSONTree
import Logging
import ModemModel
import NIOPosix
import Subprocess
import Testing
import Varlink

@testable import ModemctlCommands
@testable import ModemctlCore

/// `modemctl fleet`, with files in a folder of the test, the real modemd-fleet for the checks, and
/// a service of the test in place of the one that runs.
@Suite("This machine in a fleet", .timeLimit(.minutes(2)))
struct FleetVerbTests {
  private static func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  private static func mode(_ path: String) -> mode_t? {
    var information = stat()
    return stat(path, &information) == 0 ? information.st_mode & 0o777 : nil
  }

  /// A folder with a certificate for a machine, and another one.
  private static func withFolder(_ body: (String) async throws -> Void) async throws {
    var template = Array("/tmp/modemctl-fleet-XXXXXX".utf8CString)
    let folder = String(cString: try #require(mkdtemp(&template)))
    defer { try? FileManager.default.removeItem(atPath: folder) }
    mkdir("\(folder)/own", 0o700)
    mkdir("\(folder)/etc", 0o700)
    for name in ["kiosk-0042", "other"] {
      let made = try await Subprocess.run(
        .name("openssl"),
        arguments: [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
          "/CN=\(name)", "-keyout", "\(folder)/own/\(name).key", "-out", "\(folder)/own/\(name).pem",
        ], output: .discarded, error: .string(limit: 65_536))
      try #require(made.terminationStatus == .exited(0), "\(made.standardError)")
    }
    try await body(folder)
  }

  private static func join(
    _ folder: String, _ broker: String = "localhost:1", machine: String = "kiosk-0042", certificate: String? = nil,
    key: String? = nil, more: [String] = []
  ) async -> Run {
    await RecordingConsole.run(
      [
        "fleet", "join", broker, "--machine", machine, "--authorities", "\(folder)/own/kiosk-0042.pem",
        "--certificate", certificate ?? "\(folder)/own/kiosk-0042.pem", "--key", key ?? "\(folder)/own/kiosk-0042.key",
        "--folder", "\(folder)/etc",
      ] + more)
  }

  @Test("A broker is HOST, HOST:PORT, or an IPv6 address in brackets")
  func brokers() throws {
    for (text, host, port) in [
      ("broker.example", "broker.example", nil), ("broker.example:1", "broker.example", 1),
      ("[::1]", "::1", nil), ("[::1]:65535", "::1", 65_535), ("10.0.0.1:8883", "10.0.0.1", 8883),
    ] as [(String, String, Int?)] {
      let draft = try FleetDraft(broker: text, machine: "m")
      #expect(draft.host == host && draft.port == port, "\(text)")
    }
    for text in ["", ":1", "a:", "a:0", "a:65536", "a:b", "::1", "[::1", "[]:1", "[::1]x", "a:1:2"] {
      #expect(throws: ModemctlError.self, "\(text)") { try FleetDraft(broker: text, machine: "m") }
    }
  }

  @Test("The file has what was said, and nothing that was not")
  func draft() throws {
    var draft = try FleetDraft(broker: "b:8884", machine: "kiosk")
    #expect(
      JSONValue(parsing: Array(draft.text(files: "/f").utf8))
        == JSONValue(
          parsing: Array(
            #"{"broker":{"host":"b","port":8884},"machine":"kiosk","authorities":"/f/authorities.pem","certificate":"/f/certificate.pem","key":"/f/key.pem"}"#
              .utf8)))
    try draft.allow(["desk=modem.list,bearer.get", "field=verify.number", "desk=modem.get"])
    draft.openHosts = ["check.example"]
    (draft.numbers, draft.fleetSize, draft.hasFleetKey) = ("hashed", 7, true)
    let tree = try #require(JSONValue(parsing: Array(draft.text(files: "/f").utf8)))
    #expect(
      tree["commands"]?["requesters"]?["desk"]?.items
        == [.string("modem.list"), .string("bearer.get"), .string("modem.get")])
    #expect(tree["commands"]?["open"]?["hosts"]?.items == [.string("check.example")])
    #expect(tree["fleetKey"] == .string("/f/fleet.key") && tree["fleetSize"] == .int(7))
    for word in ["desk", "=x", "desk=", "desk=,"] {
      #expect(throws: ModemctlError.self, "\(word)") { try draft.allow([word]) }
    }
  }

  @Test("A join that cannot work says why, names the user's files, and leaves nothing")
  func refused() async throws {
    try await Self.withFolder { folder in
      let cases: [(Run, [String])] = [
        (await Self.join(folder, machine: "other"), ["kiosk-0042.pem is for kiosk-0042, and the machine is other"]),
        (
          await Self.join(folder, key: "\(folder)/own/other.key"),
          ["\(folder)/own/other.key is not the key of the certificate in \(folder)/own/kiosk-0042.pem"]
        ),
        (
          await Self.join(folder, certificate: "\(folder)/own/kiosk-0042.key"),
          ["\(folder)/own/kiosk-0042.key has no certificate"]
        ),
        (await Self.join(folder, machine: "Kiosk"), ["machine is not 1 to 64 small letters"]),
        (await Self.join(folder, more: ["--allow", "desk=modem.lst"]), ["did you mean modem.list?"]),
        (await Self.join(folder, more: ["--numbers", "hashed"]), ["needs the fleet's key"]),
        (
          await Self.join(folder, "broker.invalid"),
          ["the broker's name broker.invalid does not resolve", "\(folder)/own/kiosk-0042.key: good"]
        ),
        // Nobody listens there.
        (await Self.join(folder, "localhost:1"), ["localhost: good", "the broker at localhost:1 does not take"]),
      ]
      for (run, words) in cases {
        #expect(run.status == .misconfigured, "\(run)")
        for word in words { #expect(run.messages.contains(word), "\(word): \(run.messages)") }
        #expect(run.messages.contains("nothing was changed"), "\(run.messages)")
        #expect(!run.messages.contains("modemd-fleet-join"), "a trial's file is named: \(run.messages)")
        #expect(Self.names(in: "\(folder)/etc") == [], "\(run.messages)")
      }
      let unreadable = await Self.join(folder, key: "\(folder)/own/missing.key")
      #expect(unreadable.status == .usage && unreadable.messages.contains("missing.key cannot be read"))
      #expect(Self.names(in: "\(folder)/etc") == [])
    }
  }

  @Test("A machine that is in a fleet does not join another one, and leaves with all its files and no others")
  func leave() async throws {
    try await Self.withFolder { folder in
      let places = FleetFolder(settings: "\(folder)/etc/fleet.json", files: "\(folder)/etc/fleet")
      try places.write(try FleetDraft(broker: "b", machine: "kiosk-0042"), ["key.pem": [1], "certificate.pem": [2]])
      #expect(Self.names(in: "\(folder)/etc/fleet") == ["certificate.pem", "key.pem"])
      #expect(Self.mode("\(folder)/etc/fleet")! & 0o007 == 0 && Self.mode("\(folder)/etc/fleet/key.pem")! & 0o037 == 0)
      try Data("x".utf8).write(to: URL(filePath: "\(folder)/etc/fleet/note"))
      let second = await Self.join(folder)
      #expect(second.status == .usage && second.messages.contains("modemctl fleet leave"), "\(second)")
      let left = await RecordingConsole.run(["fleet", "leave", "--folder", "\(folder)/etc"])
      #expect(left.status == .done, "\(left)")
      #expect(Self.names(in: "\(folder)/etc") == ["fleet"] && Self.names(in: "\(folder)/etc/fleet") == ["note"])
      let again = await RecordingConsole.run(["fleet", "leave", "--folder", "\(folder)/etc"])
      #expect(again.status == .usage && again.messages.contains("is in no fleet"), "\(again)")
      let check = await RecordingConsole.run(["fleet", "check", "--folder", "\(folder)/etc"])
      #expect(check.status == .misconfigured && check.messages.contains("modemctl fleet join"), "\(check)")
    }
  }

  @Test("What a failed join had overwritten is put back")
  func restored() throws {
    let folder = "/tmp/modemctl-fleet-restore-\(getpid())"
    mkdir(folder, 0o700)
    mkdir("\(folder)/fleet", 0o750)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data("former".utf8).write(to: URL(filePath: "\(folder)/fleet/key.pem"))
    let places = FleetFolder(settings: "\(folder)/fleet.json", files: "\(folder)/fleet")
    let former = try places.write(try FleetDraft(broker: "b", machine: "m"), ["key.pem": [1], "certificate.pem": [2]])
    #expect(Self.names(in: "\(folder)/fleet") == ["certificate.pem", "key.pem"])
    places.restore(former)
    #expect(Self.names(in: folder) == ["fleet"] && Self.names(in: "\(folder)/fleet") == ["key.pem"])
    #expect(FileManager.default.contents(atPath: "\(folder)/fleet/key.pem") == Data("former".utf8))
    // A file that cannot be written takes the ones before it back.
    mkdir("\(folder)/fleet.json", 0o700)
    #expect(throws: (any Error).self) {
      try places.write(try FleetDraft(broker: "b", machine: "m"), ["key.pem": [1], "certificate.pem": [2]])
    }
    #expect(FileManager.default.contents(atPath: "\(folder)/fleet/key.pem") == Data("former".utf8))
    #expect(Self.names(in: "\(folder)/fleet") == ["key.pem"])
  }

  private static let reply = FleetInterface.Status.Reply(
    machine: "kiosk-0042",
    connection: .init(
      state: .waiting, since: "2026-11-26T22:00:00.000Z", host: "::1", port: 8883, connects: 3, nextAttempt: 12.5,
      lastError: "the broker refused\u{1b}[31m the certificate", certificateExpires: "2027-01-01T00:00:00.000Z"),
    queue: .init(messages: 2, bytes: 300, dropped: 1),
    traffic: .init(sentBytes: 10, receivedBytes: 20, dayBytes: 12_345),
    commands: .init(accepted: 4, repeated: 1, refused: 2),
    refusals: [
      .init(
        time: "2026-11-26T21:59:00.000Z", requester: "desk", command: "bearer.disconnect", reason: .notAllowed,
        message: "desk may not have bearer.disconnect done")
    ])

  /// Serves the status to those whom a rule lets in.
  private static func serve(
    allowing isAllowed: @escaping @Sendable (Peer) -> Bool, _ body: (String) async throws -> Void
  ) async throws {
    let path = "/tmp/modemctl-fleet-control-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    var router = VarlinkRouter(.init(vendor: "modemd", product: "modemd-fleet", version: "0", url: "")) { peer, _ in
      isAllowed(peer)
    }
    router.add(FleetInterface.self)
    router.handle(FleetInterface.Status.self) { _, _ in reply }
    let server = try await VarlinkServer.start(
      router, at: .path(path, mode: 0o600), on: MultiThreadedEventLoopGroup.singleton,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    do {
      try await body(path)
    } catch {
      await server.close()
      throw error
    }
    await server.close()
  }

  @Test("status tells where the connection is, what waits, and what was refused; a stranger's text is harmless")
  func status() async throws {
    try await Self.serve(allowing: { _ in true }) { path in
      let run = await RecordingConsole.run(["fleet", "status", "--control", path])
      #expect(run.status == .notReady)
      for words in [
        "kiosk-0042", "[::1]:8883", "not connected since 2026-11-26T22:00:00.000Z", "in 12 s", "2 (300 bytes)",
        "12345", "4 taken, 1 repeated, 2 refused", "desk asked for bearer.disconnect: desk may not",
        "valid until 2027-01-01",
      ] { #expect(run.output.contains(words), "\(words): \(run.output)") }
      #expect(!run.output.contains("\u{1b}"))
      let json = await RecordingConsole.run(["fleet", "status", "--json", "--control", path])
      let tree = JSONValue(parsing: Array(json.output.utf8))
      #expect(tree?["connection"]?["state"] == .string("waiting") && tree?["refusals"]?.items.count == 1)
    }
  }

  @Test("Without modemd-fleet, or for somebody who may not ask, status says what to do")
  func unreachable() async throws {
    let missing = await RecordingConsole.run(["fleet", "status", "--control", "/nonexistent/control"])
    #expect(missing.status == .unreachable && missing.messages.contains("modemd-fleet does not run"), "\(missing)")
    try await Self.serve(allowing: { _ in false }) { path in
      let denied = await RecordingConsole.run(["fleet", "status", "--control", path])
      #expect(denied.status == .denied && denied.messages.contains("group modemd-fleet"), "\(denied)")
    }
  }
}
