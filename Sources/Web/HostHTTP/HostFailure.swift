import Glibc
import HTTPExchange
import NIOCore
import NIOHTTP1
import NIOPosix
import OutsideNumber
import Web

/// Turns a call's error into a kind and one sentence. The sentence names the host, but never the
/// path, query, fields or body.
struct HostFailure {
  /// The call's time is over.
  struct OutOfTime: Error {}

  /// How far a call came.
  enum Stage {
    case connecting, handshake, answer
  }

  let url: WebURL
  /// What the call had.
  let time: Duration
  let stage: Stage

  private var host: String { url.host }

  func failure(_ error: any Error) -> WebFailure {
    switch error {
    case is OutOfTime: return outOfTime
    case ChannelError.connectTimeout: return outOfTime
    case let error as ContentCoding.Failure: return coding(error)
    case let error as ExchangeError where error.code == .timeout: return outOfTime
    case let error as ExchangeError where error.code == .tooLarge: return tooLarge(error.message)
    case HTTPParserError.invalidEOFState: return WebFailure(.closed, "\(host) gave no whole answer; try again")
    case HTTPParserError.headerOverflow: return tooLarge("the head of its answer is over the limit")
    case let error as HTTPParserError:
      return WebFailure(.closed, "\(host) sent what is no HTTP answer (\(error)); check the URL's port and scheme")
    case let error as NIOConnectionError where error.connectionErrors.isEmpty: return unresolved(error)
    case let error as NIOConnectionError where error.connectionErrors.allSatisfy { $0.error is ForeignAddress.Refused }:
      return notPublic
    case is ForeignAddress.Refused: return notPublic
    default: break
    }
    if SocketFailure.isTLS(error) { return tls(SocketFailure.tlsWords(error)) }
    if stage == .handshake, SocketFailure.isBrokenOff(error) { return tls("it broke the handshake off") }
    let words = SocketFailure.words(error)
    if stage == .connecting {
      return WebFailure(
        .connect,
        "\(host) cannot be reached on port \(url.port) over the machine's network: \(words); check that it runs")
    }
    return WebFailure(.closed, "\(host) gave no whole answer: \(words); try again")
  }

  private var outOfTime: WebFailure {
    let text =
      switch stage {
      case .connecting: "\(host) was not reached within \(time.words); check the machine's network and the host's name"
      case .handshake: "\(host) did not end the TLS handshake within \(time.words); try again"
      case .answer: "\(host) gave no whole answer within \(time.words); try again, or allow more time"
      }
    return WebFailure(.timeout, text)
  }

  private func unresolved(_ error: NIOConnectionError) -> WebFailure {
    let reason = (error.dnsAAAAError ?? error.dnsAError) as? SocketAddressError.UnknownHost
    let words = reason.map { " (\($0.errorDescription.lowercased()))" } ?? ""
    return WebFailure(
      .dns,
      "the machine's resolver knows no address of \(host)\(words); check the name in the configuration, "
        + "and the machine's DNS"
    )
  }

  private var notPublic: WebFailure {
    WebFailure(
      .refused,
      "\(host) leads to no public address, and an answer named it: it is not called on this machine or its network; "
        + "if it is the provider's, name it in the configuration")
  }

  private func tls(_ reason: String) -> WebFailure {
    WebFailure(
      .tls,
      "\(host) cannot be trusted over TLS: \(reason); check the URL, and give its authority as an extra root "
        + "if it is private"
    )
  }

  private func tooLarge(_ reason: String) -> WebFailure {
    WebFailure(.tooLarge, "\(host) sent too much: \(reason); tell who runs it")
  }

  private func coding(_ failure: ContentCoding.Failure) -> WebFailure {
    switch failure {
    case .tooLarge: tooLarge("its body is over \(HostExchange.bodyLimit) bytes decompressed")
    case .damaged: WebFailure(.closed, "the compressed body of \(host) is damaged; try again")
    case .unknown:
      WebFailure(.closed, "\(host) compressed its body in a way that was not offered; tell who runs it")
    }
  }
}
