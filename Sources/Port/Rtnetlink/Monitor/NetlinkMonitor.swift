import DetachedThread

/// Turns the kernel's notifications into a stream.
package enum NetlinkMonitor {
  /// The events that arrive on `socket`, which has joined the relevant groups.
  ///
  /// A separate thread reads the socket until the stream's reader leaves or the socket fails, and
  /// then closes it. Events that the kernel or a slow reader loses become `resync`.
  package static func events(on socket: any NetlinkSocket) -> AsyncStream<NetlinkEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: NetlinkEvent.self, bufferingPolicy: .bufferingOldest(256))
    continuation.onTermination = { _ in socket.close() }
    let started = DetachedThread.start {
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

  /// What arrives on `socket`, read by a thread as above. Datagrams that are lost are left out.
  static func stream<Element: Sendable>(
    on socket: any NetlinkSocket, limit: Int, _ read: @escaping @Sendable ([NetlinkMessage]) -> [Element]
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(limit))
    continuation.onTermination = { _ in socket.close() }
    let started = DetachedThread.start {
      while true {
        do {
          for element in read(try NetlinkMessage.parse(socket.receive(within: nil))) { continuation.yield(element) }
        } catch let error as NetlinkError where error.code == .overrun || error.code == .badReply {
          continue
        } catch {
          break
        }
      }
      continuation.finish()
    }
    if !started { continuation.finish() }
    return stream
  }
}
