/// An MBIM message as it may be shown: its header, and the leading numbers of its content that
/// reveal nothing about the subscriber (MBIM 1.0, 9 and 10; Microsoft's Basic Connect Extensions).
package struct MBIMOutline: Hashable, Sendable {
  /// Service and command, as in `Basic Connect CONNECT set`.
  package let name: String
  package let transaction: UInt32
  package let length: Int
  /// MBIM_STATUS_CODES of a reply; nil for other messages.
  package let status: UInt32?
  /// As in `SessionId 0, ActivationState 1, 96 bytes`; nil if there is only a header.
  package let detail: String?
  package let isIndication: Bool

  /// Reads a message of either direction.
  ///
  /// - Parameter bytes: the message and nothing after it.
  /// - Throws: `ReplyFlaw` if it is shorter than its headers, or of an unknown type.
  package init(_ bytes: [UInt8]) throws(ReplyFlaw) {
    let reader = WireBytes(bytes)
    let type = try reader.u32(at: 0, "MessageType")
    transaction = try reader.u32(at: 8, "MessageTransactionId")
    length = bytes.count
    isIndication = type == 0x8000_0007
    switch type {
    case 3:
      let isSet = try reader.u32(at: 40, "CommandType") == 1
      let command = try Command(reader)
      name = "\(command.name) \(isSet ? "set" : "query")"
      status = nil
      detail = Self.detail(reader, at: 48, isSet ? command.setFields : [])
    case 0x8000_0003:
      let command = try Command(reader)
      name = command.name
      let status = try reader.u32(at: 40, "Status")
      self.status = status
      detail = Self.detail(reader, at: 48, status == 0 ? command.fields : [], command.hasCells)
    case 0x8000_0007:
      let command = try Command(reader)
      name = command.name
      status = nil
      detail = Self.detail(reader, at: 44, command.fields, command.hasCells)
    case 1, 2, 4, 0x8000_0001, 0x8000_0002, 0x8000_0004:
      name = Self.names[type] ?? ""
      status = type > 0x8000_0000 ? try reader.u32(at: 12, "Status") : nil
      detail = nil
    default: throw ReplyFlaw("message type \(type) does not exist in MBIM")
    }
  }

  private static let names: [UInt32: String] = [
    1: "OPEN", 2: "CLOSE", 4: "HOST_ERROR", 0x8000_0001: "OPEN_DONE", 0x8000_0002: "CLOSE_DONE",
    0x8000_0004: "FUNCTION_ERROR",
  ]

  /// The numbers at the beginning of the information buffer, and its length.
  private static func detail(
    _ reader: WireBytes, at start: Int, _ fields: [String], _ hasCells: Bool = false
  ) -> String? {
    guard reader.count > start else { return nil }
    var words: [String] = []
    for (place, field) in fields.enumerated() {
      guard let value = try? reader.u32(at: start + 4 * place, field) else { break }
      words.append("\(field) \(value)")
    }
    if hasCells { words += cells(reader, at: start) }
    return (words + ["\(reader.count - start) bytes"]).joined(separator: ", ")
  }

  /// The measurements that MBIMEx 2.0 appends to a signal state, of four cells at most.
  private static func cells(_ reader: WireBytes, at start: Int) -> [String] {
    guard let offset = try? reader.u32(at: start + 20, "RsrpSnr"), offset != 0,
      let count = try? reader.u32(at: start + Int(offset), "RsrpSnr")
    else { return [] }
    return (0..<min(Int(count), 4)).flatMap { cell -> [String] in
      let place = start + Int(offset) + 4 + 20 * cell
      guard let rsrp = try? reader.u32(at: place, "Rsrp"), let snr = try? reader.u32(at: place + 4, "Snr"),
        let system = try? reader.u32(at: place + 16, "SystemType")
      else { return [] }
      return ["Rsrp \(rsrp)", "Snr \(snr)", "SystemType \(system)"]
    }
  }

  /// What a message is about.
  private struct Command {
    let name: String
    let fields: [String]
    let setFields: [String]
    /// Whether it is about the signal.
    let hasCells: Bool

    init(_ reader: WireBytes) throws(ReplyFlaw) {
      let service = MBIMServiceID(try reader.bytes(at: 20, count: 16, "DeviceServiceId"))
      let number = try reader.u32(at: 36, "CID")
      let known = MBIMOutline.commands[service]?[number]
      name = "\(service.name ?? "unknown service") \(known?.name ?? "\(number)")"
      fields = known?.fields ?? []
      setFields = known?.setFields ?? []
      hasCells = service == .basicConnect && number == 11
    }
  }

  /// A command's name, the leading 32-bit numbers of its replies and indications that may be shown,
  /// and those of its requests. Texts, addresses and their positions are excluded.
  private typealias Known = (name: String, fields: [String], setFields: [String])

  private static let commands: [MBIMServiceID: [UInt32: Known]] = [
    .basicConnect: [
      1: (
        "DEVICE_CAPS",
        [
          "DeviceType", "CellularClass", "VoiceClass", "SimClass", "DataClass", "SmsCaps", "ControlCaps", "MaxSessions",
        ], []
      ),
      2: ("SUBSCRIBER_READY_STATUS", ["ReadyState"], []),
      3: ("RADIO_STATE", ["HwRadioState", "SwRadioState"], ["RadioState"]),
      4: ("PIN", ["PinType", "PinState", "RemainingAttempts"], ["PinType", "PinOperation"]),
      5: ("PIN_LIST", [], []), 6: ("HOME_PROVIDER", [], []), 7: ("PREFERRED_PROVIDERS", [], []),
      8: ("VISIBLE_PROVIDERS", [], []),
      9: (
        "REGISTER_STATE",
        ["NwError", "RegisterState", "RegisterMode", "AvailableDataClasses", "CurrentCellularClass"], []
      ),
      10: ("PACKET_SERVICE", ["NwError", "PacketServiceState", "HighestAvailableDataClass"], ["PacketServiceAction"]),
      11: ("SIGNAL_STATE", ["Rssi", "ErrorRate", "SignalStrengthInterval", "RssiThreshold"], []),
      12: (
        "CONNECT", ["SessionId", "ActivationState", "VoiceCallState", "IPType"], ["SessionId", "ActivationCommand"]
      ),
      13: ("PROVISIONED_CONTEXTS", ["ElementCount"], []), 14: ("SERVICE_ACTIVATION", ["NwError"], []),
      15: ("IP_CONFIGURATION", ["SessionId", "IPv4ConfigurationAvailable", "IPv6ConfigurationAvailable"], []),
      16: ("DEVICE_SERVICES", ["DeviceServicesCount", "MaxDssSessions"], []),
      19: ("DEVICE_SERVICE_SUBSCRIBE_LIST", ["ElementCount"], []), 20: ("PACKET_STATISTICS", [], []),
      21: ("NETWORK_IDLE_HINT", [], []), 22: ("EMERGENCY_MODE", ["EmergencyMode"], []),
      23: ("IP_PACKET_FILTERS", [], []), 24: ("MULTICARRIER_PROVIDERS", [], []),
    ],
    .sms: [
      1: ("CONFIGURATION", ["SmsStorageState", "Format", "MaxMessages"], []),
      2: ("READ", ["Format", "ElementCount"], []), 3: ("SEND", [], []), 4: ("DELETE", [], []),
      5: ("MESSAGE_STORE_STATUS", ["Flag", "MessageIndex"], []),
    ],
    .auth: [1: ("AKA", [], []), 2: ("AKAP", [], []), 3: ("SIM", [], [])],
    .extensions: [
      1: ("PROVISIONED_CONTEXTS", [], []), 2: ("NETWORK_BLACKLIST", [], []), 3: ("LTE_ATTACH_CONFIGURATION", [], []),
      4: ("LTE_ATTACH_INFO", ["LteAttachState", "IPType"], []),
      5: ("SYS_CAPS", ["NumberOfExecutors", "NumberOfSlots"], []),
      6: ("DEVICE_CAPS", [], []), 7: ("DEVICE_SLOT_MAPPINGS", [], []),
      8: ("SLOT_INFO_STATUS", ["SlotIndex", "State"], []),
      9: ("PCO", [], []), 10: ("DEVICE_RESET", [], []), 11: ("BASE_STATIONS_INFO", [], []),
      12: ("LOCATION_INFO_STATUS", [], []), 15: ("VERSION", [], []),
    ],
    .uicc: [
      1: ("ATR", [], []), 2: ("OPEN_CHANNEL", ["Status", "Channel"], []), 3: ("CLOSE_CHANNEL", ["Status"], []),
      4: ("APDU", ["Status"], []), 5: ("TERMINAL_CAPABILITY", [], []), 6: ("RESET", [], []),
      7: ("APPLICATION_LIST", ["Version", "ApplicationCount"], []),
      8: ("FILE_STATUS", ["Version", "StatusWord1", "StatusWord2"], []),
      9: ("READ_BINARY", ["Version", "StatusWord1", "StatusWord2"], []),
      10: ("READ_RECORD", ["Version", "StatusWord1", "StatusWord2"], []),
    ],
  ]
}
