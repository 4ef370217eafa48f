import ArgumentParser
import ModemAPI
import Varlink

struct OpenVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open a check URL over the bearer, and walk its redirects hop by hop.")

  @Argument(help: "Where to begin: an https URL.")
  var url: String

  @Option(help: "Stop here without fetching: the URI that is registered with the provider.")
  var redirectURI: String?

  @Option(help: "Compared with the state that the redirect URI carries.")
  var state: String?

  @Option(help: "Id, device or interface; not needed for the only modem.")
  var modem: String?

  @Option(name: .customLong("header"), help: "A field for the first hop, as 'Name: value'; may stand more than once.")
  var headers: [String] = []

  @Option(help: "Seconds for the whole chain, 0.001 to 300.")
  var timeout: Double?

  @Option(help: "Redirects to follow, 0 to 50.")
  var maxRedirects: Int?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    for header in headers where !header.contains(":") {
      throw ValidationError("--header needs 'Name: value'; this one has no colon")
    }
    if let timeout, !(0.001...300).contains(timeout) {
      throw ValidationError("--timeout is in seconds, from 0.001 to 300")
    }
    if let maxRedirects, !(0...50).contains(maxRedirects) { throw ValidationError("--max-redirects is 0 to 50") }
  }

  func run() async throws {
    try await Session.run(common) { session in
      var end: CheckInterface.Outcome?
      for try await reply in session.client.stream(CheckInterface.Open.self, parameters) {
        if let outcome = reply.outcome { end = outcome }
        show(reply)
      }
      guard let end else { throw VarlinkClientError.disconnected }
      if let failure = end.failure {
        Terminal.complain((failure.hop.map { "hop \($0): " } ?? "") + "\(failure.text) (\(failure.cause.rawValue))")
      }
      let status = Self.status(of: end)
      if status != .done { throw status.code }
    }
  }

  private var parameters: CheckInterface.Open.Parameters {
    var fields: [String: String] = [:]
    for header in headers {
      let halves = header.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      fields[String(halves[0])] = String(halves[1].drop { $0 == " " })
    }
    return .init(
      url: url, modem: modem, redirectURI: redirectURI, state: state, headers: fields.isEmpty ? nil : fields,
      timeoutMilliseconds: timeout.map { Int(($0 * 1000).rounded()) }, maxRedirects: maxRedirects)
  }

  private func show(_ reply: CheckInterface.Open.Reply) {
    let masking = Masking(reveals: common.reveal)
    if common.json {
      var reply = reply
      reply.outcome = reply.outcome.map(masking.outcome)
      return Terminal.print(JSONOutput.line(reply))
    }
    if let hop = reply.hop {
      if hop.index == 1 { Terminal.print(HopText.header) }
      Terminal.print(HopText.line(hop))
    }
    if let outcome = reply.outcome {
      for line in HopText.outcome(masking.outcome(outcome)) { Terminal.print(line) }
    }
  }

  /// The exit status that an outcome gives.
  static func status(of outcome: CheckInterface.Outcome) -> ExitStatus {
    switch outcome.result {
    case .redirectReached: return .done
    case .answer: return (outcome.answer?.status ?? 0) < 400 ? .done : .answerIsError
    case .failed:
      switch outcome.failure?.cause {
      case .noModem: return .noModem
      case .portUnavailable, .simAbsent, .simLocked, .simNotReady, .notRegistered, .bearerRefused, .noAddress,
        .modemFailed:
        return .notReady
      default: return .chainFailed
      }
    }
  }
}
