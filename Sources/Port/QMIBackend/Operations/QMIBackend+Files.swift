import CQMI
import CardCommands
import ModemModel

/// Files of the SIM (UIM Read Transparent, Get File Attributes and Read Record).
extension QMIBackend {
  /// The result of reading a file.
  enum FileAnswer {
    case content([UInt8])
    /// By the modem or the SIM: the file does not exist, or must not be read.
    case refused
    /// Firmware without UIM.
    case unknownCommand
  }

  /// The session of the application in use, without a name.
  static let session: [UInt8] = [0, 0]

  /// Reads a whole file of the SIM.
  func read(_ file: SIMFile, _ name: String) async throws(ModemError) -> FileAnswer {
    // From the first byte to the last.
    let request = QMIRequest(0x20).with(0x01, Self.session).with(0x02, file.field).with(0x03, [0, 0, 0, 0])
    return try await readContent(request, name)
  }

  /// The length of the MNC from EF_AD; nil if the modem or SIM does not give it.
  func mncLengthOfSIM() async throws(ModemError) -> Int? {
    guard case .content(let file) = try await read(.administrativeData, "EF_AD") else { return nil }
    return HomeNetwork.mncLength(administrativeData: file)
  }

  /// EF_GID1; nil if the modem or SIM does not give it, or if it is empty.
  package func groupIdentifier() async throws(ModemError) -> [UInt8]? {
    guard case .content(let file) = try await read(.groupIdentifier, "EF_GID1") else { return nil }
    return GroupIdentifier.bytes(in: file)
  }

  /// Record 1 of EF_MSISDN; nil if the modem or SIM does not give it, or if it is empty.
  func numberOfSIM() async throws(ModemError) -> PhoneNumber? {
    guard hasSIMService, let attributes = try await attributes(of: .msisdn, "EF_MSISDN"), attributes.isLinear,
      attributes.recordCount > 0
    else { return nil }
    let record: [UInt16] = [1, attributes.recordSize]
    let request = QMIRequest(0x21).with(0x01, Self.session).with(0x02, SIMFile.msisdn.field)
      .with(0x03, record.flatMap(\.littleEndianBytes))
    guard case .content(let bytes) = try await readContent(request, "EF_MSISDN") else { return nil }
    return NumberRecord.number(in: bytes)
  }

  private func attributes(of file: SIMFile, _ name: String) async throws(ModemError) -> FileAttributes? {
    let request = QMIRequest(0x24).with(0x01, Self.session).with(0x02, file.field)
    guard let reply = try await askIfKnown(name, request, to: .uim) else { return nil }
    return try reply.read(0x11) { field throws(FieldReader.Short) in try FileAttributes(&field) }
  }

  private func readContent(_ request: QMIRequest, _ name: String) async throws(ModemError) -> FileAnswer {
    guard hasSIMService else { return .unknownCommand }
    let reply = try await send(name, request, to: .uim, within: configuration.limits.query)
    if let refusal = try reply.refusal { return refusal.isUnknownToFirmware ? .unknownCommand : .refused }
    let content = try reply.read(0x11) { field throws(FieldReader.Short) in try field.bytes(Int(try field.u16())) }
    return content.map { .content($0) } ?? .refused
  }
}

/// The attributes of a file of the SIM.
private struct FileAttributes {
  let isLinear: Bool
  let recordSize: UInt16
  let recordCount: UInt16

  init(_ field: inout FieldReader) throws(FieldReader.Short) {
    _ = try field.bytes(4)  // Size and identifier.
    isLinear = try field.u8() == 2
    recordSize = try field.u16()
    recordCount = try field.u16()
  }
}

extension QmiProtocolError {
  /// Whether the firmware lacks the command entirely.
  var isUnknownToFirmware: Bool {
    [
      QMI_PROTOCOL_ERROR_INVALID_QMI_COMMAND, QMI_PROTOCOL_ERROR_NOT_SUPPORTED, QMI_PROTOCOL_ERROR_DEVICE_UNSUPPORTED,
    ].contains(self)
  }
}
