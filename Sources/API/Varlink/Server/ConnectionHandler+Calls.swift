import NIOCore

/// The calls of a connection: each waits for its user's turn, is read, and is answered.
extension ConnectionHandler {
  /// Continues with the next call, the end, or more bytes.
  func serveNext() {
    guard case .idle = state else {
      // A running call must not hide the end of its connection.
      resumeReads()
      return settle()
    }
    if !frames.isEmpty {
      // A client that asks faster than it reads is slowed down; only a stream can grow past the
      // limit.
      guard unwrittenBytes <= Self.freeBytes else {
        isServingHeld = true
        return settle()
      }
      state = .queued
      reception.askForTurn(id, peer)
    } else if isInputClosed {
      finish()
    }
    resumeReads()
    settle()
  }

  /// Written replies leave first: close follows them in the same queue.
  func finish() {
    guard let context else { return }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer())).here.whenComplete { [self] _ in end(nil) }
  }

  /// The connection's turn has come.
  func takeTurn() {
    guard case .queued = state, let frame = nextFrame() else { return }
    if frame.count <= FrameReading.inlineBytes {
      serve(FrameReading(frame, from: peer, reception.router, limits.json, readsParameters: false))
    } else {
      noteReading(frame.count)
      settle()
      reception.read(frame, id, peer)
    }
  }

  /// A call was read.
  func serve(_ reading: FrameReading) {
    guard case .queued = state else { return }
    noteReading(0)
    state = .idle
    switch reading {
    case .noCall: return end("it sent something that is not a call")
    case .answered(let header, let result): answer(header, result)
    case .runs(let header, let context, let form, let prepare):
      if form == .handOver, !reception.beginDescriptor(id) {
        guard let error = limits.tooManyCalls?(limits.userDescriptors) else {
          return end("its user has too many descriptors on their way")
        }
        answer(header, .failure(error))
      } else if reception.beginCall(id) {
        start(header, context, form, prepare)
      } else {
        if form == .handOver { reception.endDescriptor(of: peer) }
        guard let error = limits.tooManyCalls?(limits.userCalls) else {
          return end("its user has too many running calls")
        }
        answer(header, .failure(error))
      }
    }
    serveNext()
  }

  private func answer(_ header: CallHeader, _ result: Result<[UInt8], VarlinkError>) {
    if header.oneway != true {
      switch result {
      case .success(let reply): write(Frame.reply(reply, continues: false))
      case .failure(let error): write(Frame.error(error))
      }
    }
    // What a caller sent ahead for a stream that it did not get must not count as its calls.
    if header.upgrade == true { finishEarly() }
  }

  private func finishEarly() {
    guard !isClosed else { return }
    early = nil
    dropFrames()
    state = .finishing
    finish()
  }

  /// Runs a call in its own task, outside the event loop, so that it delays no other connection. A
  /// method for which the router says so runs where it says.
  private func start(
    _ header: CallHeader, _ call: CallContext, _ form: CallForm,
    _ prepare: @escaping @Sendable () throws -> VarlinkRouter.PreparedCall
  ) {
    guard let context else {
      if form == .handOver { reception.endDescriptor(of: peer) }
      return reception.endCall(id)
    }
    if form == .upgrade { startEarly() }
    callCount += 1
    let number = callCount
    let isOneway = header.oneway ?? false
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    let onLoop = { @Sendable [loop = context.eventLoop] (body: @escaping @Sendable (ConnectionHandler) -> Void) in
      loop.execute { body(bound.value) }
    }
    let run: @Sendable () async -> Void = {
      let result: Result<CallAnswer, VarlinkError>
      do {
        let reply = try await prepare()(call) { reply in
          guard !isOneway else { return }
          onLoop { if $0.isRunning(number) { $0.write(Frame.reply(reply, continues: true)) } }
        }
        result = .success(reply)
      } catch {
        result = .failure(VarlinkError(onWire: error))
      }
      onLoop { handler in
        // Even if nobody is there any more: the call has counted until now.
        handler.reception.endCall(handler.id)
        handler.end(header, form, with: result, isAwaited: handler.isRunning(number))
      }
    }
    let executor = reception.router.executor(for: header.method, from: context.eventLoop)
    state = .running(call: number, Task(executorPreference: executor, operation: run))
  }

  private func end(
    _ header: CallHeader, _ form: CallForm, with result: Result<CallAnswer, VarlinkError>, isAwaited: Bool
  ) {
    if form == .handOver {
      if isAwaited, case .success(.handOver(let handing)) = result { return handOver(handing) }
      reception.endDescriptor(of: peer)
    }
    guard isAwaited else {
      if case .success(let answer) = result { answer.discard() }
      return
    }
    state = .idle
    switch result {
    case .success(.upgrade(let upgrading)): return upgrade(upgrading)
    case .success(.reply(let reply)): answer(header, .success(reply))
    // Only in the form that was met above.
    case .success(.handOver(let handing)): handing.onSent(false)
    case .failure(let error): answer(header, .failure(error))
    }
    serveNext()
  }

  private func isRunning(_ number: UInt64) -> Bool {
    if case .running(number, _) = state { true } else { false }
  }
}
