import Glibc

/// Turns what the kernel says unasked into a stream.
public enum NetlinkMonitor {
  /// The events that arrive on `socket`, which has joined the groups of interest.
  ///
  /// A thread of its own reads the socket until the stream's reader leaves or the socket fails; then it closes it.
  /// Events that the kernel or a slow reader loses become `resync`.
  public static func events(on socket: any NetlinkSocket) -> AsyncStream<NetlinkEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: NetlinkEvent.self, bufferingPolicy: .bufferingOldest(256))
    continuation.onTermination = { _ in socket.close() }
    let started = startThread {
      read(socket, into: continuation)
      continuation.finish()
    }
    if !started { continuation.finish() }
    return stream
  }

  private static func read(_ socket: any NetlinkSocket, into continuation: AsyncStream<NetlinkEvent>.Continuation) {
    var hasLost = false
    while true {
      var events: [NetlinkEvent]
      do {
        events = try NetlinkMessage.parse(socket.receive(within: nil)).compactMap(NetlinkEvent.init)
      } catch let error as NetlinkError where error.code == .overrun || error.code == .badReply {
        events = [.resync]
      } catch {
        return
      }
      if hasLost { events.insert(.resync, at: 0) }
      hasLost = false
      for event in events {
        if case .dropped = continuation.yield(event) { hasLost = true }
      }
    }
  }

  private static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    final class Box {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let box = Unmanaged.passRetained(Box(body))
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { argument in
        Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue().body()
        return nil
      }, box.toOpaque())
    guard result == 0 else {
      box.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}
