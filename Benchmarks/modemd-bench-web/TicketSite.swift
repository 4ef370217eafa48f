import HTTPTestSupport
import JSONTree
import NIOConcurrencyHelpers

/// A site's server: tickets that can be claimed once, and the verdicts that it gets.
final class TicketSite: Sendable {
  struct Verdict: Sendable {
    let result: String
    /// When it was there, in `milliseconds`.
    let time: Double
  }

  private struct State {
    var last = 0
    var claimed: Set<String> = []
  }

  static let token = "a-secret-of-the-benchmark-s-site"

  private let server: TestServer
  private let state: NIOLockedValueBox<State>
  private let verdicts: AsyncStream<Verdict>
  var tickets: String { "https://localhost:\(server.port)/tickets/" }

  static func start(number: String, provider: String?) async throws -> TicketSite {
    let state = NIOLockedValueBox(State())
    let (verdicts, continuation) = AsyncStream.makeStream(of: Verdict.self)
    let question = JSONValue.object(
      ["ask": .string("verify"), "number": .string(number)].merging(provider.map { ["provider": .string($0)] } ?? [:]) {
        $1
      })
    let server = try await TestServer.start(tls: TestCertificates.shared.get().serverContext(.good)) { request in
      let time = milliseconds()
      let parts = request.target.split(separator: "/").map(String.init)
      guard request.field("authorization") == "Bearer \(token)", parts.count >= 2 else {
        return TestServer.json("{}", status: 401)
      }
      switch parts.dropFirst(2).first {
      case nil: return TestServer.json(#"{"id":"\#(parts[1])","ask":"verify","expiresInSeconds":300}"#)
      case "claim":
        guard state.withLockedValue({ $0.claimed.insert(parts[1]).inserted }),
          case .object(var fields) = question
        else { return TestServer.json("{}", status: 409) }
        fields["id"] = .string(parts[1])
        return TestServer.json(JSONValue.object(fields).text)
      default:
        let result = JSONValue(parsing: Array(request.body.utf8))?["result"]?.string ?? ""
        continuation.yield(Verdict(result: result, time: time))
        return [.send(TestServer.answer(204))]
      }
    }
    return TicketSite(server, state, verdicts)
  }

  private init(_ server: TestServer, _ state: NIOLockedValueBox<State>, _ verdicts: AsyncStream<Verdict>) {
    self.server = server
    self.state = state
    self.verdicts = verdicts
  }

  /// The address of a ticket that nobody has claimed.
  func newTicket() -> String {
    let number = state.withLockedValue { state in
      state.last += 1
      return state.last
    }
    return tickets + "ticket-of-the-benchmark-\(number)"
  }

  func nextVerdict() async throws -> Verdict {
    for await verdict in verdicts { return verdict }
    throw BenchmarkError("the site's server has ended")
  }

  func stop() async { await server.stop() }
}
