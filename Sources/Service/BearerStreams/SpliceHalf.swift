import HTTPExchange
import NIOCore
import TrafficLedger

/// One end of a splice, in the pipeline of its channel. It reads only what the other end can take,
/// and counts what passes over the bearer.
///
/// `@unchecked Sendable`: confined to its channel's loop; every method runs on it.
final class SpliceHalf: ChannelInboundHandler, @unchecked Sendable {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Which end it is.
  enum Side: Sendable {
    /// The program's.
    case program
    /// The bearer's. `take` and `free` count what is held back for the program.
    case bearer(take: @Sendable (Int) -> Bool, free: @Sendable (Int) -> Void)
  }

  private enum State {
    /// What comes in is held back.
    case alone
    case paired(ChannelSplice.Pair)
    case over
  }

  /// Bytes that are under way to the other end.
  static let window = 256 << 10
  /// How long what a program said is passed on after it left.
  private static let lastWords = TimeAmount.seconds(30)

  let channel: any Channel
  private let side: Side
  private let account: TrafficAccount
  private var state = State.alone
  private var held = CircularBuffer<ByteBuffer>()
  private var inFlight = 0
  private var isReading = false
  /// The other end of this channel has said all.
  private var isAtEnd = false
  private var isPassedOn = false
  /// The other half has passed everything on, and this channel says so.
  private var isClosing = false
  /// This channel is closed, and what was read from it is still under way.
  private var isGone = false
  private var leaving: Scheduled<Void>?
  /// The budget ends with what is held.
  private var isSpent = false
  private var isPumping = false

  init(_ side: Side, on channel: any Channel, _ account: TrafficAccount) {
    self.side = side
    self.channel = channel
    self.account = account
  }

  private var isBearer: Bool { if case .bearer = side { true } else { false } }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var piece = unwrapInboundIn(data)
    guard !isOver, !isSpent, piece.readableBytes > 0 else { return }
    if case .bearer(let take, _) = side {
      let granted = account.reserve(piece.readableBytes)
      account.took(sent: 0, received: granted, ofReserved: granted)
      if granted < piece.readableBytes {
        isSpent = true
        guard granted > 0, let rest = piece.readSlice(length: granted) else { return pump() }
        piece = rest
      }
      guard take(piece.readableBytes) else { return fail(.tooMuchHeld) }
    }
    held.append(piece)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    isReading = false
    pump()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case ChannelEvent.inputClosed? = event as? ChannelEvent else {
      return context.fireUserInboundEventTriggered(event)
    }
    isAtEnd = true
    pump()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    fail(isBearer ? .remoteLeft : .programLeft)
  }

  func channelInactive(context: ChannelHandlerContext) {
    // Both directions were closed in order: after the second, the loop closes the channel and
    // says no more. What was read may still be on its way to the other end.
    if isClosing {
      isAtEnd = true
      return pump()
    }
    guard case .paired(let pair) = state, !isBearer, !held.isEmpty || inFlight > 0 else {
      return fail(isBearer ? .remoteLeft : .programLeft)
    }
    // A program may say something and leave: it is still passed on, if the other end takes it soon.
    isGone = true
    leaving = channel.eventLoop.scheduleTask(in: Self.lastWords) { pair.end(.programLeft) }
    pump()
  }

  private var isOver: Bool { if case .over = state { true } else { false } }

  /// Begins to pass on what comes in.
  ///
  /// - Parameter early: what came in before.
  func start(_ pair: ChannelSplice.Pair, early: ByteBuffer = ByteBuffer()) {
    guard case .alone = state else { return pair.end(isBearer ? .remoteLeft : .programLeft) }
    state = .paired(pair)
    if early.readableBytes > 0 { held.prepend(early) }
    if !channel.isActive { return fail(isBearer ? .remoteLeft : .programLeft) }
    pump()
  }

  private func pump() {
    guard case .paired(let pair) = state, !isPumping else { return }
    isPumping = true
    defer { isPumping = false }
    while inFlight < Self.window, let next = held.first {
      guard let piece = paid(next) else { return fail(.budgetSpent) }
      held.removeFirst()
      if piece.readableBytes < next.readableBytes { isSpent = true }
      inFlight += piece.readableBytes
      pass(piece, pair)
      guard case .paired = state else { return }
      if isSpent, !isBearer { held.removeAll() }
    }
    guard held.isEmpty, inFlight < Self.window else { return }
    if isSpent {
      if inFlight == 0 { fail(.budgetSpent) }
      return
    }
    if isGone {
      if inFlight == 0 { pair.end(.programLeft) }
    } else if isAtEnd {
      guard inFlight == 0, !isPassedOn else { return }
      isPassedOn = true
      pair.other(than: self).onLoop { $0.closeOutput() }
    } else if !isReading {
      isReading = true
      channel.read()
    }
  }

  /// What of a piece may be passed on; nil for nothing. What came over the bearer is paid already.
  private func paid(_ piece: ByteBuffer) -> ByteBuffer? {
    guard !isBearer else { return piece }
    let granted = account.reserve(piece.readableBytes)
    return granted > 0 ? piece.getSlice(at: piece.readerIndex, length: min(granted, piece.readableBytes)) : nil
  }

  private func pass(_ piece: ByteBuffer, _ pair: ChannelSplice.Pair) {
    let count = piece.readableBytes
    pair.other(than: self).onLoop { other in
      other.channel.writeAndFlush(piece).whenComplete { result in
        self.onLoop { $0.passed(count, result) }
      }
    }
  }

  private func passed(_ count: Int, _ result: Result<Void, any Error>) {
    switch side {
    case .bearer(_, let free): free(count)
    // Also what failed: part of it may have left.
    case .program: account.took(sent: count, received: 0, ofReserved: count)
    }
    inFlight -= count
    if case .failure = result { return fail(isBearer ? .programLeft : .remoteLeft) }
    pump()
  }

  /// The other half has passed everything on.
  private func closeOutput() {
    guard case .paired(let pair) = state else { return }
    isClosing = true
    channel.close(mode: .output).whenComplete { _ in pair.passedOn() }
  }

  private func fail(_ end: ChannelSplice.End) {
    guard case .paired(let pair) = state else { return abort() }
    pair.end(end)
  }

  /// Closes the channel at once. What the kernel has not sent over the bearer is dropped: it would
  /// go on sending by itself.
  func abort() {
    guard leave() else { return }
    if isBearer { channel.discardUnsent() }
    channel.close(promise: nil)
  }

  /// Closes the channel. What the kernel has not sent yet still leaves.
  func finish() {
    guard leave() else { return }
    channel.close(promise: nil)
  }

  /// - Returns: whether it was not over yet.
  private func leave() -> Bool {
    guard !isOver else { return false }
    state = .over
    leaving?.cancel()
    if case .bearer(_, let free) = side { free(held.reduce(0) { $0 + $1.readableBytes }) }
    held.removeAll()
    return true
  }

  /// Runs `body` on the channel's loop: at once if it is there.
  func onLoop(_ body: @escaping @Sendable (SpliceHalf) -> Void) {
    if channel.eventLoop.inEventLoop {
      body(self)
    } else {
      channel.eventLoop.execute { body(self) }
    }
  }
}
