import CMosquitto

extension MQTTMessage {
  /// Bytes that it takes while it waits.
  var size: Int { payload.count + texts.reduce(0) { $0 + $1.utf8.count } + (correlation?.count ?? 0) + 64 }

  /// Whether it may be sent. No text has a zero byte, at which a string of C would end: that would
  /// be another topic than the caller's.
  var isAcceptable: Bool {
    let lengths = texts.map(\.utf8.count)
    return payload.count <= MQTTLimits.payload && lengths.allSatisfy { $0 <= MQTTLimits.text }
      && lengths.reduce(0, +) <= 4 * MQTTLimits.text && (correlation?.count ?? 0) <= MQTTLimits.text
      && texts.allSatisfy { !$0.utf8.contains(0) } && !topic.isEmpty
      && mosquitto_pub_topic_check(topic) == MOSQ_ERR_SUCCESS.rawValue
      && responseTopic.map { mosquitto_pub_topic_check($0) == MOSQ_ERR_SUCCESS.rawValue } ?? true
  }

  private var texts: [String] {
    [topic] + [contentType, responseTopic].compactMap(\.self) + userProperties.flatMap { [$0.name, $0.value] }
  }
}

extension String {
  /// Whether it can be a filter of topics.
  var isSubscribable: Bool {
    !isEmpty && utf8.count <= MQTTLimits.text && !utf8.contains(0)
      && mosquitto_sub_topic_check(self) == MOSQ_ERR_SUCCESS.rawValue
  }
}
