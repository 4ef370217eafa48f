import ArgumentParser
import FoundationEssentials
import Glibc

/// A check URL over the bearer: cold, and again.
struct Chain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time of a redirect chain over the bearer, with nothing known of its hosts, and again.",
    discussion: """
      The service must not have run this chain before: it remembers which origins a chain goes to, also when the \
      bearer has been down. So the first chain alone is cold; after it the bearer is taken down and brought up before \
      each pair of runs, which makes modemd forget connections, addresses and sessions. The round trip is taken from the chain's own TCP handshakes: the least time from an address to a \
      connection. The caller's own time counts, not what the service says of itself.
      """)

  @Option(help: "Path of the service's socket.") var socket: String
  @Option(help: "The check URL.") var url: String
  @Option(name: .customLong("redirect-uri"), help: "Where the chain ends without a request.") var redirectURI: String?
  @Option(help: "Pairs of chains, after a reconnection and again; the median counts.") var runs = 5
  @Option(help: "Round trips that a cold chain must make.") var trips = 14.0
  @Option(name: .customLong("cold"), help: "Most of the time of those round trips that a cold chain may take.")
  var most = 1.02
  @Option(help: "Most of the peer's time that a chain may take again.") var again = 0.65
  @Option(help: "What the peer takes cold, in milliseconds.") var peer: Double?
  @Option(help: "File to append JSON to.") var json: String?

  func run() throws {
    let service = ChainClient(socket: socket, url: url, redirectURI: redirectURI)
    var reconnected: [Double] = []
    var agains: [Double] = []
    try service.reconnect()
    let cold = try service.open()
    var roundTrip = cold.roundTrip
    for _ in 0..<runs {
      try service.reconnect()
      let first = try service.open()
      roundTrip = min(roundTrip, first.roundTrip)
      reconnected.append(first.milliseconds)
      agains.append(try service.open().milliseconds)
    }
    guard roundTrip.isFinite else { throw BenchmarkError("no hop opened a connection: a cold chain is not cold") }
    try FigureOutput(jsonPath: json).write([
      Figure("chain-round-trip", roundTrip, "ms"),
      Figure("chain-cold", cold.milliseconds, "ms", .atMost(most * trips * roundTrip), peer: peer),
      Figure("chain-reconnected", percentile(0.5, of: reconnected.sorted()), "ms", peer: peer),
      Figure("chain-again", percentile(0.5, of: agains.sorted()), "ms", peer.map { .atMost(again * $0) }, peer: peer),
    ])
  }
}

/// What a chain needs of the service, and no type of the service's own: the benchmark is a client like any other.
private struct ChainClient {
  let socket: String
  let url: String
  let redirectURI: String?

  struct Run {
    let milliseconds: Double
    /// The least time of a TCP handshake; infinite when no connection was opened.
    let roundTrip: Double
  }

  private struct Empty: Encodable {}
  private struct Open: Encodable {
    let url: String
    let redirectURI: String?
  }
  private struct Call<Parameters: Encodable>: Encodable {
    let method: String
    let parameters: Parameters
    let more: Bool
  }
  private struct Reply: Decodable {
    let parameters: Event?
    let continues: Bool?
    let error: String?
  }
  private struct Event: Decodable {
    let event: String?
    let hop: Hop?
    let outcome: Outcome?
  }
  private struct Hop: Decodable {
    let reused: Bool
    let times: Times
  }
  private struct Times: Decodable {
    let dns: Double?
    let connect: Double?
  }
  private struct Outcome: Decodable {
    let result: String
    let failure: Failure?
  }
  private struct Failure: Decodable {
    let cause: String
    let text: String
  }

  func reconnect() throws {
    for method in ["org.modemd.Bearer.Disconnect", "org.modemd.Bearer.Connect"] {
      let connection = try VarlinkConnection(path: socket)
      try connection.send(frame(Call(method: method, parameters: Empty(), more: false)))
      _ = try reply(connection)
    }
  }

  func open() throws -> Run {
    let connection = try VarlinkConnection(path: socket)
    let start = now()
    try connection.send(
      frame(Call(method: "org.modemd.Check.Open", parameters: Open(url: url, redirectURI: redirectURI), more: true)))
    var roundTrip = Double.infinity
    while true {
      let reply = try reply(connection)
      if let hop = reply.parameters?.hop, !hop.reused, let connect = hop.times.connect {
        roundTrip = min(roundTrip, connect - (hop.times.dns ?? 0))
      }
      if let outcome = reply.parameters?.outcome {
        let end = now()
        if let failure = outcome.failure { throw BenchmarkError("the chain failed: \(failure.cause): \(failure.text)") }
        return Run(milliseconds: end - start, roundTrip: roundTrip)
      }
      guard reply.continues == true else { throw BenchmarkError("Check.Open ended without an outcome") }
    }
  }

  private func frame(_ call: Call<some Encodable>) throws -> [UInt8] {
    Array(try JSONEncoder().encode(call)) + [0]
  }

  private func reply(_ connection: VarlinkConnection) throws -> Reply {
    let reply = try JSONDecoder().decode(Reply.self, from: Data(try connection.receive()))
    if let error = reply.error { throw BenchmarkError("the service answered with \(error)") }
    return reply
  }
}
