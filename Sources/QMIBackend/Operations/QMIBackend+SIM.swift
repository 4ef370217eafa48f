import CGLib
import CQMI
import GLibBridge
import ModemModel

extension QMIBackend {
  public func simStatus() async throws(ModemError) -> SIMStatus {
    let opened = try openDevice(for: "SIM state")
    var status = try await cardStatus(opened).sim
    guard status.state != .absent, status.state != .failed else { return status }
    status.iccid = try await read(0x2fe2, in: [0x3f00], opened).flatMap(SIMFile.iccid).map { ICCID($0) }
    guard status.state == .ready else { return status }
    status.imsi = try await read(0x6f07, in: [0x3f00, 0x7fff], opened).flatMap(SIMFile.imsi).map { IMSI($0) }
    status.numbers = try await numbers(opened)
    status.home = try await homeNetwork(opened)
    return status
  }

  func cardStatus(_ opened: OpenDevice) async throws(ModemError) -> CardStatus {
    let reply = try await ask("SIM state", .cardStatus, to: opened.uim)
    guard let status = CardStatus(reply) else {
      throw ModemError(.badReply, "SIM state: the modem's answer has no card status")
    }
    return status
  }

  /// Reads a transparent file of the SIM in use (UIM Read Transparent); nil where it cannot be read.
  private func read(_ file: UInt16, in path: [UInt16], _ opened: OpenDevice) async throws(ModemError) -> [UInt8]? {
    let question = input(
      qmi_message_uim_read_transparent_input_new, qmi_message_uim_read_transparent_input_unref
    ) { input in
      withByteArray([]) {
        _ = qmi_message_uim_read_transparent_input_set_session(
          input, QMI_UIM_SESSION_TYPE_PRIMARY_GW_PROVISIONING, $0, nil)
      }
      withByteArray(Self.bytes(path)) {
        _ = qmi_message_uim_read_transparent_input_set_file(input, file, $0, nil)
      }
      qmi_message_uim_read_transparent_input_set_read_information(input, 0, 0, nil)
    }
    guard let reply = try await askIfKnown("SIM file", .readTransparent, to: opened.uim, question) else { return nil }
    var content: UnsafeMutablePointer<GArray>?
    guard qmi_message_uim_read_transparent_output_get_read_result(reply.pointer, &content, nil) != 0 else {
      return nil
    }
    return elements(of: content)
  }

  /// A path goes over the wire with each file id's low byte first.
  private static func bytes(_ path: [UInt16]) -> [UInt8] {
    path.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
  }

  /// DMS Get MSISDN, else record 1 of EF_MSISDN.
  private func numbers(_ opened: OpenDevice) async throws(ModemError) -> [PhoneNumber] {
    var pointer: UnsafePointer<CChar>?
    if let reply = try await askIfKnown("MSISDN", .msisdn, to: opened.dms),
      qmi_message_dms_get_msisdn_output_get_msisdn(reply.pointer, &pointer, nil) != 0, let number = text(pointer)
    {
      return [PhoneNumber(number, source: .dms)]
    }
    guard let record = try await firstRecord(0x6f40, in: [0x3f00, 0x7fff], opened) else { return [] }
    return SIMFile.msisdn(record).map { [PhoneNumber($0, source: .efMsisdn)] } ?? []
  }

  private func firstRecord(
    _ file: UInt16, in path: [UInt16], _ opened: OpenDevice
  ) async throws(ModemError) -> [UInt8]? {
    let about = input(
      qmi_message_uim_get_file_attributes_input_new, qmi_message_uim_get_file_attributes_input_unref
    ) { input in
      withByteArray([]) {
        _ = qmi_message_uim_get_file_attributes_input_set_session(
          input, QMI_UIM_SESSION_TYPE_PRIMARY_GW_PROVISIONING, $0, nil)
      }
      withByteArray(Self.bytes(path)) {
        _ = qmi_message_uim_get_file_attributes_input_set_file(input, file, $0, nil)
      }
    }
    var size: guint16 = 0
    guard let attributes = try await askIfKnown("SIM file attributes", .fileAttributes, to: opened.uim, about),
      qmi_message_uim_get_file_attributes_output_get_file_attributes(
        attributes.pointer, nil, nil, nil, &size, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil) != 0,
      size > 0
    else { return nil }
    let question = input(qmi_message_uim_read_record_input_new, qmi_message_uim_read_record_input_unref) { input in
      withByteArray([]) {
        _ = qmi_message_uim_read_record_input_set_session(
          input, QMI_UIM_SESSION_TYPE_PRIMARY_GW_PROVISIONING, $0, nil)
      }
      withByteArray(Self.bytes(path)) {
        _ = qmi_message_uim_read_record_input_set_file(input, file, $0, nil)
      }
      qmi_message_uim_read_record_input_set_record(input, 1, size, nil)
    }
    guard let reply = try await askIfKnown("SIM record", .readRecord, to: opened.uim, question) else { return nil }
    var content: UnsafeMutablePointer<GArray>?
    guard qmi_message_uim_read_record_output_get_read_result(reply.pointer, &content, nil) != 0 else { return nil }
    return elements(of: content)
  }

  /// NAS Get Home Network. Its codes are numbers; how many digits the MNC has stands in a TLV of its own, else on the SIM.
  private func homeNetwork(_ opened: OpenDevice) async throws(ModemError) -> Network? {
    guard let reply = try await askIfKnown("home network", .homeNetwork, to: opened.nas) else { return nil }
    var (mcc, mnc): (guint16, guint16) = (0, 0)
    var name: UnsafePointer<CChar>?
    guard qmi_message_nas_get_home_network_output_get_home_network(reply.pointer, &mcc, &mnc, &name, nil) != 0 else {
      return nil
    }
    let description = text(name)
    var (is3GPP, hasThreeDigits): (gboolean, gboolean) = (0, 0)
    let isTold =
      qmi_message_nas_get_home_network_output_get_home_network_3gpp_mnc(
        reply.pointer, &is3GPP, &hasThreeDigits, nil) != 0
    var digits: Int? = isTold && is3GPP != 0 ? (hasThreeDigits != 0 ? 3 : 2) : nil
    if digits == nil, mnc < 100 {
      digits = try await read(0x6fad, in: [0x3f00, 0x7fff], opened).flatMap(SIMFile.mncLength)
    }
    return PLMN(mcc: mcc, mnc: mnc, mncDigits: digits).map { Network($0, name: description) }
  }
}

extension PLMN {
  /// Makes a code from QMI's numbers.
  /// - Parameter mncDigits: 2 or 3; nil when the modem does not say: then numbers below 100 have two.
  init?(mcc: UInt16, mnc: UInt16, mncDigits: Int?) {
    guard mcc > 0 else { return nil }
    let digits = mnc > 99 ? 3 : mncDigits ?? 2
    let padded = { (number: UInt16, width: Int) in
      String(repeating: "0", count: max(width - String(number).count, 0)) + String(number)
    }
    self.init(mcc: padded(mcc, 3), mnc: padded(mnc, digits))
  }
}
