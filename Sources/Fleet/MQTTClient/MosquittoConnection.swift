/// A connection to a broker by libmosquitto, on a loop that it shares with others.
///
/// It ends with `close`, and when nobody refers to it any more; then the broker sends its will.
package final class MosquittoConnection: MQTTConnection {
  package let events: AsyncStream<MQTTEvent>
  private let desk: ConnectionDesk
  private let loop: MQTTLoop

  /// Begins to connect.
  package init(_ broker: MQTTBroker, on loop: MQTTLoop) {
    let desk = ConnectionDesk(loop.nextNumber(), broker, loop.mailbox)
    self.desk = desk
    self.loop = loop
    events = AsyncStream(unfolding: { await desk.inbox.next() })
    loop.mailbox.post(.begin(desk))
  }

  deinit { drop() }

  /// Ends without a word to the broker, as a machine that dies.
  func drop() { desk.wish(.drop) }

  package var traffic: MQTTTraffic { desk.traffic }
  package var waiting: Int { desk.waiting }
  package func change(will: MQTTMessage?) { desk.change(will: will) }
  package func publish(_ message: MQTTMessage) throws(MQTTRefusal) -> UInt64 { try desk.publish(message) }
  package func subscribe(_ topics: [String], qos: MQTTMessage.QoS) throws(MQTTRefusal) {
    try desk.subscribe(topics, qos: qos)
  }
  package func pause() { desk.wish(.pause) }
  package func resume() { desk.wish(.connection, hurries: true) }
  package func close() async { await desk.end() }
}
