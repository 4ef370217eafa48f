/// The services of a modem that this backend uses, by their numbers in QMUX.
enum QMIService: UInt8, Sendable {
  /// Client ids and other functions of the port itself.
  case control = 0
  /// Wireless data: bearers.
  case wds = 1
  /// Device management: identity and numbers.
  case dms = 2
  /// Network access: registration and signal.
  case nas = 3
  /// Short messages.
  case wms = 5
  /// The SIM.
  case uim = 0x0b
  /// Wireless data administration: the format of packets.
  case wda = 0x1a
}

/// A client id that the modem allocated in one of its services.
struct QMIClient: Hashable, Sendable {
  let service: QMIService
  /// 1 to 254; 0 belongs to the control service, and 255 addresses all clients of a service.
  let id: UInt8

  static let control = QMIClient(service: .control, id: 0)
  static let broadcastID: UInt8 = 0xff
}
