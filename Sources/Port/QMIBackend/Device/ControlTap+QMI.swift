import CGLib
import CQMI
import ModemModel

extension ControlTap {
  /// Reports a message of libqmi.
  func note(_ direction: ControlMessage.Direction, _ message: UnsafeMutablePointer<QmiMessage>) {
    note {
      var length: gsize = 0
      let bytes = qmi_message_get_raw(message, &length, nil)
      return ControlMessage(
        direction, qmi: Array(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(length))))
    }
  }
}

extension ControlMessage {
  /// What may be reported about a message.
  init(_ direction: Direction, qmi bytes: [UInt8]) {
    guard let outline = QMIOutline(bytes) else {
      self.init(direction, name: "a message that cannot be read", length: bytes.count)
      return
    }
    self.init(
      direction, name: outline.name, transaction: outline.transaction, length: outline.length, status: outline.status,
      detail: outline.detail)
  }
}
