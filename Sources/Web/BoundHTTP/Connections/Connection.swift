import HTTPExchange
import NetworkAddress
import NIOCore
import Web

/// An open connection to one origin, for one chain.
struct Connection: Sendable {
  let channel: any Channel
  let handler: ExchangeHandler
  let address: IPAddress
  let opened: NIODeadline
  /// What else it could have been opened to.
  var candidates: [String] = []
  /// Nil if nobody watches it.
  var watch: ConnectionWatch?
}

extension Connection {
  /// The race for a connection to a URL's origin.
  ///
  /// - Parameters:
  ///   - addresses: at least one, in order of preference.
  ///   - isIPv4: the family that the chain keeps to if possible; nil if it has none yet.
  ///   - tls: nil for cleartext.
  ///   - isWatched: whether each connection has a watch.
  static func race(
    to url: WebURL, _ addresses: [ReachableAddress], preferring isIPv4: Bool?, _ scope: ChainScope,
    tls: TLSClientContext?, timeout: TimeAmount, _ timing: ConnectionTiming, isWatched: Bool = false
  ) -> ConnectRace<Connection> {
    ConnectRace(addresses, preferring: isIPv4, scope, timing) { address in
      let target: SocketAddress
      do {
        target = try SocketAddress(address, port: url.port)
      } catch {
        return scope.loop.makeFailedFuture(error)
      }
      let limit = AnswerLimit()
      let handler = ExchangeHandler(isTLS: tls != nil, limit: limit)
      let watch = isWatched ? ConnectionWatch(on: scope.loop) : nil
      let opening = scope.streamBootstrap(timeout: timeout) { [tls, url] channel in
        try ExchangePipeline.add(limit, handler, to: channel.pipeline.syncOperations, tls: tls.map { (url, $0) })
        try watch?.add(to: channel.pipeline.syncOperations, isTLS: tls != nil)
      }
      .connect(to: target)
      // Whatever ended it early: its promise must not stay open.
      if let watch { opening.whenFailure { watch.failed($0) } }
      return opening.map {
        Connection(channel: $0, handler: handler, address: address, opened: .now(), watch: watch)
      }
    } discard: {
      $0.channel.abort()
    }
  }
}
