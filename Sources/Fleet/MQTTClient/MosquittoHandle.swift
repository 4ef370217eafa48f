import CMosquitto
import Glibc
import Synchronization

/// One attempt at a connection, and the connection that comes of it: a client of libmosquitto.
///
/// A fresh one for each attempt: the library keeps what it read from the certificate's files, and
/// what a lost connection left.
final class MosquittoHandle: @unchecked Sendable {
  // Unchecked: one thread at a time has it. The thread that connects makes it, and hands it to the
  // loop's.

  /// What a callback was told, until the loop's thread takes it.
  enum Happening {
    case greeted(code: Int32, sessionPresent: Bool)
    case published(mid: Int32, code: Int32)
    case subscribed(mid: Int32, codes: [Int32])
    case message(MQTTMessage)
    case oversize
    case ended(code: Int32)
  }

  /// How many there are, for a test that none is left.
  static let alive = Atomic(0)

  /// A packet that carries the largest message.
  private static let largestPacket = UInt32(MQTTLimits.payload + 8 * MQTTLimits.text)
  /// Initialised once for a process.
  private static let library: Int32 = mosquitto_lib_init()

  private let client: OpaquePointer
  private let broker: MQTTBroker
  var host: String { broker.host }
  var authorities: String { broker.authorities }
  private var happenings: [Happening] = []
  /// What the library wrote of errors, for the reason.
  private(set) var complaints: [String] = []

