import ModemModel

/// How MBIMEx 2.0 and 3.0 change messages of the basic service: from the form of MBIM 1.0 to
/// theirs, and back.
extension MBIMEndpoint {
  /// The command in MBIM 1.0's form. Only Connect differs in 3.0: it has TLVs instead of strings,
  /// in another order.
  func plain(_ command: MBIMCommand) -> MBIMCommand {
    guard extensions >= .v3, command.service == .basicConnect, command.cid == BasicConnect.connect.rawValue,
      command.isSet
    else { return command }
    var plain = command
    plain.body = Self.plainConnect(command.body) ?? []
    return plain
  }

  private static func plainConnect(_ body: [UInt8]) -> [UInt8]? {
    var fields = ByteReader(body)
    guard let session = fields.u32(), let activation = fields.u32(), let compression = fields.u32(),
      let authentication = fields.u32(), let type = fields.u32(), let context = fields.take(16),
      fields.u32() != nil, let accessPoint = fields.textTLV(), let user = fields.textTLV(),
      let password = fields.textTLV()
    else { return nil }
    return InformationBuffer.build {
      $0.u32(session)
      $0.u32(activation)
      $0.string(accessPoint)
      $0.string(user)
      $0.string(password)
      $0.u32(compression)
      $0.u32(authentication)
      $0.u32(type)
      $0.uuid(MBIMService(context))
    }
  }

  /// A reply in the form of the version in force.
  func extended(_ reply: MBIMReply, to command: MBIMCommand, engine: ModemEngine) -> MBIMReply {
    guard command.service == .basicConnect, !reply.body.isEmpty else { return reply }
    var extended = reply
    extended.body = self.extended(reply.body, of: command.cid, engine: engine)
    return extended
  }

  /// An indication in the form of the version in force.
  func extended(_ indication: MBIMIndication, engine: ModemEngine) -> MBIMIndication {
    guard indication.service == .basicConnect else { return indication }
    var extended = indication
    extended.body = self.extended(indication.body, of: indication.cid, engine: engine)
    return extended
  }

  private func extended(_ body: [UInt8], of cid: UInt32, engine: ModemEngine) -> [UInt8] {
    guard extensions >= .v2 else { return body }
    let isV3 = extensions >= .v3
    switch BasicConnect(rawValue: cid) {
    case .registerState:
      // PreferredDataClasses: those that the modem has.
      let more = body.inserting(isV3 ? 0x7f : 0xff, at: 48, offsetsAt: [20, 28, 36])
      return isV3 ? more.withClassesV3(at: 12) : more
    case .packetService:
      let classes = body.number(at: 8)
      // FrequencyRange 1 is that below 6 GHz.
      let range = body + UInt32(classes & 0xc0 == 0 ? 0 : 1).littleEndianBytes
      guard isV3 else { return range }
      let subclass: UInt32 = classes & 0x80 != 0 ? 2 : classes & 0x40 != 0 ? 1 : 0
      return range.withClassesV3(at: 8) + subclass.littleEndianBytes + engine.trackingArea
    case .signalState: return body + engine.signalBlock(at: UInt32(body.count + 8), isV3: isV3)
    case .subscriberReadyStatus where isV3:
      let count = Int(body.number(at: 24))
      // Flags: it is known that the SIM can be taken out.
      return body.inserting(6, at: 4, offsetsAt: [4, 12] + (0..<count).map { 28 + 8 * $0 })
    case .connect where isV3:
      // MediaPreference 3GPP, then the access point, which this modem does not report.
      return body + UInt32(1).littleEndianBytes + textTLV("")
    default: return body
    }
  }
}

extension ModemEngine {
  /// MBIM_DEVICE_CAPS_INFO_V2, and with MBIMEx 3.0 its V3.
  func extendedDeviceCaps(_ version: ExtensionsVersion) -> [UInt8] {
    let plain = mbimDeviceCaps
    // ExecutorIndex 0.
    guard version >= .v3 else { return plain.inserting(0, at: 64, offsetsAt: [32, 40, 48, 56]) }
    let classes = plain.number(at: 16)
    // EN-DC and NR.
    let subclasses = UInt64(classes & 0x40 == 0 ? 0 : 1) | (classes & 0x80 == 0 ? 0 : 2)
    let head = Array(plain.prefix(28)).withClassesV3(at: 16) + subclasses.littleEndianBytes + plain[28..<32]
    let bands: ([UInt16]) -> [UInt8] = { bands in
      [11, 0, 0, UInt8(bands.count % 2 * 2)] + UInt32(bands.count * 2).littleEndianBytes
        + bands.flatMap(\.littleEndianBytes) + [UInt8](repeating: 0, count: bands.count % 2 * 2)
    }
    return head + UInt32(0).littleEndianBytes + UInt32(1).littleEndianBytes + bands([1, 3, 7, 20, 28]) + bands([1, 78])
      + ["", configuration.imei, configuration.firmware, configuration.hardware].flatMap(textTLV)
  }

