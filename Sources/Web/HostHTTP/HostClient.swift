import HTTPExchange
import LimitClock
import Logging
import NIOCore
import NIOSSL
import Web

/// Makes requests over the machine's own network, with its own resolver, to applications' backends
/// and to providers' APIs.
///
/// Requests that prove a number must leave over the bearer, and use `BoundHTTP`. From here, they
/// would leave from any of the machine's addresses, and prove nothing or the wrong thing. This
/// client therefore binds no socket, and knows no interface, DNS server or name of a bearer. Names
/// that only the operator's network knows do not exist here.
///
/// After an answer over TLS, the connection waits a short time for the same user's next call to the
/// same origin. Without a user, and in the clear, each request has its own connection. A request
/// that is not idempotent (RFC 9110, 9.2.2) is written at most once. No redirect is followed, and
/// no proxy is taken from the environment.
package final class HostClient: Sendable {
  private let group: any EventLoopGroup
  private let tls: TLSContextBox
  private let userAgent: String
  private let gate: CallGate
  private let connections: KeptConnections
  private let openings = OpeningConnections()
  private let clock: LimitClock
  private let logger: Logger

  /// Makes a client. Nothing is opened or read before the first call.
  ///
  /// - Parameters:
  ///   - group: its loops carry the sockets; it must outlive the client.
  ///   - trust: which certificates are trusted.
  ///   - userAgent: the User-Agent field, unless a call has its own.
  ///   - cleartextHosts: names or addresses that may be called over http, as configured. Configured
  ///     origins at `localhost` and loopback addresses are always allowed.
  ///   - configured: whether the configuration names an origin. All other origins came from an
  ///     answer; they are only called over https and at public addresses.
  ///   - keeping: which connections are kept.
  ///   - awakeClock: for kept connections. It must advance while the machine sleeps.
  package init(
    group: any EventLoopGroup, trust: TLSTrust = TLSTrust(), userAgent: String = "modemd",
    cleartextHosts: Set<String> = [], configured: @escaping @Sendable (WebURL.Origin) -> Bool,
    keeping: ConnectionKeeping = .init(), clock: LimitClock = .machine, awakeClock: LimitClock = .sinceBoot,
    logger: Logger
  ) {
    self.group = group
    tls = TLSContextBox(trust)
    self.userAgent = userAgent
    gate = CallGate(cleartextHosts: cleartextHosts, configured: configured)
    connections = KeptConnections(keeping, clock: awakeClock)
    self.clock = clock
    self.logger = logger
  }

  /// How many connections wait for a next call.
  package var keptConnections: Int { connections.count }

  /// Closes the connections that wait, and keeps none from now on. Calls go on, each with its own
  /// connection. Call it when another client takes over, with other settings.
  package func retire() { connections.retire() }

  /// Opens a connection for a user's next call to a URL's origin, unless one waits or is coming.
  /// Nothing is requested over it. It returns at once; the call waits for the connection, and opens
  /// its own if this one fails. Cleartext and what no call may reach are left alone.
  package func makeReady(_ url: WebURL, for user: UInt32) {
    let call = WebRequest("connect", .get, url, time: Self.openingTime)
    guard url.scheme == .https, gate.refusal(of: call) == nil else { return }
    let key = KeptConnections.Shelf.Key(
      userID: user, origin: url.origin, isConfigured: gate.isConfigured(url))
    guard connections.misses(key), openings.begin(key) else { return }
    Task {
      defer { openings.end(key) }
      guard let context = try? tls.get() else { return }
      let exchange = HostExchange(
        call, tls: context, userAgent: userAgent, isConfigured: key.isConfigured,
        place: HostExchange.Place(connections: connections, key: key), opensAlone: true,
        by: .now() + TimeAmount(call.time), on: group.next())
      let end = await exchange.run()
      logger.debug(
        "connection to a backend", metadata: ["host": "\(url.host)", "opened": "\(end.isOpened)"])
    }
  }

  /// For a connection that is opened ahead.
  private static let openingTime = Duration.seconds(10)

  /// Makes one exchange. An answer of any status, including a redirect, is a success. At most 256
  /// KiB of body are read, both compressed and decompressed.
  ///
  /// - Parameter user: the user id for whom the call is made. The connection then waits for this
  ///   user's next call; nil closes it.
  /// - Returns: the answer, or why there is none, in a sentence that only names the host.
  /// - Throws: `CancellationError` if the task is cancelled; nothing of the call remains then.
  package func send(
    _ call: WebRequest, for user: UInt32? = nil
  ) async throws(CancellationError) -> Result<WebReply, WebFailure> {
    guard !Task.isCancelled else { throw CancellationError() }
    let begin = clock.now
    var way = Way.new
    let result = await perform(call, user, &way)
    var metadata: Logger.Metadata = [
      "step": "\(call.purpose)", "host": "\(call.url.host)", "time": "\(clock.now - begin)",
      "connection": "\(way.rawValue)",
    ]
    switch result {
    case .success(let reply): metadata["status"] = "\(reply.status)"
    case .failure(let failure): metadata["failure"] = "\(failure.kind.rawValue)"
    }
    logger.debug("backend call", metadata: metadata)
    if case .failure(let failure) = result, failure.kind == .cancelled { throw CancellationError() }
    return result
  }

  /// Which connection carried a call, for the log.
  private enum Way: String {
    case new, kept
    /// A kept one ended without an answer, and the request was sent again.
    case again
  }

  private func perform(
    _ call: WebRequest, _ user: UInt32?, _ way: inout Way
  ) async -> Result<WebReply, WebFailure> {
    if let refusal = gate.refusal(of: call) { return .failure(refusal) }
    let context: TLSClientContext?
    do {
      // Not on an event loop, because reading the roots blocks.
      context = call.url.scheme == .https ? try tls.get() : nil
    } catch {
      return .failure(WebFailure(.tls, "\(call.url.host) cannot be called over TLS: \(error)"))
    }
    let isConfigured = gate.isConfigured(call.url)
    let deadline = NIODeadline.now() + TimeAmount(call.time)
    let place =
      context == nil
      ? nil
      : user.map {
        HostExchange.Place(
          connections: connections, key: .init(userID: $0, origin: call.url.origin, isConfigured: isConfigured))
      }
    func exchange(over kept: KeptConnection?) async -> HostExchange.End {
      let exchange = HostExchange(
        call, tls: context, userAgent: userAgent, isConfigured: isConfigured, over: kept, place: place, by: deadline,
        on: group.next())
      return await withTaskCancellationHandler {
        await exchange.run()
      } onCancel: {
        exchange.cancel()
      }
    }
    if let place { await openings.wait(for: place.key, by: deadline, on: group.next()) }
    waiting: while let place, let kept = connections.take(place.key, isRepeatable: call.method.isIdempotent) {
      way = .kept
      switch await exchange(over: kept) {
      case .over(let outcome): return outcome
      case .unused, .opened: way = .new
      case .unanswered:
        connections.distrust(place.key)
        guard call.method.isIdempotent else { return .failure(.unanswered(by: call.url.host)) }
        way = .again
        break waiting
      }
    }
    guard case .over(let outcome) = await exchange(over: nil) else {
      // Impossible: only a kept connection ends otherwise.
      return .failure(.unanswered(by: call.url.host))
    }
    return outcome
  }
}

extension HostExchange.End {
  fileprivate var isOpened: Bool { if case .opened = self { true } else { false } }
}

extension WebRequest.Method {
  /// Whether to make a request twice is to make it once (RFC 9110, 9.2.2).
  var isIdempotent: Bool {
    switch self {
    case .get, .put, .delete: true
    case .post, .patch: false
    }
  }
}

extension WebFailure {
  /// A kept connection ended after a request was written to it, and the request must not be sent
  /// again.
  fileprivate static func unanswered(by host: String) -> WebFailure {
    WebFailure(
      .closed,
      "\(host) ended a connection without an answer, and it is not known whether it took the request, so that "
        + "modemd did not send it again; try again")
  }
}
