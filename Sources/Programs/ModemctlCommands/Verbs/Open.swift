import ArgumentParser
import ModemAPI
import ModemModel
import ModemctlCore
import Varlink

/// `modemctl open`
struct Open: Verb {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open a check URL over the bearer, and follow its redirects hop by hop.",
    discussion: """
      Shows each hop when it is finished; times are milliseconds from the hop's start. Brings the bearer up when it is \
      down. Other users of the machine can read arguments while modemctl runs: put a header that contains a secret into a \
      file.

      With --trace the hops are drawn as bars over the time, each as long as its DNS, connection, TLS, waiting and body \
      took; details follow. --har writes the same as an HTTP Archive 1.2, which the developer tools of browsers open. What \
      may be secret is masked in both. With --reveal it is shown, to root and to the groups that modemd's configuration \
      names.
      """)

  @Argument(help: "The URL that the chain begins with; must be https.")
  var url: String

  @Option(
    help: ArgumentHelp(
      "The URI registered with the provider: the chain ends there and does not fetch it.", valueName: "uri"))
  var redirectURI: String?

  @Option(help: "The state that the redirect URI must carry.")
  var state: String?

  @Option(help: ArgumentHelp("Time for the whole chain, 0.001 to 300.", valueName: "seconds"))
  var timeout: Double?

  @Option(
    name: .customLong("header"),
    help: ArgumentHelp(
      "A header of the first request, 'Name: value', or @FILE with one per line. May be repeated.",
      valueName: "header"))
  var headers: [String] = []

  @OptionGroup var body: BodyArguments

  @Option(help: ArgumentHelp("The latest version of TLS to offer: 1.2 or 1.3.", valueName: "version"))
  var tlsAtMost: TLSVersion?

  @Flag(help: "Do not connect ahead to the hosts that earlier chains went through.")
  var noLearn = false

  @Flag(help: "Draw the hops as bars over the time, as they come, and then their details.")
  var trace = false

  @Option(help: ArgumentHelp("Write the chain as an HTTP Archive 1.2 (JSON).", valueName: "file"))
  var har: String?

  @OptionGroup var tracing: TraceOption
  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  enum TLSVersion: String, ExpressibleByArgument, CaseIterable {
    case tls12 = "1.2"
    case tls13 = "1.3"
  }

  func validate() throws {
    if let timeout, !(0.001...300).contains(timeout) {
      throw ValidationError("--timeout takes 0.001 to 300 seconds, not \(timeout)")
    }
  }

  /// Values of a trace are only requested if they are shown, because not everybody may see them.
  private var revealsTrace: Bool { common.reveal && (trace || har != nil) }

  private func parameters() throws -> CheckInterface.Open.Parameters {
    var parameters = CheckInterface.Open.Parameters(
      url: url, modem: choice.modem, redirectURI: redirectURI, state: state,
      headers: headers.isEmpty ? nil : try HeaderArguments.read(headers),
      timeoutMilliseconds: timeout.map { Int(($0 * 1000).rounded()) })
    try body.apply(to: &parameters)
    parameters.tlsAtMost = tlsAtMost.map { $0 == .tls12 ? .tls12 : .tls13 }
    parameters.learn = noLearn ? false : nil
    parameters.reveal = revealsTrace ? true : nil
    parameters.traceparent = tracing.traceparent
    return parameters
  }

  func run(in session: Session) async throws -> ExitStatus {
    let parameters = try parameters()
    let began = session.console.now()
    var screen: any ChainScreen = trace ? TraceScreen(session) : TableScreen(session)
    var hops: [CheckInterface.Hop] = []
    do {
      for try await reply in try await session.connect().stream(CheckInterface.Open.self, parameters) {
        let shown = common.reveal ? reply : reply.masked()
        if let hop = shown.hop { hops.append(hop) }
        try session.showNext(shown) { screen.text(for: shown) }
        guard let outcome = shown.outcome else { continue }
        if let har {
          let kept = common.reveal ? outcome : outcome.maskedForOthers()
          try ArgumentFile.write(JSONText.document(HTTPArchive(hops, kept, began: began), nils: .leftOut), to: har)
        }
        if let failure = OutcomeText.failure(outcome) {
          session.complain("\(failure.message)")
        }
        return OutcomeText.status(outcome)
      }
    } catch let error as VarlinkError where error.name == VarlinkError.permissionDenied.name && revealsTrace {
      throw ModemctlError(
        .denied,
        "you may not reveal a chain's secrets; use sudo, omit --reveal, or have one of your groups named in "
          + "access.revealGroups of modemd's configuration")
    }
    throw VarlinkClientError.disconnected
  }
}

/// Shows a chain while it is followed.
protocol ChainScreen {
  /// The text to write for a reply; nil for nothing.
  mutating func text(for reply: CheckInterface.Open.Reply) -> String?
}

/// One line for each hop, then the result.
struct TableScreen: ChainScreen {
  private var hops = HopTable()
  private var isBegun = false
  private let paint: Paint

  init(_ session: Session) { paint = session.paint }

  mutating func text(for reply: CheckInterface.Open.Reply) -> String? {
    if let hop = reply.hop {
      // Without a hop there is no table above an error.
      let header = isBegun ? "" : hops.header(paint)
      isBegun = true
      return header + hops.line(hop, paint)
    }
    return reply.outcome.flatMap { OutcomeText.result($0, paint) }.map { isBegun ? "\n" + $0 : $0 }
  }
}
