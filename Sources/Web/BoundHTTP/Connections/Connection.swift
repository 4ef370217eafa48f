import HTTPExchange
import NetworkAddress
import NIOCore
import NIOHTTP1
import RedirectChain
import Web

/// An open connection to one origin, for one chain.
struct Connection: Sendable {
  let channel: any Channel
  let handler: ExchangeHandler
  let address: IPAddress
  let opened: NIODeadline
  /// What else it could have been opened to.
  var candidates: [String] = []
}

/// Opens a connection to the first address that answers. IPv6 starts a quarter of a second before
/// IPv4 (RFC 8305).
///
/// `@unchecked Sendable`: confined to the scope's loop; every method runs on it.
final class ConnectRace: @unchecked Sendable {
  private struct Attempt {
    let address: IPAddress
    /// Whether it belongs to the family that the chain does not keep to.
    let isOfOtherFamily: Bool
  }

  private let scope: ChainScope
  private let url: WebURL
  private let tls: TLSClientContext?
  private let timeout: TimeAmount
  private let timing: ConnectionTiming
  private let promise: EventLoopPromise<Connection>
  private var left: [Attempt]
  private var running = 0
  private var errors: [any Error] = []
  private var isDone = false
  private var timer: Scheduled<Void>?

  /// - Parameters:
  ///   - addresses: at least one, in order of preference.
  ///   - isIPv4: the family that the chain keeps to if possible; nil if it has none yet.
  ///   - tls: nil for cleartext.
  init(
    to url: WebURL, _ addresses: [ReachableAddress], preferring isIPv4: Bool?, _ scope: ChainScope,
    tls: TLSClientContext?, timeout: TimeAmount, _ timing: ConnectionTiming
  ) {
    self.scope = scope
    self.url = url
    self.tls = tls
    self.timeout = timeout
    self.timing = timing
    let attempts = addresses.map { reachable in
      Attempt(
        address: reachable.address, isOfOtherFamily: isIPv4.map { $0 != reachable.address.isIPv4 } ?? false)
    }
    left = attempts.filter { !$0.isOfOtherFamily } + attempts.filter(\.isOfOtherFamily)
    promise = scope.loop.makePromise()
  }

  /// Alternates between the families, starting with the first one (RFC 8305, 4).
  static func interleaved(_ first: [IPAddress], _ second: [IPAddress]) -> [IPAddress] {
    var result: [IPAddress] = []
    for index in 0..<max(first.count, second.count) {
      if index < first.count { result.append(first[index]) }
      if index < second.count { result.append(second[index]) }
    }
    return result
  }

  func start() -> EventLoopFuture<Connection> {
    next()
    return promise.futureResult
  }

  private func next() {
    guard !isDone else { return }
    timer?.cancel()
    guard !left.isEmpty else {
      if running == 0 { finish(.failure(errors.first ?? BoundHTTPError(.badAddress, "there is no address"))) }
      return
    }
    let attempt = left.removeFirst()
    running += 1
    if let later = left.first {
      let isTurn = later.isOfOtherFamily && !attempt.isOfOtherFamily
      let delay = TimeAmount(isTurn ? timing.otherFamily : timing.nextAddress)
      timer = scope.loop.scheduleTask(in: delay) { self.next() }
    }
    open(attempt.address).whenComplete { result in
      self.running -= 1
      switch result {
      case .success(let connection):
        if self.isDone {
          connection.channel.abort()
        } else {
          self.finish(.success(connection))
        }
      case .failure(let error):
        self.errors.append(error)
        // The other family is tried when the chain's own has no addresses left, or when its timer
        // fires.
        if self.running == 0 || self.left.first?.isOfOtherFamily != true { self.next() }
      }
    }
  }

  private func finish(_ result: Result<Connection, any Error>) {
    guard !isDone else { return }
    isDone = true
    timer?.cancel()
    promise.completeWith(result)
  }

  private func open(_ address: IPAddress) -> EventLoopFuture<Connection> {
    let target: SocketAddress
    do {
      target = try SocketAddress(address, port: url.port)
    } catch {
      return scope.loop.makeFailedFuture(error)
    }
    let limit = AnswerLimit()
    let handler = ExchangeHandler(isTLS: tls != nil, limit: limit)
    return scope.streamBootstrap(timeout: timeout) { [tls, url] channel in
      try ExchangePipeline.add(limit, handler, to: channel.pipeline.syncOperations, tls: tls.map { (url, $0) })
    }
    .connect(to: target)
    .map { Connection(channel: $0, handler: handler, address: address, opened: .now()) }
  }
}
