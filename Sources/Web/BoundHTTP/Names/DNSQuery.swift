import DNSWire
import NetworkAddress
import NIOCore
import NIOPosix

/// One question to the bearer's servers. It is sent again while no server answers, and over TCP if
/// the answer does not fit a datagram.
///
/// Each query leaves from its own socket, with a random port and a random id. Earlier sockets stay
/// open, so that no answer is lost on a bearer that is slow to wake.
///
/// `@unchecked Sendable`: confined to the scope's loop; every method runs on it.
final class DNSQuery: @unchecked Sendable {
  private let scope: ChainScope
  /// The current question. Its name differs from the first one if that one was an alias.
  private var question: DNSQuestion
  /// The names asked so far, and the shortest time to live of the aliases between them.
  private var asked: Set<DomainName>
  private var aliasTTL = UInt32.max
  private let servers: [IPAddress]
  private let timing: DNSTiming
  private let randomID: @Sendable () -> UInt16
  private let promise: EventLoopPromise<AddressAnswer>
  private var isDone = false
  private var sent = 0
  private var open: [any Channel] = []
  private var failedServers: Set<IPAddress> = []
  private var lastFailure: (any Error)?
  private var lastRefusal: AddressAnswer?
  private var timer: Scheduled<Void>?

  init(_ question: DNSQuestion, _ scope: ChainScope, _ timing: DNSTiming, randomID: @escaping @Sendable () -> UInt16) {
    self.scope = scope
    self.question = question
    asked = [question.name]
    servers = scope.servers
    self.timing = timing
    self.randomID = randomID
    promise = scope.loop.makePromise()
  }

  /// Asks. The future fails only if no server could be asked or none answered.
  func start() -> EventLoopFuture<AddressAnswer> {
    send()
    return promise.futureResult
  }

  /// Gives up.
  func cancel() {
    finish(.failure(lastFailure ?? BoundHTTPError(.timeout, "no DNS server of the bearer answered")))
  }

  private func send() {
    guard !isDone else { return }
    timer?.cancel()
    let usable = servers.filter { !failedServers.contains($0) }
    guard sent < max(timing.attempts, servers.count), !usable.isEmpty else { return lookAtEnd(usable) }
    let server = usable[sent % usable.count]
    sent += 1
    timer = scope.loop.scheduleTask(in: TimeAmount(timing.attempt)) { self.send() }
    ask(server)
  }

  /// All queries are sent. Wait for answers while any can still come.
  private func lookAtEnd(_ usable: [IPAddress]) {
    if usable.isEmpty || sent >= max(timing.attempts, servers.count) && open.isEmpty { finishWithFailure() }
  }

  private func finishWithFailure() {
    if let lastRefusal { return finish(.success(lastRefusal)) }
    finish(.failure(lastFailure ?? BoundHTTPError(.timeout, "no DNS server of the bearer answered")))
  }

  private func ask(_ server: IPAddress) {
    let id = randomID()
    do {
      let bytes = try DNSMessage.query(question, id: id).encoded()
      let address = try SocketAddress(server, port: scope.interface.dnsPort)
      let handler = DatagramAnswers {
        self.received($0, id: id, from: server)
      } failed: {
        self.failed(server, $0)
      }
      scope.datagramBootstrap { try $0.pipeline.syncOperations.addHandler(handler) }.connect(to: address)
        .whenComplete { result in
          switch result {
          case .success(let channel):
            guard !self.isDone else { return channel.close(promise: nil) }
            self.open.append(channel)
            let envelope = AddressedEnvelope(remoteAddress: address, data: ByteBuffer(bytes: bytes))
            channel.writeAndFlush(envelope).whenFailure { self.failed(server, $0) }
          case .failure(let error): self.failed(server, error)
          }
        }
    } catch {
      failed(server, error)
    }
  }

  private func received(_ bytes: [UInt8], id: UInt16, from server: IPAddress) {
    // A message that cannot be read, or that answers another question, may be forged. The true
    // answer may still come.
    guard !isDone, let message = try? DNSMessage(decoding: bytes) else { return }
    let answer = AddressAnswer(message, to: question, id: id)
    switch answer {
    case .foreign: return
    case .truncated: askOverTCP(server)
    case .failed:
      lastRefusal = answer
      failedServers.insert(server)
      send()
    case .alias(let name, let ttl):
      scope.answered(server)
      follow(name, ttl)
    case .addresses, .none, .noSuchName:
      scope.answered(server)
      finish(.success(answer))
    }
  }

