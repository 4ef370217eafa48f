import Testing

@testable import ScenarioRunner

/// A user without privileges who asks modemd for sockets and streams by his own program, which is
/// none of modemd's.
struct SocketUser: Sendable {
  /// The group `sys` may have streams and names. `datagrams` says whether also datagrams.
  static func scenario(_ network: String = "{}", datagrams: Bool = false) -> String {
    let further = datagrams ? #", "org.modemd.Bearer.OpenSocket.datagram": ["sys"]"# : ""
    return """
      { "network": \(network), "settings": { "access": { "groups": ["daemon"], "table": {
        "org.modemd.Bearer.Resolve": ["sys"], "org.modemd.Bearer.OpenSocket": ["sys"],
        "org.modemd.Bearer.OpenStream": ["sys"]\(further) } } } }
      """
  }

  /// Makes one call, and uses what it gets: `fetch HOST PATH` or `drip HOST`, by the descriptor or
  /// over the connection itself.
  private static let client = """
    import json, socket, sys
    path, method, parameters, kind, then = sys.argv[1:6]
    call = {"method": "org.modemd.Bearer." + method, "parameters": json.loads(parameters)}
    if method == "OpenStream": call["upgrade"] = True
    modemd = socket.socket(socket.AF_UNIX)
    modemd.connect(path)
    modemd.sendall(json.dumps(call).encode() + b"\\0")
    data, descriptors = b"", []
    while b"\\0" not in data:
      piece, more, flags, _ = socket.recv_fds(modemd, 65536, 8)
      if not piece: sys.exit("modemd closed the connection")
      data += piece
      descriptors += more
    frame, early = data.split(b"\\0", 1)
    reply = json.loads(frame)
    print(json.dumps(reply, sort_keys=True), flush=True)
    if "error" in reply: sys.exit(3)
    if kind == "none": sys.exit(0)
    stream = modemd
    if method == "OpenSocket":
      assert reply["parameters"]["socketFileDescriptor"] == 0 and len(descriptors) == 1
      stream = socket.socket(fileno=descriptors[0])
      assert stream.getblocking()
    host, target = then.split(" ")
    stream.sendall(f"GET {target} HTTP/1.0\\r\\nHost: {host}\\r\\n\\r\\n".encode())
    if kind == "half": stream.shutdown(socket.SHUT_WR)
    sys.stdout.buffer.write(early)
    while piece := stream.recv(65536):
      sys.stdout.buffer.write(piece)
      sys.stdout.flush()
    print("END")
    """

  let server: ProxyUser

  var world: World { server.world }
  var name: String { world.scenario.chain.aggregator.name }

  static func with(
    _ scenario: String = scenario(), as user: LocalUser = .trusted, _ body: (SocketUser) async throws -> Void
  ) async throws {
    try await ProxyUser.with(scenario, as: user) { try await body(SocketUser(server: $0)) }
  }

  /// The words that have a call made and used.
  ///
  /// - Parameters:
  ///   - kind: `none` for the reply alone, `fetch`, or `half` to end the request's direction first.
  func words(
    _ method: String, _ parameters: String, _ kind: String = "none", _ target: String = "/index.html",
    as user: LocalUser? = nil
  ) -> [String] {
    (user ?? server.user).words
      + ["/usr/bin/python3", "-c", Self.client, world.folder.socket, method, parameters, kind, "\(name) \(target)"]
  }

  func call(
    _ method: String, _ parameters: String, _ kind: String = "none", as user: LocalUser? = nil
  ) async throws -> CommandResult {
    try await world.run(words(method, parameters, kind, as: user))
  }

  /// The parameters for the world's server.
  var destination: String { #"{"host":"\#(name)","port":8080}"# }
}
