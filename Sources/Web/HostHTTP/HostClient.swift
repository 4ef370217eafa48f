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
/// Each request has its own connection, which closes afterwards. The request is sent at most once.
/// No redirect is followed, and no proxy is taken from the environment.
package final class HostClient: Sendable {
  private let group: any EventLoopGroup
  private let tls: TLSContextBox
  private let userAgent: String
  private let gate: CallGate
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
  package init(
    group: any EventLoopGroup, trust: TLSTrust = TLSTrust(), userAgent: String = "modemd",
    cleartextHosts: Set<String> = [], configured: @escaping @Sendable (WebURL.Origin) -> Bool,
    clock: LimitClock = .machine, logger: Logger
  ) {
    self.group = group
    tls = TLSContextBox(trust)
    self.userAgent = userAgent
    gate = CallGate(cleartextHosts: cleartextHosts, configured: configured)
    self.clock = clock
    self.logger = logger
  }

  /// Makes one exchange. An answer of any status, including a redirect, is a success. At most 256
  /// KiB of body are read, both compressed and decompressed.
  ///
  /// - Returns: the answer, or why there is none, in a sentence that only names the host.
  /// - Throws: `CancellationError` if the task is cancelled; nothing of the call remains then.
  package func send(_ call: WebRequest) async throws(CancellationError) -> Result<WebReply, WebFailure> {
    guard !Task.isCancelled else { throw CancellationError() }
    let begin = clock.now
    let result = await perform(call)
    var metadata: Logger.Metadata = [
      "step": "\(call.purpose)", "host": "\(call.url.host)", "time": "\(clock.now - begin)",
    ]
    switch result {
    case .success(let reply): metadata["status"] = "\(reply.status)"
    case .failure(let failure): metadata["failure"] = "\(failure.kind.rawValue)"
    }
    logger.debug("backend call", metadata: metadata)
    if case .failure(let failure) = result, failure.kind == .cancelled { throw CancellationError() }
    return result
  }

  private func perform(_ call: WebRequest) async -> Result<WebReply, WebFailure> {
    if let refusal = gate.refusal(of: call) { return .failure(refusal) }
    let context: TLSClientContext?
    do {
      // Not on an event loop, because reading the roots blocks.
      context = call.url.scheme == .https ? try tls.get() : nil
    } catch {
      return .failure(WebFailure(.tls, "\(call.url.host) cannot be called over TLS: \(error)"))
    }
    let exchange = HostExchange(
      call, tls: context, userAgent: userAgent, isConfigured: gate.isConfigured(call.url), on: group.next())
    return await withTaskCancellationHandler {
      await exchange.run()
    } onCancel: {
      exchange.cancel()
    }
  }
}
