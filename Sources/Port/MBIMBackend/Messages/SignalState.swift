import CMBIM
import ModemModel

/// The content of a Signal State (MBIM_CID_SIGNAL_STATE; MBIMEx 2.0 appends measurements of LTE and
/// 5G cells, MBIM_RSRP_SNR_INFO).
struct SignalState {
  /// dBm; nil if the modem does not know it.
  let rssi: Int?
  private let cells: [MbimRsrpSnrInfo]

  init(_ reply: MBIMReply) throws(ModemError) {
    var coded: UInt32 = 99
    var count: UInt32 = 0
    var list: UnsafeMutablePointer<MbimRsrpSnrInfoArray?>?
    defer { mbim_rsrp_snr_info_array_free(list) }
    try reply.read { message, error in
      reply.extensions >= .v2
        ? mbim_message_ms_basic_connect_v2_signal_state_response_parse(
          message, &coded, nil, nil, nil, nil, &count, &list, error)
        : mbim_message_signal_state_response_parse(message, &coded, nil, nil, nil, nil, error)
    }
    rssi = dBm(codedStrength: coded)
    cells = list.map { list in (0..<Int(count)).compactMap { list[$0]?.pointee } } ?? []
  }

  /// The measurements of the cell that a modem with this technology is registered with. MBIM has no
  /// RSRQ.
  ///
  /// - Parameter technology: nil if the modem is not registered; then any cell counts, LTE first.
  func referenceSignal(for technology: Registration.Technology?) -> ReferenceSignal {
    // Before MBIMEx 3.0, 5G has two bits; after it, one of them.
    let (lte, nr) = (MBIM_DATA_CLASS_LTE.rawValue, MBIM_DATA_CLASS_5G_NSA.rawValue | MBIM_DATA_CLASS_5G_SA.rawValue)
    let order: [MbimDataClass.RawValue] =
      switch technology {
      case .gsm, .umts: []
      case .lte, .nrNonStandalone: [lte]
      case .nr: [nr]
      case nil: [lte, nr]
      }
    for system in order {
      let cell = cells.first { MbimDataClass.RawValue(truncatingIfNeeded: $0.system_type) & system != 0 }
      if let cell { return ReferenceSignal(cell) }
    }
    return .none
  }
}

extension ReferenceSignal {
  /// Reads MBIM_RSRP_SNR_INFO, whose codes are those of 3GPP TS 38.133, tables 10.1.6.1-1 and
  /// 10.1.16.1-1: RSRP in steps of 1 dB, 1 is -156 dBm and 127 unknown; SNR in steps of 0.5 dB, 1
  /// is -23 dB and 128 unknown. 0 is "below"; a structure full of zeros measured nothing.
  fileprivate init(_ cell: MbimRsrpSnrInfo) {
    guard cell.rsrp != 0 else {
      self = .none
      return
    }
    self.init(
      rsrp: cell.rsrp < 127 ? Double(cell.rsrp) - 157 : nil,
      sinr: cell.snr < 128 ? max(Double(cell.snr) / 2 - 23.5, -23) : nil)
  }
}

/// Reads the coded signal strength that MBIM shares with +CSQ (3GPP TS 27.007, 8.5): 0 to 31 in
/// steps of 2 dB from -113 dBm; 99 is unknown.
private func dBm(codedStrength: UInt32) -> Int? {
  (0...31).contains(codedStrength) ? -113 + 2 * Int(codedStrength) : nil
}
