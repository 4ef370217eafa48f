import ControlChannel
import ModemModel

extension QMIBackend {
  /// Asks for manufacturer, model, revision and ids (DMS 0x21, 0x22, 0x23, 0x25). Anything that the
  /// modem refuses is left out.
  package func identity() async throws(ModemError) -> DeviceIdentity {
    // Side by side: none depends on another's answer.
    async let manufacturer = words("manufacturer", 0x21, 0x01)
    async let model = words("model", 0x22, 0x01)
    async let firmware = words("revision", 0x23, 0x01)
    async let digits = words("ids", 0x25, 0x11)
    let answers = (await manufacturer, await model, await firmware, await digits)
    return DeviceIdentity(
      manufacturer: try answers.0.get(), model: try answers.1.get(), firmware: try answers.2.get(),
      imei: try answers.3.get().flatMap(imei))
  }

  private func words(_ name: String, _ message: UInt16, _ field: UInt8) async -> Result<String?, ModemError> {
    await outcome { () async throws(ModemError) in
      try await self.askIfKnown(name, QMIRequest(message), to: .dms)?[field].flatMap(text)
    }
  }
}

/// The digits if they are an IMEI; modems without one report 0 or nothing.
private func imei(_ digits: String) -> String? {
  let isIMEI =
    digits.utf8.count == 15 && digits.utf8.allSatisfy { (0x30...0x39).contains($0) } && digits.contains { $0 != "0" }
  return isIMEI ? digits : nil
}
