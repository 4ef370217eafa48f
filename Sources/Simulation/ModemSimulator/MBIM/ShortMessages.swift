/// The commands of the service SMS (MBIM 1.0, table 10-3).
enum ShortMessages: UInt32, Sendable, CaseIterable {
  case configuration = 1
  case read
  case send
  case delete
  case storeStatus
}

extension MBIMEndpoint {
  mutating func shortMessages(_ command: MBIMCommand, engine: inout ModemEngine) -> MBIMReply {
    guard let cid = ShortMessages(rawValue: command.cid) else { return .failed(.noDeviceSupport) }
    guard engine.openCard != nil else { return .failed(engine.mbimSIMStatus) }
    var reader = InformationReader(command.body)
    switch (cid, command.isSet) {
    case (.configuration, false): return .success(engine.mbimSMSConfiguration)
    case (.configuration, true):
      guard reader.u32() == 0 else { return .failed(.smsFormatNotSupported) }
      return .success(engine.mbimSMSConfiguration)
    case (.read, false):
      guard let format = reader.u32(), let flag = reader.u32(), let index = reader.u32() else {
        return .failed(.invalidParameters)
      }
      guard format == 0 else { return .failed(.smsFormatNotSupported) }
      return read(flag: flag, index: index, engine: &engine)
    case (.delete, true):
      guard let flag = reader.u32(), let index = reader.u32() else { return .failed(.invalidParameters) }
      let isGone = engine.messages.remove { $0.isMeant(by: flag, index) }
      return isGone || flag != 1 ? .success([]) : .failed(.invalidParameters)
    case (.storeStatus, false): return .success(engine.mbimSMSStoreStatus(newIndex: nil))
    default: return .failed(.noDeviceSupport)
    }
  }

  private func read(flag: UInt32, index: UInt32, engine: inout ModemEngine) -> MBIMReply {
    let found = engine.messages.entries.filter { $0.isMeant(by: flag, index) }
    guard !found.isEmpty || flag != 1 else { return .failed(.invalidParameters) }
    // A message that was read is no longer new (3GPP TS 27.005, 3.4.2).
    for entry in found { engine.messages.markRead(entry.index) }
    return .success(MBIMSMSRecords(found.map { ($0.index, $0.isRead ? 1 : 0, $0.pdu) }).bytes)
  }

  static func messageIndications(for event: ModemEvent, engine: ModemEngine) -> [MBIMIndication] {
    let indicate = { (cid: ShortMessages, body: [UInt8]) in
      [MBIMIndication(service: .sms, cid: cid.rawValue, body: body)]
    }
    switch event {
    case .messageStored(let index): return indicate(.storeStatus, engine.mbimSMSStoreStatus(newIndex: index))
    case .messageStoreFull: return indicate(.storeStatus, engine.mbimSMSStoreStatus(newIndex: nil))
    case .messagePassedOn(let pdu, _): return indicate(.read, MBIMSMSRecords([(0, 0, pdu)]).bytes)
    case .sim: return engine.openCard == nil ? [] : indicate(.configuration, engine.mbimSMSConfiguration)
    default: return []
    }
  }
}

extension MessageStore.Entry {
  /// MBIM_SMS_FLAG: 0 all, 1 index, 2 new, 3 old; there are no drafts (4) and sent ones (5).
  fileprivate func isMeant(by flag: UInt32, _ index: UInt32) -> Bool {
    switch flag {
    case 0: true
    case 1: self.index == index
    case 2: !isRead
    case 3: isRead
    default: false
    }
  }
}

/// MBIM_SMS_READ_INFO (MBIM 1.0, 10.5.35).
struct MBIMSMSRecords {
  let bytes: [UInt8]

  init(_ records: [(index: UInt32, status: UInt32, pdu: [UInt8])]) {
    bytes = InformationBuffer.build { buffer in
      buffer.u32(0)
      buffer.u32(UInt32(records.count))
      for (index, status, pdu) in records {
        var record = InformationBuffer()
        record.u32(index)
        record.u32(status)
        record.reference(pdu)
        record.u32(UInt32(pdu.count))
        buffer.structure(record)
      }
    }
  }
}

extension ModemEngine {
  /// MBIM_SMS_CONFIGURATION_INFO (MBIM 1.0, 10.5.34).
  fileprivate var mbimSMSConfiguration: [UInt8] {
    InformationBuffer.build {
      $0.u32(1)
      $0.u32(0)
      $0.u32(UInt32(messages.capacity))
      $0.u32(0)
      $0.string("+491710760000")
    }
  }

  /// MBIM_SMS_STATUS_INFO (MBIM 1.0, 10.5.38).
  fileprivate func mbimSMSStoreStatus(newIndex: UInt32?) -> [UInt8] {
    InformationBuffer.build {
      $0.u32((messages.isFull ? 1 : 0) | (newIndex == nil ? 0 : 2))
      $0.u32(newIndex ?? 0)
    }
  }
}
