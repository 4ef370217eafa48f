import ArgumentParser
import BenchmarkFigures
import FoundationEssentials
import Glibc

/// Verifications of the SIM's number, cold and warm, beside their critical paths.
struct VerifyPath: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify-path",
    abstract: "Time of a verification, cold and warm, beside the round trips of its critical path.",
    discussion: """
      Cold is the first verification of a process: the command behind -- is started anew for each of them, and serves \
      --cold-socket; the bearer is up. Warm is the next one of the same process. The round trips of the critical path \
      come from the caller, as the documentation counts them. The median run's steps and hops go to --parts, as lines \
      of JSON for `draw-path`.
      """)

  @Option(help: "What the figures' names begin with.") var name: String
  @Option(help: "Method of the flow, as in org.modemd.TruID.SubscriberCheck.") var method: String
  @Option(help: "The provider's name.") var provider: String
  @Option(help: "The SIM's own number.") var number: String
  @Option(help: "Verifications of each kind; the median counts.") var runs = 11
  @Option(help: "A round trip of either network, in milliseconds.") var trip: Double
  @Option(help: "Round trips on the critical path of a cold one.") var coldTrips: Double
  @Option(help: "Round trips on the critical path of a warm one.") var warmTrips: Double
  @Option(help: "Most of the time of those round trips.") var most: Double?
  @Option(help: "File to append the median runs' steps and hops to.") var parts: String?
  @Option(help: "File to append JSON to.") var json: String?
  @Option(help: "The socket of the command.") var coldSocket: String
  @Argument(parsing: .postTerminator, help: "The service to start.") var command: [String] = []

  func validate() throws {
    guard !command.isEmpty else { throw ValidationError("name the service to start behind --") }
    guard runs > 0, trip > 0 else { throw ValidationError("--runs and --trip must be above 0") }
  }

  func run() throws {
    var (cold, warm): ([FlowCall.Run], [FlowCall.Run]) = ([], [])
    for _ in 0..<runs {
      let (first, next) = try pair()
      cold.append(first)
      warm.append(next)
    }
    var figures: [Figure] = []
    for (kind, runs, trips) in [("cold", cold, coldTrips), ("warm", warm, warmTrips)] {
      let sorted = runs.sorted { $0.milliseconds < $1.milliseconds }
      let median = sorted[(sorted.count - 1) / 2]
      let limit = most.map { Figure.Limit.atMost($0 * trips * trip) }
      figures += [
        Figure("\(name)-\(kind)", median.milliseconds, "ms", limit, peer: trips * trip),
        Figure("\(name)-\(kind)-trips", median.milliseconds / trip, "round trips"),
        Figure("\(name)-\(kind)-path", trips, "round trips"),
      ]
      try write(median.parts)
    }
    try FigureOutput(jsonPath: json).write(figures)
  }

  /// The first verification of a fresh process over a bearer that is up, and the next.
  private func pair() throws -> (cold: FlowCall.Run, warm: FlowCall.Run) {
    unlink(coldSocket)
    let process = try spawn(command)
    defer { stop(process) }
    try waitForAnswer(on: coldSocket, from: command[0])
    let service = ChainCaller(socket: coldSocket, url: "", redirectURI: nil)
    try service.waitForModem()
    try service.reconnect()
    // Reading the roots of trust, which begins as the bearer comes up, is not what is measured.
    usleep(300_000)
    let call = FlowCall(socket: coldSocket, method: method, number: number, provider: provider)
    return (try call.run("\(name)-cold"), try call.run("\(name)-warm"))
  }

  private func write(_ lines: [FlowCall.Part]) throws {
    guard let parts else { return }
    guard let file = fopen(parts, "ae") else { throw BenchmarkError.system("cannot append to \(parts)") }
    defer { fclose(file) }
    for line in lines { fputs(String(decoding: try JSONEncoder().encode(line), as: UTF8.self) + "\n", file) }
  }
}
