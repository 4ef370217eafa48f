import ModemAPI
import ModemModel
import ModemService
import RedirectChain
import Varlink

/// org.modemd.Check.
struct CheckHarness: Sendable {
  let checks: CheckService

  func add(to router: inout VarlinkRouter) {
    router.add(CheckInterface.self)
    router.stream(CheckInterface.Open.self) { parameters, _, replies in
      let request = try ChainRequest(parameters)
      let clock = ContinuousClock()
      let start = clock.now
      replies.send(.init(event: .ready))
      let outcome = try await onWire {
        try await checks.open(request, modem: parameters.modem) { hop in
          replies.send(.init(event: .hop, hop: CheckInterface.Hop(hop)))
        }
      }
      return .init(event: .outcome, outcome: CheckInterface.Outcome(outcome, after: clock.now - start))
    }
  }
}

extension ChainRequest {
  /// Reads the options of a call, each within its range.
  init(_ parameters: CheckInterface.Open.Parameters) throws {
    let url: WebURL
    let redirectURI: RedirectURI?
    do {
      url = try WebURL(parameters.url)
      redirectURI = try parameters.redirectURI.map { text throws(WebURL.Invalid) in try RedirectURI(text) }
    } catch {
      throw VarlinkError(CheckInterface.InvalidURL(reason: "\(error)"))
    }
    guard url.scheme == .https else {
      throw VarlinkError(
        CheckInterface.InvalidURL(
          reason: "a check URL must be https; cleartext is allowed only for hops after the first"))
    }
    var policy = ChainPolicy()
    if let redirects = parameters.maxRedirects {
      guard (0...50).contains(redirects) else { throw Self.invalid("maxRedirects", "0 to 50") }
      policy.maximumRedirects = redirects
    }
    if let time = parameters.timeoutMilliseconds {
      guard (1...300_000).contains(time) else { throw Self.invalid("timeoutMilliseconds", "1 to 300000") }
      policy.totalTime = .milliseconds(time)
    }
    self.init(
      url: url, redirectURI: redirectURI, state: parameters.state,
      headers: try (parameters.headers ?? [:]).sorted { $0.key < $1.key }.map(Self.header), policy: policy)
  }

  // Fields that belong to the connection, or that the chain itself makes.
  private static let reserved: Set<String> = [
    "host", "connection", "content-length", "transfer-encoding", "upgrade", "te", "trailer", "cookie", "keep-alive",
    "proxy-authorization", "proxy-connection",
  ]

  private static func header(_ field: (key: String, value: String)) throws -> Header {
    let isToken =
      !field.key.isEmpty
      && field.key.utf8.allSatisfy { byte in
        Character(UnicodeScalar(byte)).isASCII
          && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
            || "!#$%&'*+-.^_`|~".utf8.contains(byte))
      }
    guard isToken, !reserved.contains(field.key.lowercased()) else {
      throw invalid("headers", "names of RFC 9110 that are not the connection's own")
    }
    guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
      throw invalid("headers", "values without control characters")
    }
    return Header(name: field.key, value: field.value)
  }

  private static func invalid(_ option: String, _ expected: String) -> VarlinkError {
    VarlinkError(CheckInterface.InvalidOption(option: option, expected: expected))
  }
}
