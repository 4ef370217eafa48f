import ArgumentParser
import BenchmarkFigures
import Glibc

/// A check URL over the bearer: cold, and again.
struct Chain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time of a redirect chain over the bearer, with nothing known of its hosts, and again.",
    discussion: """
      Cold is the first chain of a process: the command behind -- is started anew for each of them, and serves \
      --cold-socket. Each has its turn with --peer-script, and every other turn begins with the script. The script \
      prints the milliseconds of one chain by another program. For the others the bearer is taken down and brought up \
      before each pair of runs, which makes modemd forget connections, addresses and origins. The round trip is taken \
      from the chains' own TCP handshakes: the least time from an address to a connection. The caller's own time \
      counts, not what the service says of itself.
      """)

  @Option(help: "Path of the service's socket.") var socket: String
  @Option(help: "The check URL.") var url: String
  @Option(help: "What the figures' names begin with.") var name = "chain"
  @Option(name: .customLong("redirect-uri"), help: "Where the chain ends without a request.") var redirectURI: String?
  @Option(help: "Turns of cold chains, and after a reconnection; the median counts.") var runs = 31
  @Option(help: "Round trips that a cold chain must make.") var trips = 14.0
  @Option(name: .customLong("cold"), help: "Most of the time of those round trips that a cold chain may take.")
  var most: Double?
  @Option(name: .customLong("cold-ratio"), help: "Most of the peer's time that a cold chain may take.")
  var mostOfPeer: Double?
  @Option(help: "Most of the peer's time that a chain may take again.") var again: Double?
  @Option(help: "A program that prints the milliseconds of one chain by a peer.") var peerScript: String?
  @Option(help: "The socket of the command.") var coldSocket: String?
  @Option(help: "File to append JSON to.") var json: String?
  @Argument(parsing: .postTerminator, help: "A service to start for each cold chain.") var command: [String] = []

  func validate() throws {
    guard command.isEmpty || coldSocket != nil else { throw ValidationError("a command needs --cold-socket") }
    guard runs > 0 else { throw ValidationError("--runs must be above 0") }
  }

  func run() throws {
    let service = ChainCaller(socket: socket, url: url, redirectURI: redirectURI)
    let (cold, peers) = try turns()
    var reconnected: [ChainCaller.Run] = []
    var agains: [ChainCaller.Run] = []
    for _ in 0..<runs {
      try service.reconnect()
      reconnected.append(try service.open())
      agains.append(try service.open())
    }
    let roundTrip = (cold + reconnected).map(\.roundTrip).min() ?? .infinity
    guard roundTrip.isFinite else { throw BenchmarkError("no hop opened a connection: a cold chain is not cold") }
    let limit = most.map { Figure.Limit.atMost($0 * trips * roundTrip) }
    let peer = peers.isEmpty ? nil : percentile(0.5, of: peers.sorted())
    var figures = [Figure("\(name)-round-trip", roundTrip, "ms")]
    if let peer { figures.append(Figure("\(name)-curl", peer, "ms", limit)) }
    if !cold.isEmpty {
      figures.append(Figure("\(name)-cold", Self.median(cold), "ms", limit, peer: peer))
      figures.append(Figure("\(name)-cold-trips", Self.median(cold) / roundTrip, "round trips"))
    }
    if !cold.isEmpty, !peers.isEmpty {
      figures += PairedRatio(zip(cold, peers).map { ($0.milliseconds, $1) })
        .figures("\(name)-cold-to-curl", most: mostOfPeer)
    }
    let againLimit = again.flatMap { again in peer.map { Figure.Limit.atMost(again * $0) } }
    figures += [
      Figure("\(name)-reconnected", Self.median(reconnected), "ms", limit, peer: peer),
      Figure("\(name)-reconnected-trips", Self.median(reconnected) / roundTrip, "round trips"),
      Figure("\(name)-again", Self.median(agains), "ms", againLimit, peer: peer),
    ]
    try FigureOutput(jsonPath: json).write(figures)
  }

  /// Cold chains and the peer's, one of each in a turn.
  private func turns() throws -> (cold: [ChainCaller.Run], peers: [Double]) {
    var (cold, peers): ([ChainCaller.Run], [Double]) = ([], [])
    for turn in 0..<runs {
      for isPeer in turn.isMultiple(of: 2) ? [true, false] : [false, true] {
        if isPeer, let peerScript {
          peers.append(try ChainCaller.peer(peerScript))
        } else if !isPeer, let coldSocket, !command.isEmpty {
          cold.append(try coldChain(at: coldSocket))
        }
      }
    }
    return (cold, peers)
  }

  /// The first chain of a fresh process, over a bearer that is up.
  private func coldChain(at socket: String) throws -> ChainCaller.Run {
    unlink(socket)
    let process = try spawn(command)
    defer { stop(process) }
    try waitForAnswer(on: socket, from: command[0])
    let service = ChainCaller(socket: socket, url: url, redirectURI: redirectURI)
    try service.waitForModem()
    try service.reconnect()
    // Reading the roots of trust, which begins as the bearer comes up, is not what is measured.
    usleep(300_000)
    return try service.open()
  }

  private static func median(_ runs: [ChainCaller.Run]) -> Double {
    percentile(0.5, of: runs.map(\.milliseconds).sorted())
  }
}

