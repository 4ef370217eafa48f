import AuthCore
import HTTPExchange
import HTTPTestSupport
import HostHTTP
import LimitClock
import Logging
import NIOConcurrencyHelpers
import NIOPosix
import RedirectChain
import Web

/// A client and a backend on this machine; all that the client logs is kept.
struct HostWorld: Sendable {
  /// Stands in a header, the body, the path and the query of each call; nothing may show it.
  static let secret = "s3cr3t-pa55word"

  let client: HostClient
  let log: LogLines
  let certificates: TestCertificates

  static func make(
    isTrusted: Bool = true, rootFile: String? = nil, cleartextHosts: Set<String> = [],
    keeping: ConnectionKeeping = .init(), awakeClock: LimitClock = .sinceBoot,
    configured: @escaping @Sendable (WebURL.Origin) -> Bool = { _ in true }
  ) throws -> HostWorld {
    let certificates = try TestCertificates.shared.get()
    let log = LogLines()
    let trust = TLSTrust(
      extraRootsFile: rootFile ?? (isTrusted ? certificates.rootFile : nil), usesSystemRoots: !isTrusted)
    return HostWorld(
      client: HostClient(
        group: MultiThreadedEventLoopGroup.singleton, trust: trust, userAgent: "modemd-test",
        cleartextHosts: cleartextHosts, configured: configured, keeping: keeping, awakeClock: awakeClock,
        logger: Logger(label: "test") { _ in log }),
      log: log, certificates: certificates)
  }

  func secureServer(
    _ kind: TestCertificates.Kind = .good, _ answering: @escaping TestServer.Answering
  ) async throws -> TestServer {
    try await TestServer.start(tls: certificates.serverContext(kind), answering)
  }

  /// A call that is full of secrets.
  static func call(
    _ origin: String, method: WebRequest.Method = .post, headers: [WebHeader]? = nil,
    body: WebBody? = .json(#"{"password":"\#(secret)"}"#),
    time: Duration = .seconds(30)
  ) throws -> WebRequest {
    WebRequest(
      "createCheck", method, try WebURL("\(origin)/\(secret)?token=\(secret)"),
      headers: headers ?? [.bearer(Secret(secret)), .basic("client", Secret(secret))], body: body,
      time: time)
  }

  /// Whether a failure and the log keep the secret.
  func keepsSecret(_ failure: WebFailure) -> Bool {
    let shown = ["\(failure)", failure.text, String(reflecting: failure)] + log.lines
    let encoded = Base64.encode(Array("client:\(Self.secret)".utf8))
    return !shown.contains { $0.contains(Self.secret) || $0.contains(encoded) }
  }
}

/// A log in memory.
struct LogLines: LogHandler {
  private let box = NIOLockedValueBox<[String]>([])
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  var lines: [String] { box.withLockedValue { $0 } }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    box.withLockedValue { $0.append("\(event.message) \(event.metadata ?? [:])") }
  }
}
