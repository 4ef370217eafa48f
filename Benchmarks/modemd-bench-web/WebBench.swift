import ArgumentParser
import Glibc
import HTTPTestSupport
import ModemAPIClient

/// Measures what modemd-web adds to a check of a number.
@main
struct WebBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modemd-bench-web",
    abstract: "Times of a check of a number with and without modemd-web in milliseconds, for `modemd-bench times`.",
    discussion: """
      A line for each round, with four times that are taken one after the other: the check by a program, from its \
      connect to the outcome; the same by modemd-web, from the POST of the page's button until the site has the \
      verdict; the claim and the verdict alone, by the client that modemd-web has, until the site has the verdict; and \
      the check by a page with `fetch`, from its connect to the end of the answer. What modemd-web adds to a ticket's \
      check is the second less the first and the third, and to a page's the fourth less the first.
      """)

  @Option(help: "Path of the service's socket.") var socket = ModemAPIClient.defaultPath
  @Option(help: "The program modemd-web.") var web: String
  @Option(help: "The port for it, 1024 to 65534; pages that ask by fetch have the next one.") var port = 61_977
  @Option(help: "The number that is checked; it is the SIM's.") var number: String
  @Option(help: "The provider of the check, by name.") var provider: String?
  @Option(help: "Rounds, after a tenth of that for warming up; 1 to 400.") var rounds = 300

  func validate() throws {
    // A user may have 600 tickets fetched in a minute.
    guard (1...400).contains(rounds) else { throw ValidationError("--rounds is from 1 to 400") }
    guard (1024...65_534).contains(port) else { throw ValidationError("--port is from 1024 to 65534") }
  }

  func run() async throws {
    let site = try await TicketSite.start(number: number, provider: provider)
    let service = try WebService(.tickets(site), program: web, port: port, socket: socket)
    defer { service.stop() }
    let fetch = try WebService(.fetch, program: web, port: port + 1, socket: socket)
    defer { fetch.stop() }
    let (browser, page) = (PageBrowser(port: port), PageBrowser(port: port + 1))
    let alone = try SiteExchanges(site)
    for round in 0..<(rounds + rounds / 10) {
      let direct = try await direct()
      let through = try await through(site, browser)
      let exchanges = try await alone.time()
      let fetched = try fetched(page)
      if round >= rounds / 10 { print(direct, through, exchanges, fetched) }
    }
    await site.stop()
  }

  private func fetched(_ page: PageBrowser) throws -> Double {
    let start = milliseconds()
    let answer = try page.fetch(number, provider)
    let end = milliseconds()
    guard answer.contains(#""result":"verified""#) else { throw BenchmarkError("the page is told \(answer)") }
    return end - start
  }

  /// As modemd-web asks: a connection for each check.
  private func direct() async throws -> Double {
    let start = milliseconds()
    let client = try await ModemAPIClient.connect(to: socket)
    var result: VerifyInterface.Outcome.Result?
    for try await reply in client.stream(VerifyInterface.Number.self, .init(number: number, provider: provider)) {
      if let outcome = reply.outcome { result = outcome.result }
    }
    let end = milliseconds()
    guard result == .verified else { throw BenchmarkError("modemd says \(result?.rawValue ?? "nothing")") }
    return end - start
  }

  private func through(_ site: TicketSite, _ browser: PageBrowser) async throws -> Double {
    let form = try browser.open("/start?ticket=\(site.newTicket())")
    let start = milliseconds()
    let flow = try browser.press(form)
    // As every browser does; the page is of no account for the time.
    _ = try browser.page(flow)
    let verdict = try await site.nextVerdict()
    guard verdict.result == "verified" else { throw BenchmarkError("the site is told \(verdict.result)") }
    return verdict.time - start
  }
}

/// What kept a figure from being measured.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Milliseconds of a clock that only goes forward.
func milliseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}