  /// MBIM_TAI: codes as numbers, and a meaningless tracking area.
  fileprivate var trackingArea: [UInt8] {
    let network = isAttached ? registration.serving?.plmn : nil
    let codes = [network?.mcc, network?.mnc].map { UInt16($0 ?? "") ?? 0 }
    return codes.flatMap(\.littleEndianBytes) + UInt32(network == nil ? 0 : 1).littleEndianBytes
  }

  /// Offset and size of the measurements of LTE and 5G, and the measurements; all zero where there
  /// are none.
  fileprivate func signalBlock(at offset: UInt32, isV3: Bool) -> [UInt8] {
    let serving = registration.referenceSignal
    let cells: [[UInt32]] =
      switch registration.technology {
      case .lte: [serving.mbimCell(0x20)]
      // The cell of 5G comes first, for whoever takes the first one.
      case .nrNonStandalone: [network.secondarySignal.mbimCell(0x40), serving.mbimCell(0x20)]
      case .nr: [serving.mbimCell(isV3 ? 0x40 : 0x80)]
      case .gsm, .umts, nil: []
      }
    guard !cells.isEmpty, rssi != nil else { return [UInt8](repeating: 0, count: 8) }
    let numbers: [UInt32] = [offset, UInt32(4 + 20 * cells.count), UInt32(cells.count)] + cells.joined()
    return numbers.flatMap(\.littleEndianBytes)
  }
}

extension ReferenceSignal {
  /// MBIM_RSRP_SNR_INFO of a data class: RSRP in steps of 1 dB, 1 is -156 dBm and 127 unknown; SNR
  /// in steps of 0.5 dB, 1 is -23 dB and 128 unknown; no thresholds.
  fileprivate func mbimCell(_ dataClass: UInt32) -> [UInt32] {
    [rsrp.map { UInt32($0 + 157) } ?? 127, sinr.map { UInt32(2 * $0 + 47) } ?? 128, 0, 0, dataClass]
  }
}

/// A WCHAR_STR TLV: type, padding, length, text (MBIMEx 3.0).
private func textTLV(_ text: String) -> [UInt8] {
  let units = text.utf16.flatMap(\.littleEndianBytes)
  let padding = (4 - units.count % 4) % 4
  return [10, 0, 0, UInt8(padding)] + UInt32(units.count).littleEndianBytes + units
    + [UInt8](repeating: 0, count: padding)
}

extension ByteReader {
  /// Reads a WCHAR_STR TLV.
  fileprivate mutating func textTLV() -> String? {
    guard u16() == 10, u8() != nil, let padding = u8(), let length = u32(), let text = take(Int(length)),
      take(Int(padding)) != nil, text.count.isMultiple(of: 2)
    else { return nil }
    let units = stride(from: text.startIndex, to: text.endIndex, by: 2).map {
      UInt16(littleEndian: text[$0..<$0 + 2])
    }
    return String(decoding: units, as: UTF16.self)
  }
}

extension [UInt8] {
  fileprivate func number(at offset: Int) -> UInt32 { UInt32(littleEndian: self[offset..<offset + 4]) }

  /// Inserts a number, and shifts the offsets behind it.
  fileprivate func inserting(_ number: UInt32, at place: Int, offsetsAt fields: [Int]) -> [UInt8] {
    var result = self
    for field in fields where self.number(at: field) != 0 {
      result.replaceSubrange(field..<field + 4, with: (self.number(at: field) + 4).littleEndianBytes)
    }
    result.insert(contentsOf: number.littleEndianBytes, at: place)
    return result
  }

  /// MBIM_DATA_CLASS_V3 has one bit for 5G in place of two.
  fileprivate func withClassesV3(at place: Int) -> [UInt8] {
    let classes = number(at: place)
    let has5G = classes & 0xc0 != 0
    var result = self
    result.replaceSubrange(place..<place + 4, with: (classes & ~0xc0 | (has5G ? 0x40 : 0)).littleEndianBytes)
    return result
  }
}
