import DNSWire
import Glibc
import HTTPExchange
import NIOCore
import NetworkAddress
import OutsideNumber
import RedirectChain

/// Why a program gets no address, no connection or no socket over a bearer.
package enum DialFailure: Error, Hashable, Sendable {
  package enum Reason: String, CaseIterable, Hashable, Sendable {
    case refused, timedOut, unreachable, refusedAddress, bearerLost, failed
  }

  /// The bearer's servers have no address for the name, or did not answer.
  case notResolved(name: String, text: String)
  case notConnected(Reason, text: String)
  /// The caller's rules allow none of the addresses.
  case notPermitted
}

/// Turns an error on the way to a host into a `DialFailure`.
struct DialFailureText {
  let host: NamedHost
  /// Nil where nothing connects.
  let port: Int?
  let scope: ChainScope
  let limit: Duration
  /// The address that is asked about when the network says "unreachable".
  let remote: IPAddress?

  private var place: String { port.map { "\(host.text) on port \($0)" } ?? host.text }

  /// Call it on the scope's loop.
  func failure(_ error: any Error) -> any Error {
    if let ended = scope.ended { return self.ended(ended) }
    switch error {
    case let failure as DialFailure: return failure
    case .lost(let reason) as NameLookup.Failure: return lost(reason)
    case let failure as NameLookup.Failure:
      return DialFailure.notResolved(
        name: host.text, text: failure.text(of: host.text, families: scope.families))
    case let refusal as AddressCheck.Refusal:
      return DialFailure.notConnected(
        .refusedAddress, text: "\(host.text) is \(refusal.reason), which no socket over a bearer may reach")
    case .otherFamily(let family, _) as FailureText.Problem:
      return DialFailure.notConnected(
        .unreachable,
        text: "\(host.text) has \(family.name) addresses only and the bearer has none; ask for an ipv4v6 bearer")
    case .missingFamily(let family) as FailureText.Problem:
      return DialFailure.notConnected(
        .unreachable, text: "the bearer has no \(family.name) address; ask for an ipv4v6 bearer")
    case is DNSError:
      return DialFailure.notResolved(name: host.text, text: "\(host.text) is no name that DNS can hold")
    default: return socket(error)
    }
  }

  private func ended(_ ended: ChainScope.Ended) -> any Error {
    switch ended.cause {
    case .bearerLost: lost(ended.text)
    case .timeout:
      port == nil
        ? DialFailure.notResolved(
          name: host.text, text: "the bearer's DNS servers gave no answer for \(host.text) within \(limit.words)")
        : timedOut
    default: CancellationError()
    }
  }

  private func socket(_ error: any Error) -> DialFailure {
    let code = SocketFailure.code(error)
    let mayComeFromAfar = remote != nil && [EHOSTUNREACH, ENETUNREACH].contains(code)
    if SocketFailure.isBearerLost(error), !mayComeFromAfar { return lost(SocketFailure.boundWords(error)) }
    let isSilence = error is ChannelError || code == ETIMEDOUT
    if mayComeFromAfar || isSilence, let remote {
      do throws(BoundHTTPError) {
        try RouteProbe.check(remote, over: scope.interface)
      } catch {
        return lost(error.message)
      }
    }
    if isSilence { return timedOut }
    let words = SocketFailure.words(error)
    return switch code {
    case ECONNREFUSED: .notConnected(.refused, text: "\(place): \(words)")
    case EHOSTUNREACH, ENETUNREACH: .notConnected(.unreachable, text: "\(place): \(words)")
    default: .notConnected(.failed, text: "\(place): \((error as? BoundHTTPError)?.message ?? words)")
    }
  }

  private var timedOut: DialFailure {
    .notConnected(
      .timedOut, text: "\(place) accepted no connection within \(limit.words); allow more time or try again")
  }

  private func lost(_ reason: String) -> DialFailure {
    .notConnected(.bearerLost, text: "the bearer was lost on the way to \(host.text): \(reason)")
  }
}
