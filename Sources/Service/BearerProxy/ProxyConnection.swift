import BearerStreams
import Logging
import ModemService
import NIOCore
import TrafficLedger
import Varlink

/// A client of the proxy, until its connection is open: then the splice takes its place.
final class ProxyConnection: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer

  private enum Phase {
    case listening(Scheduled<Void>)
    case opening(Task<Void, Never>)
    /// It was refused, and may read why.
    case refused(Scheduled<Void>)
    /// The connection is the splice's, or the client has left.
    case over
  }

  private let peer: Peer
  private let service: BearerProxy.Service
  private let limits: ProxyLimits
  private let logger: Logger
  private var dialogue = ProxyDialogue()
  /// Nil before the channel is active.
  private var phase: Phase?

  init(_ peer: Peer, _ service: BearerProxy.Service, _ limits: ProxyLimits, _ logger: Logger) {
    self.peer = peer
    self.service = service
    self.limits = limits
    self.logger = logger
  }

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { begin(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    begin(context)
    context.fireChannelActive()
  }

  private func begin(_ context: ChannelHandlerContext) {
    guard phase == nil else { return }
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    phase = .listening(
      context.eventLoop.here.scheduleTask(in: TimeAmount(limits.requestTime)) { [self] in
        refuse(ProxyRefusal(.tooSlow, "The request was not complete in time."), bound.value)
      })
    context.read()
  }

  // MARK: What the client says

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let buffer = unwrapInboundIn(data)
    switch phase {
    case .listening:
      dialogue.append(buffer.readableBytesView)
      proceed(context)
    case .opening:
      // Nothing was asked for: these are the last bytes of a client that has ended its side.
      leave(context)
    case .refused, .over, nil: break
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if case .listening = phase { context.read() }
  }

  /// A client that ends its side before it has an answer has left.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch (event as? ChannelEvent, phase) {
    case (.inputClosed, .listening), (.inputClosed, .opening): leave(context)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { leave(context) }

  private func proceed(_ context: ChannelHandlerContext) {
    while case .listening = phase {
      switch dialogue.next() {
      case .wait: return
      case .send(let bytes): write(bytes, context)
      case .open(let request): open(request, context)
      case .refuse(let refusal): refuse(service.isAllowed(peer) ? refusal : .noRight, context)
      case .hangUp(let bytes):
        write(bytes, context)
        sayFarewell(context)
      }
    }
  }

  // MARK: Opening

  private func open(_ request: ProxyRequest, _ context: ChannelHandlerContext) {
    guard service.isAllowed(peer) else { return refuse(.noRight, context) }
    cancelTimer()
    let stream = StreamRequest(
      modem: request.modem, host: request.host, port: request.port, purpose: .proxy, limit: limits.openTime)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let (caller, processID) = (Caller(userID: peer.userID, groupIDs: peer.groupIDs), peer.processID)
    phase = .opening(
      Task { [open = service.open, loop = context.eventLoop] in
        let result: Result<BearerProxy.Connection, any Error>
        do {
          result = .success(try await open(stream, caller, processID))
        } catch {
          result = .failure(error)
        }
        loop.execute {
          let (connection, context) = bound.value
          connection.opened(result, context)
        }
      })
  }

  private func opened(_ result: Result<BearerProxy.Connection, any Error>, _ context: ChannelHandlerContext) {
    guard case .opening = phase else {
      // The client left while its connection was made.
      if case .success(let connection) = result { connection.abandon() }
      return
    }
    switch result {
    case .failure(let error): refuse(ProxyRefusal(error), context)
    case .success(let connection):
      phase = .over
      write(dialogue.answer(nil), context)
      let early = ByteBuffer(bytes: dialogue.early)
      let channel = context.channel
      context.pipeline.syncOperations.removeHandler(self).here.whenSuccess { connection.join(channel, early) }
    }
  }

  // MARK: Ends

  private func refuse(_ refusal: ProxyRefusal, _ context: ChannelHandlerContext) {
    logger.debug("the proxy refused user \(peer.userID): \(refusal.kind)")
    write(dialogue.answer(refusal), context)
    sayFarewell(context)
  }

  /// Ends its own side, and the other after a while or when the client has ended it.
  private func sayFarewell(_ context: ChannelHandlerContext) {
    cancelTimer()
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    phase = .refused(
      context.eventLoop.here.scheduleTask(in: TimeAmount(limits.farewellTime)) { [self] in leave(bound.value) })
    context.close(mode: .output, promise: nil)
    context.read()
  }

  private func leave(_ context: ChannelHandlerContext) {
    end()
    context.close(promise: nil)
  }

  private func end() {
    cancelTimer()
    if case .opening(let task) = phase { task.cancel() }
    phase = .over
  }

  private func cancelTimer() {
    switch phase {
    case .listening(let timer), .refused(let timer): timer.cancel()
    case .opening, .over, nil: break
    }
  }

  private func write(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
    guard !bytes.isEmpty else { return }
    context.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
  }
}
