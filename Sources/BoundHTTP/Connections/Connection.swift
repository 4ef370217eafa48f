import HTTPExchange
import NetworkAddress
import NIOCore
import NIOHTTP1
import NIOSSL
import RedirectChain

/// An open connection to one origin, for one chain.
struct Connection: Sendable {
  let channel: any Channel
  let handler: ExchangeHandler
  let address: IPAddress
  let opened: NIODeadline
}

/// Opens a connection to the first address that answers, IPv6 before IPv4 by a quarter of a second (RFC 8305).
///
/// `@unchecked Sendable`: confined to the scope's loop; every method runs on it.
final class ConnectRace: @unchecked Sendable {
  private let scope: ChainScope
  private let url: WebURL
  private let tls: NIOSSLContext?
  private let timeout: TimeAmount
  /// Head start of each address before the next.
  private let delay: TimeAmount
  private let promise: EventLoopPromise<Connection>
  private var left: [IPAddress]
  private var running = 0
  private var errors: [any Error] = []
  private var isDone = false
  private var timer: Scheduled<Void>?

  /// - Parameters:
  ///   - addresses: at least one, in order of preference.
  ///   - tls: nil for cleartext.
  ///   - delay: head start of each address before the next.
  init(
    to url: WebURL, _ addresses: [IPAddress], _ scope: ChainScope, tls: NIOSSLContext?, timeout: TimeAmount,
    delay: TimeAmount
  ) {
    self.scope = scope
    self.url = url
    self.tls = tls
    self.timeout = timeout
    self.delay = delay
    left = addresses
    promise = scope.loop.makePromise()
  }

  /// Takes turns between the families, the first one's first (RFC 8305, 4).
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
    let address = left.removeFirst()
    running += 1
    if !left.isEmpty { timer = scope.loop.scheduleTask(in: delay) { self.next() } }
    open(address).whenComplete { result in
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
        self.next()
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