/// Opens one chain after the other.
struct ChainCaller {
  let socket: String
  let url: String
  let redirectURI: String?

  struct Run {
    let milliseconds: Double
    /// The least time of a TCP handshake; infinite when no connection was opened.
    let roundTrip: Double
  }

  /// The milliseconds of one chain by another program.
  static func peer(_ script: String) throws -> Double {
    let text = try output(of: [script])
    let line = text.split { $0.isWhitespace }.first.map(String.init) ?? ""
    guard let time = Double(line), time > 0 else { throw BenchmarkError("\(script) printed '\(line)'") }
    return time
  }

  func waitForModem() throws {
    let start = now()
    while try CheckCall.modems(of: socket).isEmpty {
      guard now() - start < 10_000 else { throw BenchmarkError("there is no modem after 10 s") }
      usleep(1000)
    }
  }

  func reconnect() throws {
    for method in ["org.modemd.Bearer.Disconnect", "org.modemd.Bearer.Connect"] {
      let connection = try VarlinkConnection(path: socket)
      try connection.send(try CheckCall.frame(method, CheckCall.Empty(), more: false))
      _ = try CheckCall.reply(on: connection)
    }
  }

  /// Announces the chain.
  ///
  /// - Returns: how many connections are ready for it.
  func prepare() throws -> Int {
    let connection = try VarlinkConnection(path: socket)
    try connection.send(try CheckCall.frame("org.modemd.Check.Prepare", CheckCall.Prepare(url: url), more: false))
    guard let connected = try CheckCall.reply(on: connection).parameters?.connected else {
      throw BenchmarkError("the service makes nothing ready: is bearer.metered set, or the hour's allowance used?")
    }
    return connected
  }

  func open() throws -> Run {
    let connection = try VarlinkConnection(path: socket)
    let call = CheckCall.Open(url: url, redirectURI: redirectURI)
    let start = now()
    try connection.send(try CheckCall.frame("org.modemd.Check.Open", call, more: true))
    var roundTrip = Double.infinity
    while true {
      let reply = try CheckCall.reply(on: connection)
      if let hop = reply.parameters?.hop, !hop.reused, let connect = hop.times.connect {
        roundTrip = min(roundTrip, connect - (hop.times.dns ?? 0))
      }
      if reply.parameters?.outcome != nil { return Run(milliseconds: now() - start, roundTrip: roundTrip) }
      guard reply.continues == true else { throw BenchmarkError("Check.Open ended without an outcome") }
    }
  }
}
