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

  package init(
    host: String, port: Int = 8883, clientID: String, authorities: String, certificate: String, key: String,
    will: MQTTMessage? = nil, willDelaySeconds: UInt32 = 60, sessionExpirySeconds: UInt32 = 3600,
    keepAliveSeconds: Int = 600
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
  }
}

/// What happens to a connection.
package enum MQTTEvent: Hashable, Sendable {
  case connecting
  /// - Parameter sessionPresent: whether the broker kept the subscriptions.
  case connected(sessionPresent: Bool)
  /// An attempt failed, or the connection was lost; the next attempt comes after a wait.
  case lost(reason: String, nextAttempt: Duration?)
  case message(MQTTMessage)
  /// The broker has a message of QoS 1.
  case acknowledged(UInt64)
}

/// Why a message is not taken.
package enum MQTTRefusal: Error, Hashable, Sendable {
  case notConnected
  /// As much waits as may wait.
  case queueFull
  case tooLarge
  case ended
}

/// Bytes over a connection since it was made, with TLS.
package struct MQTTTraffic: Hashable, Sendable {
  package var sent: UInt64
  package var received: UInt64

  package init(sent: UInt64 = 0, received: UInt64 = 0) {
    self.sent = sent
    self.received = received
  }
}

/// A client's connection to a broker, which comes back by itself: full jitter, from 1 s to 5 min.
///
/// What is published is not kept over a loss of the connection unless it says so: the caller knows
/// what is still true.
package protocol MQTTConnection: Sendable {
  /// All events, in their order; one reader. Messages of a reader that falls behind are refused at
  /// a bound, and the loss is told.
  var events: AsyncStream<MQTTEvent> { get }
  var traffic: MQTTTraffic { get }
  /// Messages that wait for the broker's acknowledgement.
  var waiting: Int { get }

  /// - Parameter will: of the next attempts.
  func change(will: MQTTMessage?)
  /// - Returns: a number that `acknowledged` repeats, for QoS 1.
  func publish(_ message: MQTTMessage) throws(MQTTRefusal) -> UInt64
  func subscribe(_ topics: [String], qos: MQTTMessage.QoS) throws(MQTTRefusal)
  /// Does not connect until `resume`, and closes a connection that is there.
  func pause()
  func resume()
  /// Ends the connection after what was published before, within a few seconds; the will is not
  /// sent.
  func close() async
}
