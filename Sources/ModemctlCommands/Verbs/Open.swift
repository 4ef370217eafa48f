import ArgumentParser
import Glibc
import ModemAPI
import Varlink

/// `modemctl open`
struct Open: Verb {
  static let configuration = CommandConfiguration(
    abstract: "Open a check URL over the bearer, and walk its redirects hop by hop.",
    discussion: """
      Shows each hop when it is finished; times are milliseconds from the hop's start. Brings the bearer up when it is \
      down. A URL, state or header in an argument can be read by other users of the machine while modemctl runs: take \
      headers from a file where they hold a secret.
      """)

  @Argument(help: "Where to begin; must be https.")
  var url: String

  @Option(help: ArgumentHelp("Stop here without fetching: the URI registered with the provider.", valueName: "uri"))
  var redirectURI: String?

  @Option(help: "The state that the redirect URI must carry.")
  var state: String?

  @Option(help: ArgumentHelp("Time for the whole chain, 0.001 to 300.", valueName: "seconds"))
  var timeout: Double?

  @Option(
    name: .customLong("header"),
    help: ArgumentHelp(
      "A header of the first request, 'Name: value', or @FILE with one on each line. May be repeated.",
      valueName: "header"))
  var headers: [String] = []

  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if let timeout, !(0.001...300).contains(timeout) {
      throw ValidationError("--timeout takes 0.001 to 300 seconds, not \(timeout)")
    }
  }

  func run(in session: Session) async throws -> ExitStatus {
    let parameters = CheckInterface.Open.Parameters(
      url: url, modem: choice.modem, redirectURI: redirectURI, state: state,
      headers: headers.isEmpty ? nil : try HeaderArguments.read(headers),
      timeoutMilliseconds: timeout.map { Int(($0 * 1000).rounded()) })
    var hops = HopTable()
    let paint = session.paint
    for try await reply in try await session.connect().stream(CheckInterface.Open.self, parameters) {
      let shown = common.reveal ? reply : reply.masked()
      try session.showNext(shown) {
        switch shown.event {
        case .ready: hops.header(paint)
        case .hop: shown.hop.map { hops.line($0, paint) }
        case .outcome: shown.outcome.flatMap { OutcomeText.result($0, paint) }.map { "\n" + $0 }
        }
      }
      guard let outcome = shown.outcome else { continue }
      if let failure = OutcomeText.failure(outcome) {
        session.console.complain("modemctl: \(failure.message)\n")
      }
      return OutcomeText.status(outcome)
    }
    throw VarlinkClientError.disconnected
  }
}

/// Headers as they are given on the command line.
enum HeaderArguments {
  static func read(_ arguments: [String]) throws -> [String: String] {
    var headers: [String: String] = [:]
    for argument in arguments {
      for line in argument.hasPrefix("@") ? try lines(of: String(argument.dropFirst())) : [argument] {
        let (name, value) = try field(line)
        headers[name] = value
      }
    }
    return headers
  }

  /// Name and value; the value is never repeated in an error.
  private static func field(_ line: String) throws -> (String, String) {
    guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
      throw ModemctlError(.usage, "a header is written 'Name: value'; one that was given has no name or no colon")
    }
    let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
    return (String(line[..<colon]), String(value))
  }

  private static func lines(of path: String) throws -> [String] {
    guard let file = fopen(path, "re") else {
      throw ModemctlError(.usage, "the header file \(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0, bytes.count < 1 << 20 {
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
  }
}
