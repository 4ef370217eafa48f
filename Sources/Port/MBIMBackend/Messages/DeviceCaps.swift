import CMBIM
import ModemModel

extension DeviceIdentity {
  /// Reads device capabilities (MBIM_CID_DEVICE_CAPS; with MBIMEx 3.0, the extended one).
  init(_ reply: MBIMReply) throws(ModemError) {
    var device: UnsafeMutablePointer<CChar>?
    var firmware: UnsafeMutablePointer<CChar>?
    var hardware: UnsafeMutablePointer<CChar>?
    try reply.read { message, error in
      reply.speaksExtensionsV3
        ? mbim_message_ms_basic_connect_extensions_v3_device_caps_response_parse(
          message, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, &device, &firmware,
          &hardware, error)
        : mbim_message_device_caps_response_parse(
          message, nil, nil, nil, nil, nil, nil, nil, nil, nil, &device, &firmware, &hardware, error)
    }
    // MBIM has no field for the manufacturer.
    self.init(
      model: taking(hardware).flatMap(trimmed), firmware: taking(firmware).flatMap(trimmed),
      imei: taking(device).flatMap(imeiDigits))
  }
}

/// How many sessions the modem carries at the same time (MaxSessions of the device capabilities).
struct SessionLimit {
  /// At least 1; nil if the modem reports 0.
  let number: Int?

  init(_ reply: MBIMReply) throws(ModemError) {
    var limit: UInt32 = 0
    try reply.read { message, error in
      reply.speaksExtensionsV3
        ? mbim_message_ms_basic_connect_extensions_v3_device_caps_response_parse(
          message, nil, nil, nil, nil, nil, nil, nil, nil, &limit, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil,
          error)
        : mbim_message_device_caps_response_parse(
          message, nil, nil, nil, nil, nil, nil, nil, &limit, nil, nil, nil, nil, error)
    }
    number = limit == 0 ? nil : Int(limit)
  }
}

/// Without the white space and control characters that some firmware leaves at the ends of strings;
/// nil if nothing is left.
private func trimmed(_ text: String) -> String? {
  let isVisible = { (character: Character) in
    !character.isWhitespace && character.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
  guard let first = text.firstIndex(where: isVisible), let last = text.lastIndex(where: isVisible) else { return nil }
  return String(text[first...last])
}

/// The device id if it is an IMEI; other kinds (ESN, MEID, an empty one) are not.
private func imeiDigits(_ text: String) -> String? {
  let digits = trimmed(text) ?? ""
  let isIMEI =
    digits.utf8.count == 15 && digits.utf8.allSatisfy { (0x30...0x39).contains($0) } && digits.contains { $0 != "0" }
  return isIMEI ? digits : nil
}
