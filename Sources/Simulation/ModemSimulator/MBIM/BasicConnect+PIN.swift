extension MBIMEndpoint {
  private enum PINType {
    static let pin1: UInt32 = 2
    static let puk1: UInt32 = 11
  }

  /// MBIM_SET_PIN (MBIM 1.0, 10.5.5).
  func setPIN(_ body: [UInt8], engine: inout ModemEngine) -> MBIMReply {
    var reader = InformationReader(body)
    guard let type = reader.u32(), let operation = reader.u32(), let code = reader.string(),
      let newCode = reader.string()
    else { return .failed(.invalidParameters) }
    let outcome: SIMCard.Outcome?
    switch (type, operation) {
    case (PINType.pin1, 0) where code.isPIN: outcome = engine.withCard { $0.verify(code) }
    case (PINType.pin1, 1) where code.isPIN: outcome = engine.withCard { $0.setPIN(enabled: true, code: code) }
    case (PINType.pin1, 2) where code.isPIN: outcome = engine.withCard { $0.setPIN(enabled: false, code: code) }
    case (PINType.pin1, 3) where code.isPIN && newCode.isPIN:
      outcome = engine.withCard { $0.change(from: code, to: newCode) }
    case (PINType.puk1, 0) where newCode.isPIN: outcome = engine.withCard { $0.unblock(puk: code, newPIN: newCode) }
    case (PINType.pin1, _), (PINType.puk1, _): return .failed(.invalidParameters)
    default: return .failed(.noDeviceSupport)
    }
    guard let outcome, let card = engine.card else { return .failed(engine.mbimSIMStatus) }
    return MBIMReply(status: Self.status(of: outcome), body: card.mbimPIN)
  }

  private static func status(of outcome: SIMCard.Outcome) -> MBIMStatus {
    switch outcome {
    case .done: .success
    case .wrong, .blocked: .pinRequired
    case .disabled: .pinDisabled
    case .notRequired: .operationNotAllowed
    }
  }
}

extension String {
  /// 4 to 8 digits (3GPP TS 31.101, 9.5.1).
  var isPIN: Bool { (4...8).contains(utf8.count) && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}

extension SIMCard {
  /// MBIM_PIN_INFO: the requested code, or PIN1 unlocked.
  var mbimPIN: [UInt8] {
    InformationBuffer.build {
      $0.u32(lock == .puk || lock == .blocked ? 11 : 2)
      $0.u32(lock == .open ? 0 : 1)
      $0.u32(UInt32(max(lock == .puk || lock == .blocked ? pukAttempts : pinAttempts, 0)))
    }
  }

  /// MBIM_PIN_LIST_INFO: PIN1 in use or not, no other code.
  var mbimPINList: [UInt8] {
    InformationBuffer.build { buffer in
      let pin1: [UInt32] = [isPINEnabled ? 1 : 2, 1, 4, 8]
      for value in pin1 + [UInt32](repeating: 0, count: 9 * 4) { buffer.u32(value) }
    }
  }
}
