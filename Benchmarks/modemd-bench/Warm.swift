import ArgumentParser
import BenchmarkFigures

/// A check URL for which connections were made ready, beside a peer that begins with nothing.
struct Warm: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time of a redirect chain for which connections are ready.",
    discussion: """
      Each turn has a chain by --peer-script, and a chain by the service behind Check.Prepare; every other turn begins \
      with the script. The first chain tells the service which origins follow, and is not counted. The round trip is \
      taken from the TCP handshakes of chains behind a reconnection: one before each five turns. The caller's own time \
      counts, from the call to the outcome. The time of Prepare is a figure of its own, as a caller has it while \
      something else is waited for.
      """)

  @Option(help: "Path of the service's socket.") var socket: String
  @Option(help: "The check URL.") var url: String
  @Option(help: "What the figures' names begin with.") var name = "chain-warm"
  @Option(help: "Turns; the median counts.") var runs = 31
  @Option(help: "Round trips of the chain's requests.") var trips = 6.0
  @Option(help: "Most of the time of those round trips that a chain may take.") var most: Double?
  @Option(help: "Most of the peer's time that a chain may take.") var ratio: Double?
  @Option(help: "A program that prints the milliseconds of one chain by a peer.") var peerScript: String
  @Option(help: "File to append JSON to.") var json: String?

  func validate() throws {
    guard runs > 0 else { throw ValidationError("--runs must be above 0") }
  }

  func run() throws {
    let service = ChainCaller(socket: socket, url: url, redirectURI: nil)
    var roundTrip = Double.infinity
    var (warm, preparations, pairs): ([Double], [Double], [(value: Double, peer: Double)]) = ([], [], [])
    for turn in 0..<runs {
      if turn.isMultiple(of: 5) {
        try service.reconnect()
        roundTrip = min(roundTrip, try service.open().roundTrip)
      }
      var peer = 0.0
      if turn.isMultiple(of: 2) { peer = try ChainCaller.peer(peerScript) }
      let start = now()
      let connected = try service.prepare()
      guard connected > 1 else { throw BenchmarkError("\(connected) connections are ready: the chain is not warm") }
      preparations.append(now() - start)
      let chain = try service.open()
      guard chain.roundTrip == .infinity else { throw BenchmarkError("a warm chain opened a connection of its own") }
      warm.append(chain.milliseconds)
      if !turn.isMultiple(of: 2) { peer = try ChainCaller.peer(peerScript) }
      pairs.append((chain.milliseconds, peer))
    }
    guard roundTrip.isFinite else { throw BenchmarkError("no hop opened a connection: there is no round trip") }
    let median = percentile(0.5, of: warm.sorted())
    let figures = [
      Figure("\(name)-round-trip", roundTrip, "ms"),
      Figure("\(name)-curl", percentile(0.5, of: pairs.map(\.peer).sorted()), "ms"),
      Figure("\(name)-prepare", percentile(0.5, of: preparations.sorted()), "ms"),
      Figure(name, median, "ms", most.map { .atMost($0 * trips * roundTrip) }),
      Figure("\(name)-trips", median / roundTrip, "round trips"),
    ]
    try FigureOutput(jsonPath: json).write(figures + PairedRatio(pairs).figures("\(name)-to-curl", most: ratio))
  }
}
