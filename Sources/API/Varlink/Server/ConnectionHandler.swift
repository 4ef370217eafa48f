import JSONTree
import NIOCore

/// Serves one connection: its calls in order, one at a time, each to its end.
final class ConnectionHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  enum State {
    /// Nothing is served.
    case idle
    /// A call waits for its turn, or is being read outside the loop.
    case queued
    case running(call: UInt64, Task<Void, Never>)
    /// A reply with a descriptor waits until the client has read what is before it.
    case handing(Handing)
    /// The reply is being written after which the connection is another one's.
    case upgrading(Upgrading)
    /// The last reply is being written. What still comes is dropped.
    case finishing
    /// The connection is closed, or another one's.
    case closed
  }

  /// What a connection may use before its user is charged. If it has more unread replies, its next
  /// call waits.
  static let freeBytes = 4096

  let id: ConnectionBudget.ID
  let peer: Peer
  let reception: Reception
  var limits: VarlinkServer.Limits { reception.limits }
  var context: ChannelHandlerContext?
  var state = State.idle
  var callCount: UInt64 = 0
  private(set) var frames: [[UInt8]] = []
  /// What came behind a call with `upgrade`; nil unless there is such a call.
  var early: ByteBuffer?
  /// Limits the time of a reply with a descriptor, and looks again whether it can leave.
  var handingLimit: Scheduled<Void>?
  var handingWait: Scheduled<Void>?
  private(set) var unwrittenBytes = 0
  /// Calls wait until the client has read some of its replies.
  var isServingHeld = false
  private(set) var isInputClosed = false
  private var splitter: FrameSplitter
  /// For an incomplete frame, if it is a long one.
  private var scan: CallScan?
  private var waitingBytes = 0
  /// Bytes of the call that is being read outside the loop.
  private var readingBytes = 0
  private var chargedBytes = 0
  /// Replies that the client's side of the socket has accepted.
  private var writtenCount: UInt64 = 0
  /// Runs while replies wait for the client.
  private var readerWatch: Scheduled<Void>?
  /// Runs while the rest of a frame is missing.
  private var frameWatch: Scheduled<Void>?
  private var isReadHeld = false
  private var isIdle = true

  init(_ id: ConnectionBudget.ID, _ peer: Peer, _ reception: Reception) {
    self.id = id
    self.peer = peer
    self.reception = reception
    splitter = FrameSplitter(limit: reception.limits.frameBytes)
  }

  // MARK: The channel

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  /// The first bytes; later, the end of each read decides whether to read more.
  func channelActive(context: ChannelHandlerContext) { context.read() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isClosed else { return }
    var bytes = unwrapInboundIn(data)
    if case .finishing = state { return }
    if early != nil {
      early?.writeBuffer(&bytes)
      return settle()
    }
    splitter.append(&bytes)
    do {
      while let frame = try splitter.next() { try take(frame) }
      try lookAhead()
    } catch {
      return end("its call is too long, too deep or too full for its method, or is not a call")
    }
    serveNext()
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if mustHoldReads {
      isReadHeld = true
      settle()
    } else {
      // In turns: calls of one user, on any number of connections, must not delay those of others.
      reception.askForRead(id, peer)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case .some(.inputClosed) = event as? ChannelEvent else { return context.fireUserInboundEventTriggered(event) }
    // The client may still read: its calls are answered, then the connection ends.
    isInputClosed = true
    serveNext()
  }

  func channelInactive(context: ChannelHandlerContext) { becomeClosed() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { end(nil) }

  // MARK: Frames

  private func take(_ frame: [UInt8]) throws {
    if frame.count > FrameReading.inlineBytes {
      var scan = scan ?? CallScan(limits.json)
      try scan.read(frame[scan.count...])
      guard frame.count <= mostBytes(scan) else { throw FrameSplitter.TooLong(limit: mostBytes(scan)) }
    }
    scan = nil
    // The next frame has its own time.
    frameWatch?.cancel()
    frameWatch = nil
    frames.append(frame)
    waitingBytes += frame.count
  }

  /// Scans a long frame before it is complete, so that an invalid one ends early.
  private func lookAhead() throws {
    let count = splitter.waitingBytes
    guard count > FrameReading.inlineBytes else { return }
    var scan = scan ?? CallScan(limits.json)
    try scan.read(splitter.unfinished.dropFirst(scan.count))
    self.scan = scan
    guard count <= mostBytes(scan) else { throw FrameSplitter.TooLong(limit: mostBytes(scan)) }
  }

  private func mostBytes(_ scan: CallScan) -> Int {
    guard let method = scan.method else { return min(limits.openingBytes, limits.frameBytes) }
    return min(reception.router.callBytes(of: method, from: peer) ?? limits.frameBytes, limits.frameBytes)
  }

  // Calls are served in turns: while some wait, no more are read. A client that sends faster than
  // it is answered waits in its own send buffer. What follows a long call may not be one.
  private var mustHoldReads: Bool {
    !frames.isEmpty || readingBytes > 0 || early.map { $0.readableBytes >= Self.freeBytes } == true
  }

  /// What came behind a call with `upgrade` is not calls.
  func startEarly() {
    var bytes = ByteBuffer()
    for frame in frames {
      bytes.writeBytes(frame)
      bytes.writeInteger(UInt8(0))
    }
    var rest = splitter.takeRest()
    bytes.writeBuffer(&rest)
    dropFrames()
    early = bytes
  }

  /// Serves no call that is waiting.
  func dropFrames() {
    frames = []
    waitingBytes = 0
    scan = nil
    _ = splitter.takeRest()
  }

  func nextFrame() -> [UInt8]? {
    guard !frames.isEmpty else { return nil }
    let frame = frames.removeFirst()
    waitingBytes -= frame.count
    return frame
  }

  /// A call is being read outside the loop.
  func noteReading(_ bytes: Int) { readingBytes = bytes }

  /// The turn to continue reading has come.
  func takeReadTurn() {
    guard !isClosed else { return }
    context?.read()
  }

  /// Resumes reads that were paused, if possible.
  func resumeReads() {
    guard isReadHeld, !mustHoldReads else { return }
    isReadHeld = false
    reception.askForRead(id, peer)
  }

  // MARK: Replies

  func write(_ frame: ByteBuffer) {
    guard let context else { return }
    let count = frame.readableBytes
    unwrittenBytes += count
    guard unwrittenBytes <= limits.unreadReplyBytes else { return end("it does not read its replies") }
    context.writeAndFlush(wrapOutboundOut(frame)).here.whenComplete { [self] _ in
      unwrittenBytes -= count
      writtenCount += 1
      settle()
      guard isServingHeld, unwrittenBytes <= Self.freeBytes else { return }
      isServingHeld = false
      serveNext()
    }
    settle()
    watchReader()
  }

  /// A client with waiting replies is checked regularly. If it has read none in the meantime, it is
  /// disconnected.
  private func watchReader() {
    guard unwrittenBytes > 0, readerWatch == nil, !isClosed, let context else { return }
    let seen = writtenCount
    readerWatch = context.eventLoop.here.scheduleTask(in: TimeAmount(limits.unreadReplyTime)) { [self] in
      readerWatch = nil
      guard unwrittenBytes > 0 else { return }
      if writtenCount == seen { end("it does not read its replies") } else { watchReader() }
    }
  }

  // MARK: What the connection takes

  /// After each event: charges the user for what the connection holds, and starts or stops its
  /// timers.
  func settle() {
    guard !isClosed else { return }
    let held = splitter.heldBytes + waitingBytes + readingBytes + unwrittenBytes + (early?.readableBytes ?? 0)
    let charge = held > Self.freeBytes ? held : 0
    if charge != chargedBytes {
      guard reception.charge(id, charge) else { return end("its user holds too many bytes in calls and replies") }
      chargedBytes = charge
    }
    watchFrame()
    noteIdle()
  }

  /// The rest of a frame must come within its time limit, which runs while the frame is incomplete.
  private func watchFrame() {
    guard splitter.waitingBytes > 0, !isReadHeld, let context else {
      frameWatch?.cancel()
      frameWatch = nil
      return
    }
    guard frameWatch == nil else { return }
    frameWatch = context.eventLoop.here.scheduleTask(in: TimeAmount(limits.frameTime)) { [self] in
      frameWatch = nil
      if splitter.waitingBytes > 0, !isReadHeld { end("the rest of its call did not arrive") }
    }
  }

  private func noteIdle() {
    var isIdle = frames.isEmpty && splitter.waitingBytes == 0 && unwrittenBytes == 0
    if case .idle = state {} else { isIdle = false }
    guard isIdle != self.isIdle else { return }
    self.isIdle = isIdle
    reception.note(id, isIdle: isIdle)
  }

  // MARK: The end

  var isClosed: Bool { if case .closed = state { true } else { false } }

  /// Closes the connection because of what its client did; nil does not log it.
  func end(_ reason: String?) {
    guard !isClosed else { return }
    if let reason { reception.tell(peer.userID, reason) }
    giveUp()
  }

  /// Closes the connection.
  func giveUp() {
    becomeClosed()
    context?.close(promise: nil)
  }

  private func becomeClosed() {
    readerWatch?.cancel()
    frameWatch?.cancel()
    handingLimit?.cancel()
    handingWait?.cancel()
    let former = state
    state = .closed
    dropFrames()
    early = nil
    switch former {
    case .running(_, let task): task.cancel()
    case .handing(let handing): dropDescriptor(handing)
    case .upgrading(let upgrading): upgrading.abandon()
    case .idle, .queued, .finishing, .closed: break
    }
  }

  /// The connection is another one's from now on, and this object has ended.
  func release() -> Upgrading? {
    guard case .upgrading(let upgrading) = state else { return nil }
    state = .idle
    becomeClosed()
    return upgrading
  }
}

extension CallScan {
  init(_ limits: JSONReader.Limits) { self.init(depth: limits.depth, values: limits.values) }
}
