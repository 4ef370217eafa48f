import HTTPExchange
import Logging
import NIOCore
import NIOSSL
import Web

/// Makes requests over the machine's own network, with its own resolver: to applications' backends and to providers' APIs.
///
/// What proves a number has to leave by the bearer, and does so through `BoundHTTP`: from here it would leave from
/// whatever address the machine has, and prove nothing or the wrong thing. So this client binds no socket, and knows no
/// interface, no DNS server and no name of a bearer: names that only the operator's network knows do not exist here.
///
/// Each request has a connection of its own, which closes behind it. It is sent at most once, no redirect is followed,
/// and no proxy is taken from the environment.
public final class HostClient: Sendable {
  private let group: any EventLoopGroup
  private let tls: TLSContextBox
  private let userAgent: String
  private let gate: CallGate
  private let logger: Logger

  /// Makes a client. Nothing is opened or read before the first call.
  ///
  /// - Parameters:
  ///   - group: whose loops carry the sockets; it must outlive the client.
  ///   - trust: whose certificates are believed.
  ///   - userAgent: the User-Agent field, unless a call has one.
  ///   - cleartextHosts: names or addresses that may be called by http, as configured. Configured origins at `localhost`
  ///     and loopback addresses always may.
  ///   - configured: whether the configuration names an origin. All others were named by an answer: they are called by
  ///     https alone, and only at public addresses.
  public init(
    group: any EventLoopGroup, trust: TLSTrust = TLSTrust(), userAgent: String = "modemd",
    cleartextHosts: Set<String> = [], configured: @escaping @Sendable (WebURL.Origin) -> Bool, logger: Logger
  ) {
    self.group = group
    tls = TLSContextBox(trust)
    self.userAgent = userAgent
    gate = CallGate(cleartextHosts: cleartextHosts, configured: configured)
    self.logger = logger
  }

  /// Makes one exchange. An answer of any status is a success, a redirect too; at most 256 KiB of body are read,
  /// compressed and decompressed.
  ///
  /// - Returns: the answer, or why there is none, in a sentence that names no more than the host.
  /// - Throws: `CancellationError` when the task is cancelled; nothing of the call is left then.
  public func send(_ call: WebRequest) async throws(CancellationError) -> Result<WebReply, WebFailure> {
    guard !Task.isCancelled else { throw CancellationError() }
    let begin = ContinuousClock.now
    let result = await perform(call)
    var metadata: Logger.Metadata = [
      "step": "\(call.purpose)", "host": "\(call.url.host)", "time": "\(ContinuousClock.now - begin)",
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
      // Not on a loop: reading the roots blocks.
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
