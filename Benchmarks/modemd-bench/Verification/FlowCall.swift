import BenchmarkFigures
import FoundationEssentials

/// A call of a flow's method, and what is read of its replies.
struct FlowCall {
  /// A step or a hop, as a line of the drawing's data.
  struct Part: Codable {
    enum Kind: String, Codable {
      case step, hop
    }

    /// Which run it belongs to, as in `truid-cold`.
    var run: String
    var kind: Kind
    var index: Int
    /// The step's name, or the hop's host.
    var name: String
    /// As in `bearer`; nil for a hop.
    var lane: String?
    /// Milliseconds from the flow's start.
    var start: Double
    var milliseconds: Double
  }

  struct Run {
    let milliseconds: Double
    let parts: [Part]
  }

  private struct Parameters: Encodable {
    let number: String
    let provider: String
  }

  private struct Reply: Decodable {
    let parameters: Event?
    let continues: Bool?
    let error: String?
  }
  private struct Event: Decodable {
    let step: Step?
    let hop: Hop?
    let outcome: Outcome?
  }
  private struct Step: Decodable {
    let index: Int
    let name: String
    let lane: String
    let start: Double
    let milliseconds: Double
  }
  private struct Hop: Decodable {
    let step: Int
    let host: String
    let start: Double
    let milliseconds: Double?
  }
  private struct Outcome: Decodable {
    let result: String
    let text: String
  }

  let socket: String
  let method: String
  let number: String
  let provider: String

  /// Runs the flow once. The caller's own time counts, not what the service says of itself.
  ///
  /// - Throws: when the number is not verified.
  func run(_ name: String) throws -> Run {
    let connection = try VarlinkConnection(path: socket)
    let start = now()
    try connection.send(try CheckCall.frame(method, Parameters(number: number, provider: provider), more: true))
    var steps: [Step] = []
    var hops: [Hop] = []
    while true {
      let reply = try JSONDecoder().decode(Reply.self, from: Data(try connection.receive()))
      if let error = reply.error { throw BenchmarkError("the service answered \(error)") }
      if let step = reply.parameters?.step { steps.append(step) }
      if let hop = reply.parameters?.hop { hops.append(hop) }
      if let outcome = reply.parameters?.outcome {
        let time = now() - start
        guard outcome.result == "verified" else {
          throw BenchmarkError("\(method): \(outcome.result): \(outcome.text)")
        }
        return Run(milliseconds: time, parts: Self.parts(name, steps, hops))
      }
      guard reply.continues == true else { throw BenchmarkError("\(method) ended without an outcome") }
    }
  }

  private static func parts(_ run: String, _ steps: [Step], _ hops: [Hop]) -> [Part] {
    steps.sorted { $0.index < $1.index }.flatMap { step in
      [
        Part(
          run: run, kind: .step, index: step.index, name: step.name, lane: step.lane, start: step.start,
          milliseconds: step.milliseconds)
      ]
        + hops.filter { $0.step == step.index }.map { hop in
          Part(
            run: run, kind: .hop, index: step.index, name: hop.host, lane: nil, start: step.start + hop.start,
            milliseconds: hop.milliseconds ?? 0)
        }
    }
  }
}
