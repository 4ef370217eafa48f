/// UIM: the card, its files and its PIN.
extension QMIEndpoint {
  func userIdentity(
    _ request: QMIRequest, _ client: inout Client, engine: inout ModemEngine, details: inout QMITLVs
  ) throws(QMIError) -> QMITLVs {
    guard !engine.configuration.hasOldSIMCommands || request.message == 0 else { throw .invalidQMICommand }
    if let fields = try Self.authentication(request, engine: &engine, details: &details) { return fields }
    switch request.message {
    case 0x00: return QMITLVs()  // Reset
    case 0x20, 0x21, 0x24: return try readFile(request, engine: engine, details: &details)
    case 0x25...0x28: return try givePIN(request, engine: &engine, details: &details)
    case 0x2e:
      guard var field = request.fields[1], let mask = field.u32() else { throw .missingArgument }
      client.wantsCardStatus = mask & 1 != 0
      client.wantsSlotStatus = mask & 0x10 != 0
      var fields = QMITLVs()
      fields.add(0x10, mask & 0x11)
      return fields
    case 0x2f: return engine.takesFalseAbsence() ? engine.withoutCard.qmiCardStatus : engine.qmiCardStatus
    case 0x46: return try Self.switchSlot(request, engine: &engine)
    case 0x47: return try Self.slotStatus(engine)
    default: throw .invalidQMICommand
    }
  }

  // MARK: Files

  private func readFile(
    _ request: QMIRequest, engine: ModemEngine, details: inout QMITLVs
  ) throws(QMIError) -> QMITLVs {
    guard request.fields[1] != nil, var file = request.fields[2], let id = file.u16(), let length = file.u8(),
      let bytes = file.take(Int(length)), bytes.count.isMultiple(of: 2)
    else { throw .missingArgument }
    guard let card = engine.card else { throw .deviceNotReady }
    let path = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
      UInt16(littleEndian: bytes[$0..<$0 + 2])
    }
    do {
      let fields = try read(request, card, id, path)
      details = fields
      return fields
    } catch let words as SIMFile.StatusWords {
      details.add(0x10, [words.sw1, words.sw2])
      throw words == .securityNotSatisfied
        ? .accessDenied : words == .fileNotFound ? .simFileNotFound : .invalidArgument
    } catch {
      throw error as? QMIError ?? .internal
    }
  }

  private func read(_ request: QMIRequest, _ card: SIMCard, _ id: UInt16, _ path: [UInt16]) throws -> QMITLVs {
    var fields = QMITLVs()
    fields.add(0x10, [SIMFile.StatusWords.done.sw1, SIMFile.StatusWords.done.sw2])
    if request.message == 0x24 {
      fields.add(0x11, try card.file(id, in: path).qmiAttributes)
      return fields
    }
    guard var range = request.fields[3], let first = range.u16(), let length = range.u16() else {
      throw QMIError.missingArgument
    }
    let data =
      request.message == 0x20
      ? try card.readBinary(id, in: path, offset: Int(first), length: Int(length))
      : try card.readRecord(id, in: path, number: Int(first))
    fields.add(0x11, UInt16(data.count).littleEndianBytes + data)
    return fields
  }

  // MARK: PIN

  private func givePIN(
    _ request: QMIRequest, engine: inout ModemEngine, details: inout QMITLVs
  ) throws(QMIError) -> QMITLVs {
    guard request.fields[1] != nil, var field = request.fields[2], let id = field.u8() else { throw .missingArgument }
    guard id == 1 else { throw .invalidPINID }
    let isEnabling = request.message == 0x25 ? field.u8() : nil
    guard let code = field.prefixedText() else { throw .malformedMessage }
    let newCode = request.message >= 0x27 ? field.prefixedText() : nil
    let outcome = engine.withCard { card -> SIMCard.Outcome in
      switch request.message {
      case 0x25: card.setPIN(enabled: isEnabling == 1, code: code)
      case 0x26: card.verify(code)
      case 0x27: card.unblock(puk: code, newPIN: newCode ?? "")
      default: card.change(from: code, to: newCode ?? "")
      }
    }
    guard let outcome, let card = engine.card else { throw .deviceNotReady }
    details.add(0x10, [UInt8(max(card.pinAttempts, 0)), UInt8(max(card.pukAttempts, 0))])
    switch outcome {
    case .done: return details
    case .wrong: throw card.lock == .puk ? .pinBlocked : .incorrectPIN
    case .blocked: throw card.lock == .blocked ? .pinAlwaysBlocked : .pinBlocked
    case .disabled, .notRequired: throw .noEffect
    }
  }
}

extension ByteReader {
  /// Text behind its length in one byte.
  fileprivate mutating func prefixedText() -> String? {
    guard let length = u8(), let bytes = take(Int(length)) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension SIMFile {
  /// Size, identifier, type, records, then five access conditions of logic and attributes, then the
  /// raw answer (none).
  fileprivate var qmiAttributes: [UInt8] {
    let (size, type, recordSize, recordCount): (Int, UInt8, Int, Int) =
      switch content {
      case .transparent(let bytes): (bytes.count, 0, 0, 0)
      case .records(let records): (records.joined().count, 2, records[0].count, records.count)
      }
    let always: [UInt8] = [0, 0, 0]
    let withPIN: [UInt8] = [4, 1, 0]
    let never: [UInt8] = [1, 0, 0]
    return UInt16(size).littleEndianBytes + id.littleEndianBytes + [type] + UInt16(recordSize).littleEndianBytes
      + UInt16(recordCount).littleEndianBytes + (needsPIN ? withPIN : always) + never + never + never + never + [0, 0]
  }
}

extension ModemEngine {
  /// Get Card Status: one slot, one USIM.
  var qmiCardStatus: QMITLVs {
    var fields = QMITLVs()
    let none: [UInt8] = [0xff, 0xff]
    switch slot {
    case .empty:
      fields.add(0x10, none + none + none + none + [1, 0, 0, 0, 0, 0, 0])
    case .initialising(let card):
      fields.add(0x10, none + none + none + none + [1, 1, 0, 0, 0, 0, 1] + card.qmiApplication(state: 1))
    case .ready(let card) where card.sim.condition == .broken:
      fields.add(0x10, none + none + none + none + [1, 2, 0, 0, 0, 2, 0])
    case .ready(let card):
      let state: UInt8 =
        switch card.lock {
        case .open where card.sim.condition == .notActivated: 6
        case .open: 7
        case .pin: 2
        case .puk: 3
        case .blocked: 5
        }
      fields.add(0x10, [0, 0] + none + none + none + [1, 1, 0, 0, 0, 0, 1] + card.qmiApplication(state: state))
    }
    return fields
  }
}

extension SIMCard {
  /// The identifier of the USIM application.
  static let applicationID: [UInt8] = [0xa0, 0x00, 0x00, 0x00, 0x87, 0x10, 0x02, 0xff, 0x49, 0xff, 0x05, 0x89]

  /// A USIM application: type, state, personalisation, application id, PIN1 and PIN2.
  fileprivate func qmiApplication(state: UInt8) -> [UInt8] {
    let pinState: UInt8 =
      switch lock {
      case .open: isPINEnabled ? 2 : 3
      case .pin: 1
      case .puk: 4
      case .blocked: 5
      }
    return [2, state, state == 7 ? 2 : 0, 0, 0, 0, UInt8(Self.applicationID.count)] + Self.applicationID
      + [0, pinState, UInt8(max(pinAttempts, 0)), UInt8(max(pukAttempts, 0)), 2, 3, 10]
  }
}
