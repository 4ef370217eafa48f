import ModemModel
import ReplyCheck

extension ControlTap {
  /// Reports a message of libmbim.
  func note(_ direction: ControlMessage.Direction, _ message: OpaquePointer) {
    note { ControlMessage(direction, mbim: rawBytes(of: message)) }
  }
}

extension ControlMessage {
  /// What may be reported about a message.
  init(_ direction: Direction, mbim bytes: [UInt8]) {
    guard let outline = try? MBIMOutline(bytes) else {
      self.init(direction, name: "a message that cannot be read", length: bytes.count)
      return
    }
    self.init(
      direction, name: outline.name, transaction: Int(outline.transaction), length: outline.length,
      status: outline.status.map { Int($0) }, detail: outline.detail)
  }
}