  /// - Throws: why nothing can be tried, in words.
  init(_ broker: MQTTBroker) throws(AttemptFailure) {
    for path in [broker.authorities, broker.certificate, broker.key] where access(path, R_OK) != 0 {
      throw AttemptFailure("\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    guard Self.library == 0, let client = mosquitto_new(broker.clientID, false, nil) else {
      throw AttemptFailure("there is no memory for a connection")
    }
    self.client = client
    self.broker = broker
    Self.alive.add(1, ordering: .relaxed)
    do {
      try setUp()
    } catch {
      throw AttemptFailure("libmosquitto refuses the settings: \(error.words)")
    }
  }

  deinit {
    mosquitto_destroy(client)
    Self.alive.subtract(1, ordering: .relaxed)
  }

  /// Negative when there is none.
  var socket: Int32 { mosquitto_socket(client) }
  var wantsToWrite: Bool { mosquitto_want_write(client) }

  func takeHappenings() -> [Happening] {
    defer { happenings.removeAll(keepingCapacity: happenings.count <= 16) }
    return happenings
  }

  private func setUp() throws(MosquittoFailure) {
    try MosquittoFailure.check(mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5))
    try MosquittoFailure.check(mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1))
    // A key with a pass phrase is refused: nobody could type one.
    try MosquittoFailure.check(
      mosquitto_tls_set(client, broker.authorities, nil, broker.certificate, broker.key) { _, _, _, _ in 0 })
    try MosquittoFailure.check(mosquitto_tls_opts_set(client, 1, nil, nil))
    try setWill()
    listen()
  }

  private func setWill() throws(MosquittoFailure) {
    guard let will = broker.will else { return }
    var properties = try PropertyList(will)
    if broker.willDelaySeconds > 0 {
      try properties.add(MQTT_PROP_WILL_DELAY_INTERVAL, number: broker.willDelaySeconds)
    }
    try MosquittoFailure.check(
      mosquitto_will_set_v5(
        client, will.topic, Int32(will.payload.count), will.payload, will.qos.rawValue, will.isRetained,
        properties.first))
    properties.release()
  }

  /// Before anything is connected: what a session kept comes with the broker's first packet.
  private func listen() {
    mosquitto_user_data_set(client, Unmanaged.passUnretained(self).toOpaque())
    mosquitto_connect_v5_callback_set(client) { _, object, code, flags, _ in
      MosquittoHandle.of(object)?.happenings.append(.greeted(code: code, sessionPresent: flags & 1 != 0))
    }
    mosquitto_disconnect_v5_callback_set(client) { _, object, code, _ in
      MosquittoHandle.of(object)?.happenings.append(.ended(code: code))
    }
    mosquitto_publish_v5_callback_set(client) { _, object, mid, code, _ in
      MosquittoHandle.of(object)?.happenings.append(.published(mid: mid, code: code))
    }
    mosquitto_subscribe_v5_callback_set(client) { _, object, mid, count, codes, _ in
      let granted = Array(UnsafeBufferPointer(start: codes, count: codes == nil ? 0 : Int(count)))
      MosquittoHandle.of(object)?.happenings.append(.subscribed(mid: mid, codes: granted))
    }
    mosquitto_message_v5_callback_set(client) { _, object, message, properties in
      guard let handle = MosquittoHandle.of(object), let message else { return }
      handle.happenings.append(MosquittoHandle.read(message.pointee, ReceivedProperties(list: properties)))
    }
    mosquitto_log_callback_set(client) { _, object, level, text in
      guard level == MOSQ_LOG_ERR, let handle = MosquittoHandle.of(object), let text, handle.complaints.count < 8 else {
        return
      }
      handle.complaints.append(String(cString: text))
    }
  }

  private static func of(_ object: UnsafeMutableRawPointer?) -> MosquittoHandle? {
    object.map { Unmanaged<MosquittoHandle>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func read(_ message: mosquitto_message, _ properties: ReceivedProperties) -> Happening {
    let length = Int(max(message.payloadlen, 0))
    guard length <= MQTTLimits.payload else { return .oversize }
    let payload = Array(UnsafeRawBufferPointer(start: message.payload, count: message.payload == nil ? 0 : length))
    return .message(
      MQTTMessage(
        message.topic.map { String(cString: $0) } ?? "", payload,
        qos: message.qos == 0 ? .atMostOnce : .atLeastOnce, isRetained: message.retain,
        contentType: properties.text(MQTT_PROP_CONTENT_TYPE),
        responseTopic: properties.text(MQTT_PROP_RESPONSE_TOPIC),
        correlation: properties.bytes(MQTT_PROP_CORRELATION_DATA),
        expirySeconds: properties.number(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL), userProperties: properties.pairs))
  }
}

/// Why an attempt came to nothing, in words for `MQTTEvent.lost`.
struct AttemptFailure: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

// What the loop's thread does with it, except for `connect`.
extension MosquittoHandle {
  /// Resolves the broker's name and connects, which blocks as long as the kernel tries: 134 s where
  /// nobody answers. TLS and MQTT follow on the loop's thread.
  func connect() throws(AttemptFailure) {
    var properties = PropertyList()
    var code: Int32
    var number: Int32 = 0
    do {
      try properties.add(MQTT_PROP_SESSION_EXPIRY_INTERVAL, number: broker.sessionExpirySeconds)
      try properties.add(MQTT_PROP_MAXIMUM_PACKET_SIZE, number: Self.largestPacket)
      code = mosquitto_connect_bind_v5(
        client, broker.host, Int32(broker.port), Int32(broker.keepAliveSeconds), nil, properties.first)
      number = errno
    } catch {
      code = error.code
    }
    if code != 0 { throw AttemptFailure(reason(code, errno: number)) }
    // The library leaves it to programs that this one starts.
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
  }

  /// - Returns: libmosquitto's code, and the number of the system's error.
  func read() -> (code: Int32, errno: Int32) {
    let code = mosquitto_loop_read(client, 1)
    return (code, errno)
  }

  func write() -> (code: Int32, errno: Int32) {
    let code = mosquitto_loop_write(client, 1)
    return (code, errno)
  }

  /// Sends a sign of life when it is time, and ends a connection without one.
  func keepAlive() -> (code: Int32, errno: Int32) {
    let code = mosquitto_loop_misc(client)
    return (code, errno)
  }

  /// - Returns: what `published` repeats.
  func publish(_ message: MQTTMessage) throws(MosquittoFailure) -> Int32 {
    let properties = try PropertyList(message)
    var mid: Int32 = 0
    try MosquittoFailure.check(
      mosquitto_publish_v5(
        client, &mid, message.topic, Int32(message.payload.count), message.payload, message.qos.rawValue,
        message.isRetained, properties.first))
    return mid
  }

  /// - Returns: what `subscribed` repeats.
  func subscribe(_ topics: [String], qos: MQTTMessage.QoS) throws(MosquittoFailure) -> Int32 {
    var mid: Int32 = 0
    let words = topics.map { strdup($0) }
    defer { for word in words { free(word) } }
    try MosquittoFailure.check(
      words.withUnsafeBufferPointer {
        mosquitto_subscribe_multiple(client, &mid, Int32($0.count), $0.baseAddress, qos.rawValue, 0, nil)
      })
    return mid
  }

  /// Tells the broker that this is the end, and that it has no will to carry out.
  func disconnect() { _ = mosquitto_disconnect_v5(client, 0, nil) }

  /// Whether the other side has ended a connection that is not up yet: libmosquitto's handshake
  /// takes the end for a lull, and epoll would tell of it without pause.
  var isHungUp: Bool {
    var byte: UInt8 = 0
    return recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
  }

  /// What the kernel counted on the connection; nil when there is none.
  var traffic: MQTTTraffic? {
    var info = [UInt8](repeating: 0, count: 256)
    var length = socklen_t(info.count)
    guard socket >= 0, getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0, length >= 208 else {
      return nil
    }
    return info.withUnsafeBytes { bytes in
      // struct tcp_info: tcpi_bytes_sent, _bytes_received, _segs_out, _segs_in. The header that
      // names them cannot be imported beside glibc's, whose structure ends before them.
      MQTTTraffic(
        sent: bytes.loadUnaligned(fromByteOffset: 200, as: UInt64.self),
        received: bytes.loadUnaligned(fromByteOffset: 128, as: UInt64.self),
        segmentsSent: UInt64(bytes.loadUnaligned(fromByteOffset: 136, as: UInt32.self)),
        segmentsReceived: UInt64(bytes.loadUnaligned(fromByteOffset: 140, as: UInt32.self)))
    }
  }
}
