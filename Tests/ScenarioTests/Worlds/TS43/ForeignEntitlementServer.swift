import Glibc
import JSONTree
import ModemModel
import Testing

@testable import ScenarioRunner

/// ts43-test-ecs from PyPI in a world's host: an entitlement server that nobody here wrote, with
/// its own TLS, Milenage and EAP.
struct ForeignEntitlementServer {
  static let program = "\(Worlds.repository)/.build/venv-ts43/bin/ts43-ecs"
  static let isThere = access(program, X_OK) == 0
  static let reason: Comment =
    "needs the Python package ts43-test-ecs in .build/venv-ts43: scripts/install-dependencies test"

  static let url = "https://localhost:18443"
  static let imsi = "262011234567890"
  static let key = "465b5ce8b199b49faa5f0a2ee238a6bc"
  static let opc = "cd63cb71954a9f4e48a5994e37a02baf"
  private static let adminKey = "key-of-a-test"

  let world: World
  private let folder: String

  /// Starts the server, and makes modemd trust it.
  ///
  /// - Parameter settings: more variables of its environment.
  static func start(in world: World, _ settings: [String] = []) async throws -> ForeignEntitlementServer {
    let server = ForeignEntitlementServer(world: world, folder: world.folder.file("ecs"))
    #expect(mkdir(server.folder, 0o700) == 0)
    let certificates = try await world.run(
      ["sh", "-c", #"cd "$0" && exec "$1" certs --mcc 262 --mnc 01"#, server.folder, program])
    try #require(certificates.end == .exited(0), "\(certificates.error)")
    try server.trust()
    try await world.start(.service, afterEnding: true)
    let variables = [
      "ECS_PORT=18443", "ECS_ADMIN_API_KEY=\(adminKey)", "ECS_DATABASE_URL=sqlite+aiosqlite:///./x.db",
    ]
    let words = ["sh", "-c", #"cd "$0" && exec env "$@""#, server.folder] + variables + settings + [program, "serve"]
    let running = try await world.begin(words)
    let isReady = try await world.eventually {
      if running.process.end != nil { return true }
      return try await server.admin("GET", "/subscribers").0 == "200"
    }
    #expect(isReady && running.process.end == nil, "\(running.error())")
    return server
  }

  /// Adds the server's authority to those that the world's modemd trusts.
  private func trust() throws {
    let own = try #require(Worlds.contents(of: world.folder.authority))
    let names = WorldFolder.names(in: "\(folder)/certs")
    let name = try #require(
      names.first { $0.hasPrefix("ca") && ($0.hasSuffix(".crt") || $0.hasSuffix(".pem")) }, "\(names)")
    let theirs = try #require(Worlds.contents(of: "\(folder)/certs/\(name)"))
    try WorldFolder.replace(world.folder.authority, with: own + theirs)
  }

  /// Calls the server's interface for its administrator: the status, and the body.
  @discardableResult
  func admin(_ method: String, _ path: String, _ body: String? = nil) async throws -> (String, String) {
    var words = [
      "curl", "-sSk", "-m", "20", "-X", method, "-H", "X-Admin-Key: \(Self.adminKey)", "-H",
      "Content-Type: application/json",
      "-w", "\n%{http_code}",
    ]
    if let body { words += ["-d", body] }
    let output = try await world.run(words + ["\(Self.url)/admin/api\(path)"]).output
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    return (String(lines.last ?? ""), lines.dropLast().joined(separator: "\n"))
  }

  /// Makes the SIM of the world a subscriber.
  func add(key: String = key, sequence: String = "000000000020") async throws {
    _ = try await admin("DELETE", "/subscribers/\(Self.imsi)")
    let made = try await admin(
      "POST", "/subscribers",
      #"{"imsi":"\#(Self.imsi)","ki":"\#(key)","opc":"\#(Self.opc)","amf":"8000","sqn":"\#(sequence)","#
        + #""msisdn":"\#(TS43World.own)"}"#)
    #expect(made.0 == "201", "\(made.1)")
  }

  func expireTokens() async throws {
    let answer = try await admin("POST", "/tokens/expire", #"{"imsi":"\#(Self.imsi)"}"#)
    #expect(answer.0 == "200", "\(answer.1)")
  }

  /// A third party spends a temporary token: the status.
  func spend(_ token: String, _ operation: String) async throws -> (status: String, body: String) {
    let query = [
      "temporary_token=\(token)", "operation=\(operation)", "app=ap2014", "terminal_id=server", "terminal_vendor=x",
      "terminal_model=x", "terminal_sw_version=1", "entitlement_version=8.0", "vers=0",
    ].joined(separator: "&")
    let words = [
      "curl", "-sSk", "-m", "20", "-H", "User-Agent: PRD-TS43 term-x/x client-x/1 OS-x/1", "-w", "\n%{http_code}",
    ]
    let output = try await world.run(words + ["\(Self.url)/?\(query)"]).output
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    return (String(lines.last ?? ""), lines.dropLast().joined(separator: "\n"))
  }
}

extension World {
  /// Ends a daemon as systemd would, and starts it again.
  func start(_ daemon: Daemon, afterEnding: Bool) async throws {
    if afterEnding { await end(daemon, with: SIGTERM) }
    try await start(daemon)
    try await waitForModem()
  }
}
