import CMBIM
import GLibBridge
import ModemModel

extension MBIMBackend: MessageBackend {
  /// Asks for the store's state (MBIM_CID_SMS_CONFIGURATION), and selects PDUs if the modem uses
  /// another format.
  package func startMessages() async throws(ModemError) {
    let reply = try await ask("SMS configuration", within: configuration.limits.query) { _, error in
      mbim_message_sms_configuration_query_new(error)
    }
    guard let store = SMSConfiguration(reply.information) else { throw unreadable(reply.name) }
    guard store.isInitialised else {
      throw ModemError(.simNotReady, "SMS configuration: the modem has not read its messages yet")
    }
    guard !store.isPDU else { return }
    _ = try await ask("SMS configuration", within: configuration.limits.query) { _, error in
      mbim_message_sms_configuration_set_new(MBIM_SMS_FORMAT_PDU, "", error)
    }
  }

  package func messages() async throws(ModemError) -> [StoredMessage] {
    try await read(MBIM_SMS_FLAG_ALL).filter(\.isFromNetwork).map(StoredMessage.init)
  }

  package func message(at reference: String) async throws(ModemError) -> StoredMessage? {
    try await read(MBIM_SMS_FLAG_INDEX, at: try place(reference)).first(where: \.isFromNetwork).map(StoredMessage.init)
  }

  package func deleteMessage(at reference: String) async throws(ModemError) {
    let index = try place(reference)
    _ = try await ask("SMS delete", within: configuration.limits.query) { _, error in
      mbim_message_sms_delete_set_new(MBIM_SMS_FLAG_INDEX, index, error)
    }
  }

  package func isMessageStoreFull() async throws(ModemError) -> Bool {
    let reply = try await send("SMS store status", within: configuration.limits.query) { _, error in
      mbim_message_sms_message_store_status_query_new(error)
    }
    guard reply.status == MBIM_STATUS_ERROR_NONE else { return false }
    return SMSStoreStatus(reply.information)?.isFull ?? false
  }

  private func read(_ flag: MbimSmsFlag, at index: UInt32 = 0) async throws(ModemError) -> [SMSRecords.Record] {
    let reply = try await ask("SMS read", within: configuration.limits.query) { _, error in
      mbim_message_sms_read_query_new(MBIM_SMS_FORMAT_PDU, flag, index, error)
    }
    guard let found = SMSRecords(reply.information) else { throw unreadable(reply.name) }
    return found.records
  }

  private func unreadable(_ name: String) -> ModemError {
    ModemError(.badReply, "\(name): the modem's answer points outside itself or is not a PDU")
  }

  private func place(_ reference: String) throws(ModemError) -> UInt32 {
    guard reference.hasPrefix("store/"), let index = UInt32(reference.dropFirst(6)) else {
      throw ModemError(.failed, "SMS: the message has no place in this modem's store")
    }
    return index
  }
}

extension StoredMessage {
  init(_ record: SMSRecords.Record) {
    self.init(reference: "store/\(record.index)", pdu: MessagePDU(record.pdu))
  }
}

extension [MessageEvent] {
  /// Reads an indication of the SMS service; empty for other services and for indications that
  /// cannot be read.
  init(_ message: OpaquePointer) {
    self = []
    guard mbim_message_get_message_type(message) == MBIM_MESSAGE_TYPE_INDICATE_STATUS,
      mbim_message_indicate_status_get_service(message) == MBIM_SERVICE_SMS
    else { return }
    var length: UInt32 = 0
    guard let bytes = mbim_message_indicate_status_get_raw_information_buffer(message, &length) else { return }
    let information = [UInt8](UnsafeBufferPointer(start: bytes, count: Int(length)))
    switch mbim_message_indicate_status_get_cid(message) {
    case UInt32(MBIM_CID_SMS_CONFIGURATION.rawValue): self = [.storeChanged]
    case UInt32(MBIM_CID_SMS_READ.rawValue):
      // Messages of class 0 arrive only this way.
      self = (SMSRecords(information)?.records ?? []).filter(\.isFromNetwork).map {
        .passedOn(StoredMessage(reference: "", pdu: MessagePDU($0.pdu), isStored: false))
      }
    case UInt32(MBIM_CID_SMS_MESSAGE_STORE_STATUS.rawValue):
      guard let status = SMSStoreStatus(information) else { return }
      if let index = status.newIndex { append(.stored(reference: "store/\(index)")) }
      if status.isFull { append(.storeFull) }
    default: break
    }
  }
}
