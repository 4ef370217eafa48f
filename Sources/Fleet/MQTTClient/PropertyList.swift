import CMosquitto
import Glibc
import Synchronization

/// A list of properties that libmosquitto reads, freed with this value.
struct PropertyList: ~Copyable {
  /// How many lists there are, for a test that none is left.
  static let alive = Atomic(0)

  private(set) var first: OpaquePointer?

  init() { Self.alive.add(1, ordering: .relaxed) }

  /// The properties of a message (MQTT 5, section 3.3.2.3).
  ///
  /// - Throws: libmosquitto's code.
  init(_ message: MQTTMessage) throws(MosquittoFailure) {
    self.init()
    if let seconds = message.expirySeconds { try add(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL, number: seconds) }
    if let type = message.contentType { try add(MQTT_PROP_CONTENT_TYPE, text: type) }
    if let topic = message.responseTopic { try add(MQTT_PROP_RESPONSE_TOPIC, text: topic) }
    if let bytes = message.correlation { try add(MQTT_PROP_CORRELATION_DATA, bytes: bytes) }
    for property in message.userProperties { try add(pair: property) }
  }

  deinit {
    Self.alive.subtract(1, ordering: .relaxed)
    var list = first
    mosquitto_property_free_all(&list)
  }

  /// Hands the list to the library, which frees it.
  consuming func release() {
    first = nil
  }

  mutating func add(_ property: mqtt5_property, number: UInt32) throws(MosquittoFailure) {
    try MosquittoFailure.check(mosquitto_property_add_int32(&first, Int32(property.rawValue), number))
  }

  mutating func add(_ property: mqtt5_property, text: String) throws(MosquittoFailure) {
    try MosquittoFailure.check(mosquitto_property_add_string(&first, Int32(property.rawValue), text))
  }

  mutating func add(_ property: mqtt5_property, bytes: [UInt8]) throws(MosquittoFailure) {
    try MosquittoFailure.check(
      mosquitto_property_add_binary(&first, Int32(property.rawValue), bytes, UInt16(clamping: bytes.count)))
  }

  private mutating func add(pair: MQTTMessage.Property) throws(MosquittoFailure) {
    try MosquittoFailure.check(
      mosquitto_property_add_string_pair(&first, Int32(MQTT_PROP_USER_PROPERTY.rawValue), pair.name, pair.value))
  }
}

/// A message's properties, as libmosquitto hands them to a callback.
struct ReceivedProperties {
  /// Of one message; the rest is not looked at.
  private static let mostPairs = 16

  let list: OpaquePointer?

  func text(_ property: mqtt5_property) -> String? {
    var value: UnsafeMutablePointer<CChar>?
    guard mosquitto_property_read_string(list, Int32(property.rawValue), &value, false) != nil else { return nil }
    defer { free(value) }
    return value.map { String(cString: $0) }
  }

  func bytes(_ property: mqtt5_property) -> [UInt8]? {
    var value: UnsafeMutableRawPointer?
    var length: UInt16 = 0
    guard mosquitto_property_read_binary(list, Int32(property.rawValue), &value, &length, false) != nil else {
      return nil
    }
    defer { free(value) }
    return Array(UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : Int(length)))
  }

  func number(_ property: mqtt5_property) -> UInt32? {
    var value: UInt32 = 0
    guard mosquitto_property_read_int32(list, Int32(property.rawValue), &value, false) != nil else { return nil }
    return value
  }

  var pairs: [MQTTMessage.Property] {
    var found: [MQTTMessage.Property] = []
    var place = list
    while found.count < Self.mostPairs, let from = place {
      var name: UnsafeMutablePointer<CChar>?
      var value: UnsafeMutablePointer<CChar>?
      let isFirst = found.isEmpty
      place = mosquitto_property_read_string_pair(
        from, Int32(MQTT_PROP_USER_PROPERTY.rawValue), &name, &value, !isFirst)
      guard place != nil else { break }
      defer {
        free(name)
        free(value)
      }
      found.append(.init(name.map { String(cString: $0) } ?? "", value.map { String(cString: $0) } ?? ""))
    }
    return found
  }
}

/// A code of libmosquitto that is not success.
struct MosquittoFailure: Error {
  let code: Int32

  static func check(_ code: Int32) throws(MosquittoFailure) {
    if code != 0 { throw MosquittoFailure(code: code) }
  }

  static func check(_ code: mosq_err_t) throws(MosquittoFailure) { try check(code.rawValue) }

  var words: String { String(cString: mosquitto_strerror(code)) }

  /// A reason code of MQTT in words (section 2.4).
  static func reason(_ code: Int32) -> String {
    // For a code that it does not know, it has words that say so.
    let words = mosquitto_reason_string(code).map { String(cString: $0) } ?? "unknown reason"
    return "\(words) (0x\(String(code, radix: 16)))"
  }
}
