/// A QMUX message as it may be shown: its header, the types and lengths of its TLVs, and the values
/// of TLVs that reveal nothing about the subscriber.
struct QMIOutline: Hashable, Sendable {
  /// Service and message, as in `NAS 0x0024`, with the message's name where libqmi has none.
  let name: String
  let transaction: Int
  let length: Int
  /// A reply's QMI error code, 0 for success; nil for other messages.
  let status: Int?
  let detail: String?
  let isIndication: Bool

  /// Reads a message; nil if it is shorter than its length field, or is not QMUX.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 12, bytes[0] == 1 else { return nil }
    let service = bytes[4]
    // Control service messages have one-byte transaction numbers, others two-byte numbers.
    let isControl = service == QMIService.control.rawValue
    let start = isControl ? 8 : 9
    guard bytes.count >= start + 4 else { return nil }
    let flags = bytes[6]
    isIndication = flags == (isControl ? 2 : 4)
    let isReply = flags == (isControl ? 1 : 2)
    transaction = isControl ? Int(bytes[7]) : Int(bytes[7]) | Int(bytes[8]) << 8
    let message = Int(bytes[start]) | Int(bytes[start + 1]) << 8
    length = bytes.count
    let number = "\(Self.services[service] ?? "service \(service)") 0x\(Self.hexadecimal(message, digits: 4))"
    name = Self.messages[service]?[message].map { "\(number) \($0)" } ?? number
    var words: [String] = []
    var status: Int?
    var position = start + 4
    while position + 3 <= bytes.count {
      let type = bytes[position]
      let size = Int(bytes[position + 1]) | Int(bytes[position + 2]) << 8
      let end = position + 3 + size
      guard end <= bytes.count else {
        words.append("a truncated TLV")
        break
      }
      let value = bytes[position + 3..<end]
      if isReply, type == 2, size == 4 {
        status = value[position + 3] == 0 ? 0 : Int(value[position + 5]) | Int(value[position + 6]) << 8
      } else {
        words.append(Self.words(service, message, type, value, isRequest: !isReply && !isIndication))
      }
      position = end
    }
    self.status = status
    detail = words.isEmpty ? nil : words.joined(separator: ", ")
  }

  private static func words(
    _ service: UInt8, _ message: Int, _ type: UInt8, _ value: ArraySlice<UInt8>, isRequest: Bool
  ) -> String {
    let name = "0x\(hexadecimal(Int(type), digits: 2))"
    let shows = !isRequest && value.count <= 16 && shown[service]?[message]?.contains(type) == true
    return shows
      ? "\(name)=\(value.map { hexadecimal(Int($0), digits: 2) }.joined(separator: " "))" : "\(name)(\(value.count))"
  }

  private static func hexadecimal(_ number: Int, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  private static let services: [UInt8: String] = [
    0: "CTL", 1: "WDS", 2: "DMS", 3: "NAS", 4: "QOS", 5: "WMS", 9: "VOICE", 0x0a: "CAT", 0x0b: "UIM", 0x0c: "PBM",
    0x10: "LOC",
    0x11: "SAR", 0x1a: "WDA", 0x24: "PDC", 0x2a: "DSD",
  ]

  private static let messages: [UInt8: [Int: String]] = [
    0x0b: [
      0x34: "Authenticate", 0x3b: "Send APDU", 0x3f: "Logical Channel", 0x42: "Open Logical Channel",
    ]
  ]

  /// The strengths of NAS Get Signal Info and its indication.
  private static let signal: Set<UInt8> = [0x10, 0x11, 0x12, 0x13, 0x14, 0x17, 0x18]
  /// TLVs of replies and indications that hold states, causes and strengths, by service and
  /// message.
  private static let shown: [UInt8: [Int: Set<UInt8>]] = [
    // Start network: how the call ended. Packet service status: the state, its reason, and the
    // family.
    1: [0x20: [0x10, 0x11], 0x22: [0x01, 0x10, 0x11, 0x12]],
    // Serving system: registration, roaming, data capabilities. Signal: strengths by technology.
    3: [0x24: [0x01, 0x10, 0x11], 0x4f: signal, 0x51: signal],
    // A card's status words, and the number of a channel to it. A card's data is not among them.
    0x0b: [0x34: [0x10], 0x42: [0x10, 0x11]],
    // Data format: link layer and aggregation.
    0x1a: [0x20: [0x10, 0x11, 0x12, 0x13], 0x21: [0x10, 0x11, 0x12, 0x13]],
  ]
}
