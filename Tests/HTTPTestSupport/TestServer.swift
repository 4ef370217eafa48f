import Glibc
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL

/// A server that sends exactly the bytes it is told to, so that it can be as right or as wrong as a
/// test wants.
package final class TestServer: Sendable {
  package struct Request: Sendable {
    package let target: String
    /// Names in lower case.
    package let fields: [(name: String, value: String)]
    /// Counts from 1.
    package let connection: Int
    package let text: String
    package var body = ""

    package func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
  }

  /// What to do with a request.
  package enum Step: Sendable {
    case send(String)
    case bytes([UInt8])
    /// A pause, then go on.
    case wait(TimeAmount)
    /// The same bytes again and again until the client has had enough.
    case repeating(String, every: TimeAmount)
    case close
    /// A TCP reset.
    case reset
    /// The end of TCP without TLS's farewell.
    case cut
    /// From now on nothing is read of what the client sends.
    case stopReading
    /// Something of the test's, also behind an end.
    case call(@Sendable () -> Void)
  }

  package typealias Answering = @Sendable (Request) -> [Step]

  private struct Record {
    var requests: [Request] = []
    var connections = 0
    var closed = 0
    var reads = 0
    var readsBeforeRequest: Int?
    var waiters: [(Int, EventLoopPromise<Void>)] = []
  }

  package let port: Int
  private let channel: any Channel
  private let record: NIOLockedValueBox<Record>

  /// - Parameter waitsForBody: whether a request is answered when its body is there, not already at
  ///   its blank line.
  package static func start(
    on host: String = "127.0.0.1", port: Int = 0, tls: NIOSSLContext? = nil, waitsForBody: Bool = true,
    group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, _ answering: @escaping Answering
  ) async throws -> TestServer {
    let record = NIOLockedValueBox(Record())
    // On the loop: there the socket is made in the network namespace of the group's threads.
    let channel = try await group.next().flatSubmit {
      ServerBootstrap(group: group)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            let number = record.withLockedValue { record in
              record.connections += 1
              return record.connections
            }
            try channel.pipeline.syncOperations.addHandler(ReadCounter { record.withLockedValue { $0.reads += 1 } })
            if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
            let handler = RequestHandler(number, waitsForBody: waitsForBody) { request in
              record.withLockedValue { record in
                record.requests.append(request)
                record.readsBeforeRequest = record.readsBeforeRequest ?? record.reads
              }
              return answering(request)
            }
            try channel.pipeline.syncOperations.addHandler(handler)
            channel.closeFuture.whenComplete { _ in
              let ready = record.withLockedValue { record in
                record.closed += 1
                let ready = record.waiters.filter { $0.0 <= record.closed }
                record.waiters.removeAll { $0.0 <= record.closed }
                return ready
              }
              for (_, promise) in ready { promise.succeed() }
            }
          }
        }
        .bind(host: host, port: port)
    }.get()
    return TestServer(channel, record)
  }

  private init(_ channel: any Channel, _ record: NIOLockedValueBox<Record>) {
    self.channel = channel
    self.record = record
    port = channel.localAddress?.port ?? 0
  }

  package var requests: [Request] { record.withLockedValue(\.requests) }
  /// Reads of the socket up to the one that held the first request.
  package var readsBeforeRequest: Int? { record.withLockedValue(\.readsBeforeRequest) }
  package var connections: Int { record.withLockedValue(\.connections) }

  /// Waits until so many connections have closed.
  package func closed(_ count: Int) async throws {
    let promise = channel.eventLoop.makePromise(of: Void.self)
    let isDone = record.withLockedValue { record in
      if record.closed >= count { return true }
      record.waiters.append((count, promise))
      return false
    }
    if isDone { promise.succeed() }
    try await promise.futureResult.get()
  }

  package func stop() async { try? await channel.close() }

  package static func answer(_ status: Int, _ fields: [String] = [], body: String = "") -> String {
    (["HTTP/1.1 \(status) X", "Content-Length: \(body.utf8.count)"] + fields).joined(separator: "\r\n") + "\r\n\r\n"
      + body
  }

  package static func redirect(_ location: String, _ fields: [String] = [], status: Int = 302) -> [Step] {
    [.send(answer(status, ["Location: \(location)"] + fields))]
  }

  package static func json(_ text: String, status: Int = 200) -> [Step] {
    [.send(answer(status, ["Content-Type: application/json"], body: text))]
  }
}

private final class ReadCounter: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer

  private let count: @Sendable () -> Void

  init(_ count: @escaping @Sendable () -> Void) { self.count = count }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    count()
    context.fireChannelRead(data)
  }
}

/// Cuts requests at the blank line and performs the steps of each answer.
///
/// `@unchecked Sendable`: used by one channel, on its loop.
private final class RequestHandler: ChannelInboundHandler, @unchecked Sendable {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let number: Int
  private let waitsForBody: Bool
  private let answering: TestServer.Answering
  private var text = ""

  init(_ number: Int, waitsForBody: Bool, _ answering: @escaping TestServer.Answering) {
    self.number = number
    self.waitsForBody = waitsForBody
    self.answering = answering
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    text += String(buffer: unwrapInboundIn(data))
    while let end = text.firstRange(of: "\r\n\r\n") {
      let head = String(text[..<end.lowerBound])
      text = String(text[end.upperBound...])
      let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
      let fields = lines.dropFirst().map { line in
        let halves = line.split(separator: ":", maxSplits: 1)
        return (
          name: halves[0].lowercased(), value: halves.count > 1 ? String(halves[1].drop { $0 == " " }) : ""
        )
      }
      let words = lines[0].split(separator: " ")
      var request = TestServer.Request(
        target: words.count > 1 ? String(words[1]) : "", fields: fields, connection: number, text: head)
      if waitsForBody, let length = request.field("content-length").flatMap(Int.init) {
        guard text.utf8.count >= length else {
          text = head + "\r\n\r\n" + text
          return
        }
        request.body = String(text.prefix(length))
        text = String(text.dropFirst(length))
      }
      perform(answering(request)[...], context.channel)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func perform(_ steps: ArraySlice<TestServer.Step>, _ channel: any Channel) {
    guard let step = steps.first else { return }
    let rest = steps.dropFirst()
    if case .call(let body) = step {
      body()
      return perform(rest, channel)
    }
    guard channel.isActive else {
      return perform(rest.filter { if case .call = $0 { true } else { false } }[...], channel)
    }
    switch step {
    case .send(let text):
      channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
      perform(rest, channel)
    case .bytes(let bytes):
      channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
      perform(rest, channel)
    case .wait(let time):
      channel.eventLoop.scheduleTask(in: time) { self.perform(rest, channel) }
    case .repeating(let text, let time):
      channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
      channel.eventLoop.scheduleTask(in: time) { self.perform(steps, channel) }
    case .call: break
    case .stopReading:
      channel.setOption(.autoRead, value: false).whenComplete { _ in }
      perform(rest, channel)
    case .close:
      channel.close(promise: nil)
      perform(rest, channel)
    case .cut:
      if let tls = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self) {
        tls.close(promise: nil)
      } else {
        channel.close(promise: nil)
      }
      perform(rest, channel)
    case .reset:
      guard let provider = channel as? any SocketOptionProvider else { return }
      provider.unsafeSetSocketOption(
        level: .socket, name: .so_linger, value: linger(l_onoff: 1, l_linger: 0)
      ).whenComplete { _ in channel.close(promise: nil) }
    }
  }
}
