import HTTPExchange
import HTTPTestSupport
import HostHTTP
import Logging
import NIOPosix
import Web

/// The two exchanges with the site that a check needs, by the client that modemd-web has.
struct SiteExchanges {
  private let client: HostClient
  private let site: TicketSite

  init(_ site: TicketSite) throws {
    self.site = site
    let origin = try WebURL(site.tickets).origin
    client = HostClient(
      group: MultiThreadedEventLoopGroup.singleton,
      trust: TLSTrust(extraRootsFile: try TestCertificates.shared.get().rootFile), userAgent: "modemd-bench-web",
      configured: { $0 == origin }, logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
  }

  /// Milliseconds from the claim until the site has the verdict.
  func time() async throws -> Double {
    let ticket = site.newTicket()
    let start = milliseconds()
    try await post("\(ticket)/claim", "{}")
    // As long as one of modemd-web's.
    let code = String(repeating: "0", count: 40)
    try await post(
      "\(ticket)/verdict",
      #"{"ask":"verify","number":"matches","provider":"truid","result":"verified","returnCode":"\#(code)"}"#)
    return try await site.nextVerdict().time - start
  }

  private func post(_ address: String, _ body: String) async throws {
    let request = WebRequest(
      "bench", .post, try WebURL(address),
      headers: [
        WebHeader(name: "Accept", value: "application/json"),
        WebHeader(name: "Authorization", value: "Bearer " + TicketSite.token),
      ], body: .json(body), time: .seconds(10))
    guard case .success(let reply) = try await client.send(request), reply.isSuccess else {
      throw BenchmarkError("the site does not answer the benchmark")
    }
  }
}
