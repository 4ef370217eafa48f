import NIOCore

/// Calls with `upgrade`: after the reply, the connection is another one's.
extension ConnectionHandler {
  func upgrade(_ upgrading: Upgrading) {
    guard context != nil else { return upgrading.abandon() }
    state = .upgrading(upgrading)
    write(Frame.reply(upgrading.reply, continues: false))
    // Unless the write was one too many.
    guard case .upgrading = state, let context else { return }
    // Behind the reply, in the same queue.
    context.writeAndFlush(wrapOutboundOut(ByteBuffer())).here.whenComplete { [self] result in
      if case .success = result { handOverChannel() } else { end(nil) }
    }
    resumeReads()
    settle()
  }

  private func handOverChannel() {
    guard let context, let bytes = early, let upgrading = release() else { return }
    let channel = context.channel
    reception.letGo(id, channel)
    // It belongs to the loop, as this object does.
    channel.pipeline.syncOperations.removeHandler(self).here.whenComplete { [isInputClosed] result in
      guard case .success = result, channel.isActive else {
        upgrading.abandon()
        return channel.close(promise: nil)
      }
      // Calls are short and connections many; a stream has more to say.
      try? channel.syncOptions?.setOption(
        .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 4096, initial: 16_384, maximum: 65_536))
      upgrading.begin(channel, bytes)
      if isInputClosed { channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
    }
  }
}
