/// Cuts what a control port says into messages: an encapsulated response carries one.
struct ControlMessages {
  private let kind: USBModemKind
  private var waiting: [UInt8] = []

  init(_ kind: USBModemKind) { self.kind = kind }

  /// The messages that are whole now.
  mutating func append(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
    waiting += bytes
    var messages: [[UInt8]] = []
    while let count = lengthOfFirst, count <= waiting.count {
      messages.append(Array(waiting[..<count]))
      waiting.removeFirst(count)
    }
    return messages
  }

  /// MBIM 1.0, 9.1: the length is the second word. QMUX: the length counts all but the marker.
  private var lengthOfFirst: Int? {
    switch kind {
    case .mbim:
      guard waiting.count >= 8 else { return nil }
      return max(8, (0..<4).reduce(0) { $0 | Int(waiting[4 + $1]) << (8 * $1) })
    case .qmi:
      guard waiting.count >= 3 else { return nil }
      return max(3, 1 + Int(waiting[1]) + Int(waiting[2]) << 8)
    }
  }
}

/// What kind of function the modem shows on USB, and so which driver takes it.
package enum USBModemKind: String, Sendable, CaseIterable {
  /// CDC MBIM: cdc_mbim.
  case mbim
  /// A vendor's QMI function: qmi_wwan.
  case qmi
}
