import CQMI
import ModemModel

extension QMIBackend {
  /// Asks for manufacturer, model, revision and ids (QMI DMS). Modems may leave any of them out.
  public func identity() async throws(ModemError) -> DeviceIdentity {
    let dms = try openDevice(for: "identity").dms
    var identity = DeviceIdentity()
    var pointer: UnsafePointer<CChar>?
    if let reply = try await askIfKnown("manufacturer", .manufacturer, to: dms) {
      let found = qmi_message_dms_get_manufacturer_output_get_manufacturer(reply.pointer, &pointer, nil)
      identity.manufacturer = found != 0 ? text(pointer) : nil
    }
    if let reply = try await askIfKnown("model", .model, to: dms) {
      let found = qmi_message_dms_get_model_output_get_model(reply.pointer, &pointer, nil)
      identity.model = found != 0 ? text(pointer) : nil
    }
    if let reply = try await askIfKnown("revision", .revision, to: dms) {
      let found = qmi_message_dms_get_revision_output_get_revision(reply.pointer, &pointer, nil)
      identity.firmware = found != 0 ? text(pointer) : nil
    }
    // This one every modem knows: its failure is the call's.
    let reply = try await ask("device ids", .ids, to: dms)
    if qmi_message_dms_get_ids_output_get_imei(reply.pointer, &pointer, nil) != 0 {
      identity.imei = text(pointer).flatMap(Self.imei)
    }
    return identity
  }

  /// Some modems say "0" where they have none.
  private static func imei(_ text: String) -> String? {
    let isIMEI =
      text.utf8.count == 15 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } && text.contains { $0 != "0" }
    return isIMEI ? text : nil
  }
}
