import DNSWire
import Glibc
import HTTPExchange
import NetworkAddress
import NIOCore
import NIOHTTP1
import OutsideNumber
import RedirectChain

/// Turns a hop's error into a cause and one sentence. The sentence names hosts, but never a path,
/// query or value.
struct FailureText {
  /// An error that the run itself detects.
  enum Problem: Error, Hashable {
    /// The host only has addresses of this family, and the chain cannot use it or must keep to the
    /// other one.
    case otherFamily(ChainHop.Family, isKept: Bool)
    /// The chain must keep to a family that the bearer does not have.
    case missingFamily(ChainHop.Family)
  }

  let hop: ChainMachine.Hop
  let policy: ChainPolicy
  let interface: BoundInterface
  /// The families that could have reached hosts.
  let families: [ChainHop.Family]
  /// The last address that was tried.
  let remote: IPAddress?
  /// Whether TCP was connected and TLS was not ready yet.
  let isInHandshake: Bool
  /// Whether the hop's request did not leave.
  let isUnsent: Bool

  private var host: String { hop.url.host }

  func failure(_ error: any Error, ended: ChainScope.Ended?) -> ChainFailure {
    if let ended { return self.ended(ended) }
    switch error {
    case let failure as NameLookup.Failure: return names(failure)
    case let problem as Problem: return own(problem)
    case let refusal as AddressCheck.Refusal:
      return make(.refusedByPolicy, "\(host) is \(refusal.reason), which no hop may reach")
    case let failure as ContentCoding.Failure: return coding(failure)
    case is DNSError: return make(.dnsFailed, "\(host) is no name that DNS can hold; check the URL")
    default: break
    }
    if SocketFailure.isBearerLost(error), !mayComeFromAfar(error) {
      return afterProbe(error) ?? make(.bearerLost, lostText(SocketFailure.boundWords(error)))
    }
    if SocketFailure.isTLS(error) { return tls(SocketFailure.tlsWords(error)) }
    if isInHandshake, SocketFailure.isBrokenOff(error) { return tls("it broke the handshake off") }
    if let failure = afterProbe(error) { return failure }
    return exchange(error)
  }

  private func ended(_ ended: ChainScope.Ended) -> ChainFailure {
    switch ended.cause {
    case .timeout: make(.timeout, totalTimeText)
    // The sender of this reason does not know the hop.
    case .bearerLost: make(.bearerLost, "on the way to \(host): \(ended.text)")
    default: make(ended.cause, ended.text)
    }
  }

  private var totalTimeText: String {
    let limit = policy.statedTime ?? policy.totalTime
    return "the chain was at \(host) when its \(limit.words) were over; try again, or allow more time"
  }

  /// Without credit or before a login, some operators answer for every host. The first hop shows
  /// that.
  private func tls(_ reason: String) -> ChainFailure {
    let text = "\(host) cannot be trusted over TLS: \(reason)"
    guard hop.index == 1 else { return make(.tlsFailed, "\(text); tell the operator") }
    return make(
      .possibleCaptivePortal, "\(text); a page of the operator may stand in its place: check the SIM's credit")
  }

  private func lostText(_ reason: String) -> String {
    "the bearer was lost on the way to \(host): \(reason)"
  }

  /// A distant router may have reported it, so ask the kernel.
  private func mayComeFromAfar(_ error: any Error) -> Bool {
    remote != nil && [EHOSTUNREACH, ENETUNREACH].contains(SocketFailure.code(error))
  }

  /// Silence and unreachable hosts are blamed on the bearer if the kernel has no route over it any
  /// more. What the kernel lacks also says more than that it destroyed a socket.
  private func afterProbe(_ error: any Error) -> ChainFailure? {
    let isSilence = (error as? ExchangeError)?.code == .timeout || error is ChannelError
    let isConcerned =
      isSilence || mayComeFromAfar(error) || SocketFailure.isDestroyed(error) || SocketFailure.code(error) == ETIMEDOUT
    guard isConcerned, let remote else { return nil }
    do {
      try RouteProbe.check(remote, over: interface)
      return nil
    } catch {
      return make(.bearerLost, lostText(error.message))
    }
  }

  private func exchange(_ error: any Error) -> ChainFailure {
    switch error {
    case let error as BoundHTTPError: return make(.connectFailed, "\(host) cannot be reached: \(error.message)")
    case let error as ExchangeError:
      switch error.code {
      case .timeout: return make(.timeout, "\(host) was too slow: \(error.message); try again")
      case .tooLarge: return make(.tooLarge, "\(host) sent too much: \(error.message)")
      case .closed: return make(.badAnswer, "\(host) gave no whole answer: \(error.message); try again with a new URL")
      default: return make(.connectFailed, "\(host) cannot be reached: \(error.message)")
      }
    case let error as HTTPParserError:
      if error == .headerOverflow { return make(.tooLarge, "\(host) sent a head of an answer that is too large") }
      return make(.badAnswer, "\(host) sent what is no HTTP answer (\(error)); tell the operator")
    case let error as ChannelError:
      if case .connectTimeout = error {
        return make(.timeout, "\(host) accepted no connection within \(policy.connectTime); try again")
      }
      return make(.badAnswer, "\(host) closed the connection before it answered; try again with a new URL")
    default: break
    }
    guard let code = SocketFailure.code(error) else {
      return make(
        .badAnswer, "\(host) broke the exchange off (\(SocketFailure.words(error))); try again with a new URL")
    }
    if [ECONNRESET, EPIPE].contains(code) {
      return make(.badAnswer, "\(host) broke the connection off; try again with a new URL")
    }
    return make(.connectFailed, "\(host) cannot be reached on port \(hop.url.port): \(SocketFailure.words(error))")
  }

  private func names(_ failure: NameLookup.Failure) -> ChainFailure {
    let text = failure.text(of: host, families: families)
    return switch failure {
    case .noServers, .noAddresses: make(.dnsFailed, text)
    case .noSuchName: make(.dnsFailed, "\(text); check the URL")
    case .refused: make(.dnsFailed, "\(text); try again")
    case .noAnswer: make(.dnsFailed, "\(text); check the bearer's DNS servers")
    case .lost(let reason): make(.bearerLost, lostText(reason))
    }
  }

  private func own(_ problem: Problem) -> ChainFailure {
    switch problem {
    case .otherFamily(let family, isKept: true):
      make(.connectFailed, "\(host) has \(family.name) addresses only and the chain must keep to the other family")
    case .otherFamily(let family, isKept: false):
      make(
        .connectFailed,
        "\(host) has \(family.name) addresses only and the bearer has none; ask for an ipv4v6 bearer")
    case .missingFamily(let family):
      make(
        .noAddress, "the chain must keep to \(family.name) and the bearer has none; ask for an ipv4v6 bearer")
    }
  }

  private func coding(_ failure: ContentCoding.Failure) -> ChainFailure {
    switch failure {
    case .unknown: make(.badAnswer, "\(host) compressed its body in a way that was not offered; tell the operator")
    case .damaged: make(.badAnswer, "the compressed body of \(host) is damaged; try again with a new URL")
    case .tooLarge: make(.tooLarge, "\(host) sent too much: its body is over \(policy.bodyBytes) bytes decompressed")
    }
  }

  private func make(_ cause: ChainFailure.Cause, _ text: String) -> ChainFailure {
    ChainFailure(cause, hop: hop.index, isUnsent: isUnsent, text)
  }
}
