import CGLib
import CQMI
import GLibBridge

/// A message for the modem: its number and its TLVs.
struct QMIRequest: Sendable {
  let message: UInt16
  private(set) var fields: [(type: UInt8, value: [UInt8])] = []

  init(_ message: UInt16) { self.message = message }

  /// Adds a TLV; nil adds none.
  func with(_ type: UInt8, _ value: [UInt8]?) -> QMIRequest {
    guard let value else { return self }
    var copy = self
    copy.fields.append((type, value))
    return copy
  }

  /// Adds a TLV with one byte.
  func with(_ type: UInt8, byte: UInt8) -> QMIRequest { with(type, [byte]) }

  /// Adds a TLV with a 32-bit number.
  func with(_ type: UInt8, word: UInt32) -> QMIRequest { with(type, word.littleEndianBytes) }

  /// Makes libqmi's message.
  /// - Parameter transaction: Its number; with 0, libqmi numbers a message of the control service.
  func makeMessage(
    for client: QMIClient, transaction: UInt16, _ error: GErrorPlace
  ) -> UnsafeMutablePointer<QmiMessage>? {
    guard
      let made = qmi_message_new(
        QmiService(rawValue: .init(clamping: client.service.rawValue)), client.id, transaction, message)
    else { return nil }
    for field in fields {
      guard qmi_message_add_raw_tlv(made, field.type, field.value, gsize(field.value.count), error) != 0 else {
        qmi_message_unref(made)
        return nil
      }
    }
    return made
  }
}

extension FixedWidthInteger {
  /// As QMI writes numbers.
  var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}
