import Glibc
import Testing

@testable import ScenarioRunner

/// A user without privileges who uses a world's proxy, and a server in the operator's network for
/// what programs fetch.
struct ProxyUser: Sendable {
  /// The group `sys` may open connections.
  static let scenario = scenario()

  static func scenario(_ network: String = "{}", settings: String = "") -> String {
    """
    { "network": \(network), "settings": {
      "access": { "groups": ["daemon"], "table": { "org.modemd.Bearer.OpenStream": ["sys"] } }\(settings) } }
    """
  }

  /// Files from its folder; at /drip bytes without end, at /zeros as many as the query says.
  private static let server = """
    import http.server, os, socket, sys, time
    class Handler(http.server.SimpleHTTPRequestHandler):
      def do_GET(self):
        name, _, query = self.path.partition("?")
        if name not in ("/drip", "/zeros"): return super().do_GET()
        self.send_response(200)
        if name == "/zeros": self.send_header("Content-Length", query)
        self.end_headers()
        if name == "/zeros":
          left = int(query)
          while left > 0: left -= self.wfile.write(bytes(min(left, 65536)))
        while name == "/drip": self.wfile.write(b"drip\\n"); time.sleep(0.02)
    class Server(http.server.ThreadingHTTPServer):
      address_family = socket.AF_INET6
      request_queue_size = 128
      def handle_error(self, request, address): pass
    os.chdir(sys.argv[1])
    server = Server(("::", 8080), Handler)
    open(sys.argv[2], "w").write("ready")
    server.serve_forever()
    """

  let world: World
  let user: LocalUser
  private let program: String

  /// The server's name, which the operator's name servers know.
  var host: String { "\(world.scenario.chain.aggregator.name):8080" }
  /// Where the server's files are.
  var files: String { world.folder.file("www") }

  /// Runs `body` with a server that is ready.
  static func with(
    _ scenario: String = scenario, as user: LocalUser = .trusted, _ body: (ProxyUser) async throws -> Void
  ) async throws {
    try await Worlds.with(scenario) { world in
      world.admitMembers()
      let user = ProxyUser(world: world, user: user, program: world.folder.file("modemd-run"))
      mkdir(user.files, 0o755)
      try world.folder.write("the operator's page\n", to: "www/index.html")
      // Users do not get as far as the folders of programs and certificates.
      let script = #"cp "$1" "$2" && chmod 755 "$2" && cp "$3" "$4" && chmod -R a+rX "$5""#
      let copied = try await world.run([
        "sh", "-c", script, "sh", "\(world.options.programs)/modemd-run", user.program, world.folder.authority,
        user.files + "/authority.pem", user.files,
      ])
      #expect(copied.end == .exited(0), "\(copied.error)")
      let mark = world.folder.file("server-ready")
      let server = try await world.beginInNetwork(["/usr/bin/python3", "-c", Self.server, user.files, mark])
      defer { server.send(SIGKILL) }
      #expect(try await world.eventually { Worlds.contents(of: mark) == "ready" })
      try await body(user)
    }
  }

  /// The words that have a command run as this user, with its connections over the bearer.
  func confined(_ command: [String]) -> [String] {
    user.words + [program, "--proxy", world.folder.proxy, "--"] + command
  }

  func run(_ command: String...) async throws -> CommandResult { try await world.run(confined(command)) }

  /// Fetches with a curl that knows the proxy.
  func curl(_ options: String..., scheme: String = "socks5h") async throws -> CommandResult {
    try await world.run(
      user.words + ["curl", "-sS", "--proxy", "\(scheme)://localhost\(world.folder.proxy)"] + options)
  }
}

extension World {
  /// Starts a command in the operator's namespace.
  func beginInNetwork(_ command: [String]) async throws -> ChildProcess {
    var streams = ChildProcess.Streams()
    (streams.output, streams.error) = (folder.file("server.out"), folder.file("server.err"))
    let process = try await spawn(command[0], command, in: links.network, streams)
    processes.append(process)
    return process
  }
}
