/// The QMI services of this modem, by their numbers on the wire.
enum QMIService: UInt8, Sendable, CaseIterable {
  case ctl = 0x00
  case wds = 0x01
  case dms = 0x02
  case nas = 0x03
  case wms = 0x05
  case uim = 0x0b
  case wda = 0x1a

  /// Major and minor version.
  var version: (major: UInt16, minor: UInt16) {
    switch self {
    case .ctl: (1, 5)
    case .wds: (1, 67)
    case .dms: (1, 14)
    case .nas: (1, 25)
    case .wms: (1, 10)
    case .uim: (1, 46)
    case .wda: (1, 16)
    }
  }
}

/// Errors in a QMI result, named as libqmi's `QmiProtocolError` names them.
struct QMIError: Error, Hashable, Sendable {
  let code: UInt16

  static let malformedMessage = QMIError(code: 1)
  static let `internal` = QMIError(code: 3)
  static let clientIDsExhausted = QMIError(code: 5)
  static let invalidClientID = QMIError(code: 7)
  static let invalidHandle = QMIError(code: 9)
  static let invalidProfile = QMIError(code: 10)
  static let invalidPINID = QMIError(code: 11)
  static let incorrectPIN = QMIError(code: 12)
  static let callFailed = QMIError(code: 14)
  static let outOfCall = QMIError(code: 15)
  static let notProvisioned = QMIError(code: 16)
  static let missingArgument = QMIError(code: 17)
  static let noEffect = QMIError(code: 26)
  static let invalidServiceType = QMIError(code: 31)
  static let authenticationFailed = QMIError(code: 34)
  static let pinBlocked = QMIError(code: 35)
  static let pinAlwaysBlocked = QMIError(code: 36)
  static let uimUninitialized = QMIError(code: 37)
  static let invalidArgument = QMIError(code: 48)
  static let deviceNotReady = QMIError(code: 52)
  static let insufficientResources = QMIError(code: 68)
  static let invalidQMICommand = QMIError(code: 71)
  static let simFileNotFound = QMIError(code: 80)
  static let accessDenied = QMIError(code: 82)
  static let notSupported = QMIError(code: 94)
  static let invalidSessionType = QMIError(code: 100)
  static let noEntry = QMIError(code: 50)
  static let noSIM = QMIError(code: 102)
}

/// Type, length, value: the fields of QMI messages.
struct QMITLVs: Hashable, Sendable {
  private(set) var fields: [(type: UInt8, value: [UInt8])] = []

  init() {}

  /// Reads a message's fields; nil when one is cut short.
  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    while reader.remaining > 0 {
      guard let type = reader.u8(), let length = reader.u16(), let value = reader.take(Int(length)) else { return nil }
      fields.append((type, Array(value)))
    }
  }

  subscript(type: UInt8) -> ByteReader? { fields.first { $0.type == type }.map { ByteReader($0.value) } }

  /// A field that is text to its end.
  func text(_ type: UInt8) -> String? {
    fields.first { $0.type == type }.map { String(decoding: $0.value, as: UTF8.self) }
  }

  mutating func add(_ type: UInt8, _ value: [UInt8]) { fields.append((type, value)) }

  mutating func add(_ type: UInt8, text: String) { add(type, Array(text.utf8)) }

  mutating func add(_ type: UInt8, _ value: some FixedWidthInteger) { add(type, value.littleEndianBytes) }

  var bytes: [UInt8] { fields.flatMap { [$0.type] + UInt16($0.value.count).littleEndianBytes + $0.value } }

  static func == (one: QMITLVs, other: QMITLVs) -> Bool { one.bytes == other.bytes }
  func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

/// A request from the host, with its QMUX header taken off.
struct QMIRequest: Hashable, Sendable {
  var service: UInt8
  var client: UInt8
  var transaction: UInt16
  var message: UInt16
  var fields: QMITLVs
}

/// Cuts the host's byte stream into QMUX frames, and writes those to the host.
struct QMUXFramer: Sendable {
  private var buffer: [UInt8] = []

  mutating func receive(_ bytes: [UInt8]) -> [QMIRequest] {
    buffer += bytes
    var requests: [QMIRequest] = []
    while let frame = nextFrame() { if let request = Self.read(frame) { requests.append(request) } }
    return requests
  }

  private mutating func nextFrame() -> [UInt8]? {
    // A frame starts with 1; anything before it is dropped.
    buffer.removeFirst(buffer.firstIndex(of: 1) ?? buffer.count)
    guard buffer.count >= 3 else { return nil }
    let length = Int(UInt16(littleEndian: buffer[1..<3])) + 1
    guard buffer.count >= length else { return nil }
    defer { buffer.removeFirst(length) }
    return Array(buffer[..<length])
  }

  private static func read(_ frame: [UInt8]) -> QMIRequest? {
    var reader = ByteReader(frame.dropFirst(4))
    guard let service = reader.u8(), let client = reader.u8(), reader.u8() == 0,
      let transaction = service == 0 ? reader.u8().map(UInt16.init) : reader.u16(), let message = reader.u16(),
      let length = reader.u16(), let body = reader.take(Int(length)), let fields = QMITLVs(Array(body))
    else { return nil }
    return QMIRequest(
      service: service, client: client, transaction: transaction, message: message, fields: fields)
  }

  static func response(to request: QMIRequest, _ fields: QMITLVs) -> [UInt8] {
    let isControl = request.service == QMIService.ctl.rawValue
    let transaction =
      isControl ? [UInt8(truncatingIfNeeded: request.transaction)] : request.transaction.littleEndianBytes
    return frame(
      service: request.service, client: request.client, flags: isControl ? 1 : 2, transaction, request.message, fields)
  }

  static func indication(_ service: QMIService, client: UInt8, message: UInt16, _ fields: QMITLVs) -> [UInt8] {
    let isControl = service == .ctl
    return frame(
      service: service.rawValue, client: client, flags: isControl ? 2 : 4, isControl ? [0] : [0, 0], message, fields)
  }

  private static func frame(
    service: UInt8, client: UInt8, flags: UInt8, _ transaction: [UInt8], _ message: UInt16, _ fields: QMITLVs
  ) -> [UInt8] {
    let body = fields.bytes
    let data = [flags] + transaction + message.littleEndianBytes + UInt16(body.count).littleEndianBytes + body
    return [1] + UInt16(data.count + 5).littleEndianBytes + [0x80, service, client] + data
  }
}