  /// Asks for the target of an alias, if the server did not resolve it by itself.
  private func follow(_ name: DomainName, _ ttl: UInt32) {
    guard asked.insert(name).inserted, asked.count <= AddressAnswer.maximumAliases else {
      return finish(.success(.none(ttl: 0)))
    }
    aliasTTL = min(aliasTTL, ttl)
    question = DNSQuestion(name, question.type)
    for channel in open { channel.close(promise: nil) }
    open = []
    sent = 0
    send()
  }

  private func askOverTCP(_ server: IPAddress) {
    let id = randomID()
    do {
      let bytes = try DNSMessage.query(question, id: id).encoded()
      let address = try SocketAddress(server, port: scope.interface.dnsPort)
      let question = self.question
      let handler = StreamAnswers { bytes in
        guard let message = try? DNSMessage(decoding: bytes) else {
          return self.failed(server, BoundHTTPError(.closed, "the DNS server's answer over TCP cannot be read"))
        }
        switch AddressAnswer(message, to: question, id: id) {
        case .foreign, .truncated:
          self.failed(server, BoundHTTPError(.closed, "the DNS server's answer over TCP is of another question"))
        case .failed(let code):
          self.lastRefusal = .failed(code)
          self.failed(server, BoundHTTPError(.closed, "the DNS server answered \(code) over TCP"))
        case .alias(let name, let ttl): self.follow(name, ttl)
        case let answer: self.finish(.success(answer))
        }
      } failed: {
        self.failed(server, $0)
      }
      scope.streamBootstrap(timeout: TimeAmount(timing.total)) { try $0.pipeline.syncOperations.addHandler(handler) }
        .connect(to: address)
        .whenComplete { result in
          switch result {
          case .success(let channel):
            guard !self.isDone else { return channel.close(promise: nil) }
            self.open.append(channel)
            var buffer = ByteBuffer()
            buffer.writeInteger(UInt16(bytes.count))
            buffer.writeBytes(bytes)
            channel.writeAndFlush(buffer).whenFailure { self.failed(server, $0) }
          case .failure(let error): self.failed(server, error)
          }
        }
    } catch {
      failed(server, error)
    }
  }

  private func failed(_ server: IPAddress, _ error: any Error) {
    guard !isDone else { return }
    lastFailure = error
    // A closed port is reported at once, so the next server need not wait for the timer.
    failedServers.insert(server)
    send()
  }

  private func finish(_ result: Result<AddressAnswer, any Error>) {
    guard !isDone else { return }
    isDone = true
    timer?.cancel()
    for channel in open { channel.close(promise: nil) }
    open = []
    promise.completeWith(result.map { $0.shortened(to: aliasTTL) })
  }
}

extension AddressAnswer {
  /// With a time to live no longer than that of the aliases that led to it.
  fileprivate func shortened(to limit: UInt32) -> AddressAnswer {
    switch self {
    case .addresses(let addresses, let ttl): .addresses(addresses, ttl: min(ttl, limit))
    case .none(let ttl): .none(ttl: min(ttl, limit))
    case .noSuchName(let ttl): .noSuchName(ttl: min(ttl, limit))
    case .alias, .truncated, .failed, .foreign: self
    }
  }
}

/// Passes on the payload of each datagram.
private final class DatagramAnswers: ChannelInboundHandler, Sendable {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>

  private let received: @Sendable ([UInt8]) -> Void
  private let failed: @Sendable (any Error) -> Void

  init(_ received: @escaping @Sendable ([UInt8]) -> Void, failed: @escaping @Sendable (any Error) -> Void) {
    self.received = received
    self.failed = failed
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    received(Array(unwrapInboundIn(data).data.readableBytesView))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { failed(error) }
}

/// Passes on the first message of a stream. Its length precedes it in two bytes (RFC 1035, 4.2.2).
///
/// `@unchecked Sendable`: used by one channel, on its loop.
private final class StreamAnswers: ChannelInboundHandler, @unchecked Sendable {
  typealias InboundIn = ByteBuffer

  private let received: @Sendable ([UInt8]) -> Void
  private let failed: @Sendable (any Error) -> Void
  private var buffer = ByteBuffer()
  private var isDone = false

  init(_ received: @escaping @Sendable ([UInt8]) -> Void, failed: @escaping @Sendable (any Error) -> Void) {
    self.received = received
    self.failed = failed
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isDone else { return }
    var part = unwrapInboundIn(data)
    buffer.writeBuffer(&part)
    guard let length = buffer.getInteger(at: buffer.readerIndex, as: UInt16.self),
      let bytes = buffer.getBytes(at: buffer.readerIndex + 2, length: Int(length))
    else { return }
    isDone = true
    received(bytes)
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    fail(BoundHTTPError(.closed, "the DNS server closed the connection before it answered"))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    fail(error)
    context.close(promise: nil)
  }

  private func fail(_ error: any Error) {
    guard !isDone else { return }
    isDone = true
    failed(error)
  }
}
