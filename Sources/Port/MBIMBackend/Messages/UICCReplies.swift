import CMBIM
import ModemModel

/// SIM cards' answers through Microsoft's UICC low level access.
enum UICCReply {
  /// The identifiers of a card's applications.
  struct Applications {
    /// The one in use; nil if the modem uses none.
    let active: [UInt8]?
    let all: [[UInt8]]
  }

  /// Reads the list of applications (MBIM_CID_MS_UICC_APP_LIST).
  static func applications(_ reply: MBIMReply) throws(ModemError) -> Applications {
    var (count, active): (UInt32, UInt32) = (0, 0)
    var applications: UnsafeMutablePointer<UnsafeMutablePointer<MbimUiccApplication>?>?
    try reply.read {
      mbim_message_ms_uicc_low_level_access_application_list_response_parse(
        $0, nil, &count, &active, nil, &applications, $1)
    }
    defer { mbim_uicc_application_array_free(applications) }
    let all = (0..<Int(count)).map { index in
      applications?[index].map {
        Array(UnsafeBufferPointer(start: $0.pointee.application_id, count: Int($0.pointee.application_id_size)))
      }
    }
    return Applications(active: active < count ? all[Int(active)] : nil, all: all.compactMap(\.self))
  }

  /// The number of records in a file (MBIM_CID_MS_UICC_FILE_STATUS); nil if the card refuses, and
  /// for a file without records.
  static func recordCount(_ reply: MBIMReply) throws(ModemError) -> UInt32? {
    var (first, count): (UInt32, UInt32) = (0, 0)
    var structure = MBIM_UICC_FILE_STRUCTURE_UNKNOWN
    try reply.read {
      mbim_message_ms_uicc_low_level_access_file_status_response_parse(
        $0, nil, &first, nil, nil, nil, &structure, &count, nil, nil, nil, nil, nil, $1)
    }
    return isDone(first) && structure == MBIM_UICC_FILE_STRUCTURE_LINEAR ? count : nil
  }

  /// A file (MBIM_CID_MS_UICC_READ_BINARY); nil if the card refuses.
  static func file(_ reply: MBIMReply) throws(ModemError) -> [UInt8]? {
    var (first, size): (UInt32, UInt32) = (0, 0)
    var data: UnsafePointer<UInt8>?
    try reply.read {
      mbim_message_ms_uicc_low_level_access_read_binary_response_parse($0, nil, &first, nil, &size, &data, $1)
    }
    return isDone(first) ? Array(UnsafeBufferPointer(start: data, count: Int(size))) : nil
  }

  /// A record (MBIM_CID_MS_UICC_READ_RECORD); nil if the card refuses.
  static func record(_ reply: MBIMReply) throws(ModemError) -> [UInt8]? {
    var (first, size): (UInt32, UInt32) = (0, 0)
    var data: UnsafePointer<UInt8>?
    try reply.read {
      mbim_message_ms_uicc_low_level_access_read_record_response_parse($0, nil, &first, nil, &size, &data, $1)
    }
    return isDone(first) ? Array(UnsafeBufferPointer(start: data, count: Int(size))) : nil
  }

  /// Reads the first status word (ETSI TS 102 221, 10.2.1). 91, 92 and 9F are 90 with additional
  /// information.
  private static func isDone(_ first: UInt32) -> Bool { [0x90, 0x91, 0x92, 0x9f].contains(first) }
}
