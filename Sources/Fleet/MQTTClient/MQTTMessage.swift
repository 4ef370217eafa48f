/// A message of MQTT 5, to the broker or from it.
package struct MQTTMessage: Hashable, Sendable {
  /// How hard client and broker try (MQTT 5, section 4.3).
  package enum QoS: Int32, Hashable, Sendable {
    case atMostOnce = 0
    case atLeastOnce = 1
  }

  package var topic: String
  package var payload: [UInt8]
  package var qos: QoS
  package var isRetained: Bool
  /// A media type (section 3.3.2.3.9).
  package var contentType: String?
  /// Where an answer is wanted (3.3.2.3.5).
  package var responseTopic: String?
  /// What an answer repeats (3.3.2.3.6).
  package var correlation: [UInt8]?
  /// Seconds until the message is of no use any more (3.3.2.3.3); nil for never.
  package var expirySeconds: UInt32?
  /// Names and values in their order (3.3.2.3.7).
  package var userProperties: [Property]

  package struct Property: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package init(
    _ topic: String, _ payload: [UInt8], qos: QoS = .atLeastOnce, isRetained: Bool = false, contentType: String? = nil,
    responseTopic: String? = nil, correlation: [UInt8]? = nil, expirySeconds: UInt32? = nil,
    userProperties: [Property] = []
  ) {
    self.topic = topic
    self.payload = payload
    self.qos = qos
    self.isRetained = isRetained
    self.contentType = contentType
    self.responseTopic = responseTopic
    self.correlation = correlation
    self.expirySeconds = expirySeconds
    self.userProperties = userProperties
  }
}
