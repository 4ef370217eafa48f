import HostHTTP
import JournalLog
import LimitClock
import Logging
import ModemModel
import Web

/// Asks backends for their tickets and tells them verdicts, over https and with the secret that
/// only this service and the backend have. No redirect is followed.
package struct TicketOffice: Sendable {
  private let client: HostClient
  private let clock: LimitClock
  private let logger: Logger
  /// For one exchange.
  private static let time = Duration.seconds(10)
  /// Before each further attempt at telling a verdict.
  private static let waits: [Duration] = [.seconds(1), .seconds(2), .seconds(4), .seconds(8)]

  package init(client: HostClient, clock: LimitClock, logger: Logger) {
    self.client = client
    self.clock = clock
    self.logger = logger
  }

  /// Reads what a ticket asks. It stays as it is.
  package func offer(_ address: TicketAddress) async throws -> OfferedTicket {
    let url = address.backend.tickets.appending(path: "/" + address.id)
    let reply = try await send("ticket", .get, url, address.backend)
    return try noted(address) { () throws(TicketFailure) in try OfferedTicket(reply.body, of: address) }
  }

  /// Claims a ticket, which its backend allows once.
  ///
  /// - Parameter offered: what the person has agreed to.
  package func claim(_ address: TicketAddress, offered: Ask) async throws -> TicketQuestion {
    let url = address.backend.tickets.appending(path: "/" + address.id + "/claim")
    let reply = try await send("claim", .post, url, address.backend, body: .json("{}"))
    return try noted(address) { () throws(TicketFailure) in
      try TicketQuestion(reply.body, of: address, offered: offered)
    }
  }

  /// Tells a verdict, up to five times if the backend does not answer or has too much to do.
  ///
  /// - Parameter isLast: whether there is time for one attempt only.
  /// - Returns: whether the backend took it.
  package func report(
    _ verdict: Verdict, of address: TicketAddress, ask: Ask, returnCode: String, isLast: @Sendable () async -> Bool
  ) async -> Bool {
    let url =
      address.backend.verdicts ?? address.backend.tickets.appending(path: "/" + address.id + "/verdict")
    let body = WebBody.json(verdict.document(ticket: address.id, ask: ask, returnCode: returnCode))
    for wait in Self.waits.map(Optional.some) + [nil] {
      let result = try? await client.send(request("verdict", .post, url, address.backend, body: body))
      switch result {
      case .success(let reply) where reply.isSuccess: return true
      case .success(let reply) where reply.status < 500 && reply.status != 429:
        logger.error("the backend refuses a verdict", metadata: mark(address, ["status": "\(reply.status)"]))
        return false
      case .success(let reply):
        logger.warning("a verdict was not taken", metadata: mark(address, ["status": "\(reply.status)"]))
      case .failure(let failure): logger.warning("a verdict was not told: \(failure)", metadata: mark(address))
      case nil: return false
      }
      guard let wait, await !isLast(), (try? await clock.pause(for: wait)) != nil else { return false }
    }
    return false
  }

  private func send(
    _ purpose: String, _ method: WebRequest.Method, _ url: WebURL, _ backend: Backend, body: WebBody? = nil
  ) async throws -> WebReply {
    switch try await client.send(request(purpose, method, url, backend, body: body)) {
    case .success(let reply) where reply.status == 200: return reply
    case .success(let reply) where [404, 409, 410].contains(reply.status): throw TicketFailure.gone
    case .success(let reply):
      logger.error(
        "the backend refuses the \(purpose)", metadata: ["backend": "\(backend.key)", "status": "\(reply.status)"])
      throw TicketFailure.unreachable
    case .failure(let failure):
      logger.error("the \(purpose) failed: \(failure)", metadata: ["backend": "\(backend.key)"])
      throw TicketFailure.unreachable
    }
  }

  private func request(
    _ purpose: String, _ method: WebRequest.Method, _ url: WebURL, _ backend: Backend, body: WebBody?
  ) -> WebRequest {
    var headers = [
      WebHeader(name: "Accept", value: "application/json"),
      WebHeader(name: "Authorization", value: "Bearer " + backend.token.revealed),
    ]
    if backend.isTraced, let trace = TraceContext.current {
      headers.append(WebHeader(name: "traceparent", value: trace.traceparent()))
    }
    return WebRequest(purpose, method, url, headers: headers, body: body, time: Self.time)
  }

  /// Logs a mistake of a backend, which its makers have to see.
  private func noted<Value>(
    _ address: TicketAddress, _ read: () throws(TicketFailure) -> Value
  ) throws(TicketFailure) -> Value {
    do throws(TicketFailure) {
      return try read()
    } catch {
      switch error {
      case .bad(let field):
        logger.error("a ticket cannot be used: \(field) is missing or wrong", metadata: mark(address))
      case .notAllowed:
        logger.error("a ticket asks what `asks` does not have for its backend", metadata: mark(address))
      case .gone, .unreachable: break
      }
      throw error
    }
  }

  private func mark(_ address: TicketAddress, _ more: Logger.Metadata = [:]) -> Logger.Metadata {
    more.merging(["backend": "\(address.backend.key)"]) { $1 }
  }
}
