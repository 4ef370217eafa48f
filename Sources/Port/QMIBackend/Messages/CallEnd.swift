import CQMI
import ModemModel

extension QMIReply {
  /// Why a data session did not come up or has ended (WDS Start Network and Packet Service Status):
  /// a 3GPP cause if the modem gives one, else its own cause; nil without either.
  func callEnd() throws(ModemError) -> NetworkCause? {
    let verbose = try read(0x11) { field throws(FieldReader.Short) in
      (type: try field.u16(), reason: Int16(bitPattern: try field.u16()))
    }
    if let verbose {
      let type = QmiWdsVerboseCallEndReasonType(rawValue: .init(clamping: verbose.type))
      if type == QMI_WDS_VERBOSE_CALL_END_REASON_TYPE_3GPP, (1...255).contains(verbose.reason) {
        return .session(Int(verbose.reason))
      }
      if let kind = qmi_wds_verbose_call_end_reason_type_get_string(type),
        let words = qmi_wds_verbose_call_end_reason_get_string(type, verbose.reason)
      {
        return NetworkCause(code: nil, text: "\(String(cString: kind)) \(String(cString: words))")
      }
    }
    let short = try read(0x10) { field throws(FieldReader.Short) in try field.u16() }
    guard let short, short != 1 else { return nil }  // 1 is "unspecified".
    let words = qmi_wds_call_end_reason_get_string(QmiWdsCallEndReason(rawValue: .init(clamping: short)))
    return NetworkCause(code: nil, text: words.map { String(cString: $0) } ?? "call end reason \(short)")
  }
}
