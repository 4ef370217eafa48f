import LimitClock

/// Where a broker is, and as whom a client connects.
package struct MQTTBroker: Hashable, Sendable {
  package var host: String
  /// 1 to 65535.
  package var port: Int
  /// The client identifier, which is also the certificate's common name.
  package var clientID: String
  /// PEM files, read anew for each attempt, so that a renewed certificate is used from then on.
  package var authorities: String
  package var certificate: String
  package var key: String
  /// A message that the broker sends when the client is gone without a word, and after how long.
  package var will: MQTTMessage?
  package var willDelaySeconds: UInt32
  /// How long the broker keeps the session of an absent client.
  package var sessionExpirySeconds: UInt32
  /// Between two signs of life, 5 to 65535.
  package var keepAliveSeconds: Int
  /// How many machines connect to the same broker: after it was lost, the first attempts are spread
  /// over a 200th of it in seconds.
  package var fleetSize: Int

  package init(
    host: String, port: Int = 8883, clientID: String, authorities: String, certificate: String, key: String,
    will: MQTTMessage? = nil, willDelaySeconds: UInt32 = 60, sessionExpirySeconds: UInt32 = 3600,
    keepAliveSeconds: Int = 600, fleetSize: Int = 1000
  ) {
    self.host = host
    self.port = port
    self.clientID = clientID
    self.authorities = authorities
    self.certificate = certificate
    self.key = key
    self.will = will
    self.willDelaySeconds = willDelaySeconds
    self.sessionExpirySeconds = sessionExpirySeconds
    self.keepAliveSeconds = keepAliveSeconds
    self.fleetSize = fleetSize
  }
}

/// What happens to a connection.
package enum MQTTEvent: Hashable, Sendable {
  case connecting
  /// - Parameter sessionPresent: whether the broker kept the subscriptions.
  case connected(sessionPresent: Bool)
  /// An attempt failed, or the connection was lost; the next attempt comes after a wait. Before it,
  /// each message of QoS 1 that the broker had not acknowledged is told as `unacknowledged`.
  case lost(reason: String, nextAttempt: Duration?)
  case message(MQTTMessage)
  /// The broker has a message of QoS 1. For each number there is exactly one `acknowledged` or
  /// `unacknowledged`, until `close`.
  case acknowledged(UInt64)
  /// The broker refused a message of QoS 1, or the connection was lost before it answered. It may
  /// have the message all the same.
  case unacknowledged(UInt64, reason: String)
  /// The broker refused a subscription. (That it grants one proves nothing: mosquitto grants what
  /// its rules then hold back.)
  case notSubscribed(String, reason: String)
  /// So many messages came faster than the reader took them, and are lost.
  case overflow(Int)
}

/// Why a message is not taken.
package enum MQTTRefusal: Error, Hashable, Sendable {
  case notConnected
  /// As much waits as may wait: 256 messages, or 1 MiB.
  case queueFull
  /// More than `MQTTLimits.payload` bytes, or a topic that no broker takes.
  case tooLarge
  case ended
}

/// What a connection takes at most, in either direction.
package enum MQTTLimits {
  /// Bytes of a message's payload.
  package static let payload = 16 * 1024
  /// Bytes of a topic, a content type, a name or a value of a property; of all of them, four times
  /// as much.
  package static let text = 1024
  /// Messages, and their bytes, that wait for the broker.
  package static let waiting = 256
  package static let waitingBytes = 1024 * 1024
  /// Messages that wait for the reader. The socket is read no further at half of it.
  package static let unread = 512
}

/// Bytes over all connections to the broker since this process began, with TLS.
package struct MQTTTraffic: Hashable, Sendable {
  package var sent: UInt64
  package var received: UInt64
  /// TCP's segments, each of which costs some 52 bytes more (IPv4 and TCP with time stamps).
  package var segmentsSent: UInt64
  package var segmentsReceived: UInt64

  package init(sent: UInt64 = 0, received: UInt64 = 0, segmentsSent: UInt64 = 0, segmentsReceived: UInt64 = 0) {
    self.sent = sent
    self.received = received
    self.segmentsSent = segmentsSent
    self.segmentsReceived = segmentsReceived
  }

  static func + (one: MQTTTraffic, other: MQTTTraffic) -> MQTTTraffic {
    MQTTTraffic(
      sent: one.sent + other.sent, received: one.received + other.received,
      segmentsSent: one.segmentsSent + other.segmentsSent,
      segmentsReceived: one.segmentsReceived + other.segmentsReceived)
  }
}

/// A client's connection to a broker, which comes back by itself: full jitter, from 1 s to 5 min.
///
/// It begins to connect as soon as it is made. What is published is not kept over a loss of the
/// connection: the caller knows what is still true. Subscriptions are the caller's, too, at each
/// `connected` without a present session.
package protocol MQTTConnection: Sendable {
  /// All events, in their order, for one reader. They end after `close`.
  var events: AsyncStream<MQTTEvent> { get }
  var traffic: MQTTTraffic { get }
  /// Messages that wait to be written (QoS 0), or for the broker's acknowledgement.
  var waiting: Int { get }

  /// - Parameter will: of the next attempts. What the broker has of the present connection stays.
  func change(will: MQTTMessage?)
  /// - Returns: a number that `acknowledged` or `unacknowledged` repeats, for QoS 1.
  func publish(_ message: MQTTMessage) throws(MQTTRefusal) -> UInt64
  func subscribe(_ topics: [String], qos: MQTTMessage.QoS) throws(MQTTRefusal)
  /// Does not connect until `resume`. A connection that is there ends after what was published
  /// before, as by `close`; then `lost` is told without a next attempt.
  func pause()
  /// Connects at once, also if the next attempt were due later.
  func resume()
  /// Ends the connection after what was published before, within a few seconds; the will is not
  /// sent.
  func close() async
}
