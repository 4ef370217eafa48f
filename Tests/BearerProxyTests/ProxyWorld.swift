import BearerProxy
import Glibc
import Logging
import NIOCore
import NIOPosix
import Synchronization
import Varlink

import BearerStreams

/// A proxy whose connections lead to a server on this machine that answers in capitals.
final class ProxyWorld: Sendable {
  let path: String
  let proxy: BearerProxy
  let attempts: Attempts
  /// Its port at 127.0.0.1, if it has one.
  let port: Int?
  private let seen: Requests

  var requests: [StreamRequest] { seen.list.withLock(\.self) }

  private init(path: String, port: Int?, proxy: BearerProxy, attempts: Attempts, seen: Requests) {
    self.path = path
    self.port = port
    self.proxy = proxy
    self.attempts = attempts
    self.seen = seen
  }

  static func with(
    isAllowed: @escaping @Sendable (Peer) -> Bool = { _ in true }, failure: StreamError? = nil, hangs: Bool = false,
    requestTime: Duration = .seconds(10), connections: Int = 64, loopback: Bool = false,
    _ body: (ProxyWorld) async throws -> Void
  ) async throws {
    let folder = "/tmp/bearer-proxy-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    mkdir(folder, 0o755)
    defer { rmdir(folder) }
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let server = try await ServerBootstrap(group: group)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Capitals()) }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let attempts = Attempts()
    let requests = Requests()
    let service = BearerProxy.Service(
      isAllowed: isAllowed,
      open: { request, _, _ in
        requests.list.withLock { $0.append(request) }
        if let failure { throw failure }
        if hangs { try await attempts.hang() }
        let channel = try await ClientBootstrap(group: group).channelOption(.autoRead, value: false)
          .channelOption(.allowRemoteHalfClosure, value: true)
          .connect(to: server.localAddress!).get()
        return BearerProxy.Connection(
          join: { join($0, channel, $1) }, abandon: { channel.close(promise: nil) })
      })
    var limits = ProxyLimits()
    limits.requestTime = requestTime
    limits.farewellTime = .milliseconds(300)
    limits.connections = connections
    let sockets = loopback ? [try LoopbackSocket.open(port: 0)] : []
    let port = sockets.first?.port
    let proxy = try await BearerProxy.start(
      service, at: .path(folder + "/proxy", mode: 0o666), loopback: sockets, limits: limits, on: group,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let world = ProxyWorld(path: folder + "/proxy", port: port, proxy: proxy, attempts: attempts, seen: requests)
    do {
      try await body(world)
    } catch {
      await proxy.close()
      throw error
    }
    await proxy.close()
    try await server.close()
    try await group.shutdownGracefully()
  }
}

/// What the proxy asked for.
final class Requests: Sendable {
  let list = Mutex<[StreamRequest]>([])
}

/// Attempts that last until they are cancelled.
final class Attempts: Sendable {
  private let beginnings = AsyncStream.makeStream(of: Void.self)
  private let ends = AsyncStream.makeStream(of: Void.self)

  func hang() async throws {
    beginnings.continuation.yield()
    let (nothing, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in nothing {}
    extendLifetime(continuation)
    ends.continuation.yield()
    throw CancellationError()
  }

  func began() async { for await _ in beginnings.stream { return } }

  /// The suite's limit of time ends a wait in vain.
  func wasCancelled() async -> Bool {
    for await _ in ends.stream { return true }
    return false
  }
}

/// Answers what it reads in capital letters; resets the connection after a full stop.
private final class Capitals: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event as? ChannelEvent == .inputClosed { context.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data).readableBytesView.map { (0x61...0x7a).contains($0) ? $0 - 32 : $0 }
    let isLast = bytes.last == UInt8(ascii: ".")
    context.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
    guard isLast else { return }
    let channel = context.channel
    // No data are left, and the other end is told at once.
    let provider = channel as? any SocketOptionProvider
    provider?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in channel.close(promise: nil) }
  }
}

/// Passes on what one channel reads to the other, without a limit: the real splice has tests of its
/// own.
private final class Passing: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private let other: any Channel

  init(to other: any Channel) { self.other = other }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    other.writeAndFlush(unwrapInboundIn(data), promise: nil)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event as? ChannelEvent == .inputClosed { other.close(mode: .output, promise: nil) }
  }

  func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
    other.close(promise: nil)
  }
}

private func join(_ client: any Channel, _ stream: any Channel, _ early: ByteBuffer) {
  try? client.pipeline.syncOperations.addHandler(Passing(to: stream))
  try? stream.pipeline.syncOperations.addHandler(Passing(to: client))
  if early.readableBytes > 0 { stream.writeAndFlush(early, promise: nil) }
  for channel in [client, stream] { channel.setOption(.autoRead, value: true).whenComplete { _ in } }
}

/// A program that uses the proxy.
struct LocalClient: Sendable {
  static let connect = Array("CONNECT h:1 HTTP/1.1\r\n\r\n".utf8)
  static let socks: [UInt8] = [5, 1, 0, 5, 1, 0, 3, 1, 0x68, 0, 1]

  private let descriptor: CInt

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let address = try SocketAddress(unixDomainSocketPath: path)
    guard address.withSockAddr({ Glibc.connect(descriptor, $0, socklen_t($1)) }) == 0 else {
      throw IOError(errnoCode: errno, reason: "connect")
    }
  }

  init(port: Int) throws {
    descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let address = try SocketAddress(ipAddress: "127.0.0.1", port: port)
    guard address.withSockAddr({ Glibc.connect(descriptor, $0, socklen_t($1)) }) == 0 else {
      throw IOError(errnoCode: errno, reason: "connect")
    }
  }

  func send(_ bytes: [UInt8]) { _ = Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) }
  func endOutput() { shutdown(descriptor, CInt(SHUT_WR)) }
  func close() { Glibc.close(descriptor) }

  /// Reads up to and with `end`; nil if that does not come.
  func read(until end: [UInt8]) async -> [UInt8]? {
    await onThread {
      var bytes: [UInt8] = []
      while !bytes.suffix(end.count).elementsEqual(end) {
        guard let more = readSome(), !more.isEmpty else { return nil }
        bytes += more
      }
      return bytes
    }
  }

  /// Reads until the other side has ended; nil if it does not.
  func readToEnd() async -> [UInt8]? {
    await onThread {
      var bytes: [UInt8] = []
      while let more = readSome() {
        if more.isEmpty { return bytes }
        bytes += more
      }
      return nil
    }
  }

  /// Whether the other side closes the connection although nothing is read.
  func isCutOff() async -> Bool {
    await onThread {
      var polled = pollfd(fd: descriptor, events: 0, revents: 0)
      return poll(&polled, 1, 10_000) == 1 && polled.revents & Int16(POLLHUP) != 0
    } == true
  }

  /// What blocks must not keep a thread from the tasks that it waits for.
  private func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result?) async -> Result? {
    (try? await NIOThreadPool.singleton.runIfActive(body)) ?? nil
  }

  private func readSome() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count < 0 { return errno == ECONNRESET ? [] : nil }
    return Array(buffer.prefix(count))
  }
}
