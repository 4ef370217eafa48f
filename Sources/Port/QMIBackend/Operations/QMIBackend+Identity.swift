import ModemModel

extension QMIBackend {
  /// Asks for manufacturer, model, revision and ids (DMS 0x21, 0x22, 0x23, 0x25). Anything that the
  /// modem refuses is left out.
  package func identity() async throws(ModemError) -> DeviceIdentity {
    let manufacturer = try await words("manufacturer", 0x21)
    let model = try await words("model", 0x22)
    let firmware = try await words("revision", 0x23)
    let ids = try await askIfKnown("ids", QMIRequest(0x25), to: .dms)
    return DeviceIdentity(
      manufacturer: manufacturer, model: model, firmware: firmware, imei: ids?[0x11].flatMap(text).flatMap(imei))
  }

  private func words(_ name: String, _ message: UInt16) async throws(ModemError) -> String? {
    try await askIfKnown(name, QMIRequest(message), to: .dms)?[0x01].flatMap(text)
  }
}

/// The digits if they are an IMEI; modems without one report 0 or nothing.
private func imei(_ digits: String) -> String? {
  let isIMEI =
    digits.utf8.count == 15 && digits.utf8.allSatisfy { (0x30...0x39).contains($0) } && digits.contains { $0 != "0" }
  return isIMEI ? digits : nil
}
