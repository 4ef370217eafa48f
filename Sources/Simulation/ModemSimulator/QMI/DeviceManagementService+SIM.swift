/// DMS: the SIM, for firmware from before the service UIM.
extension QMIEndpoint {
  /// Nil for what is no command about the SIM.
  static func oldSIM(
    _ request: QMIRequest, engine: inout ModemEngine, details: inout QMITLVs
  ) throws(QMIError) -> QMITLVs? {
    guard [0x28, 0x2b, 0x3c, 0x43, 0x44].contains(request.message) else { return nil }
    guard engine.configuration.hasOldSIMCommands else { throw .invalidQMICommand }
    if request.message == 0x44 {
      var fields = QMITLVs()
      fields.add(1, [engine.oldSIMState])
      return fields
    }
    guard let card = engine.card else { throw engine.hasCard ? .uimUninitialized : .noSIM }
    var fields = QMITLVs()
    switch request.message {
    case 0x28: try verify(request, engine: &engine, details: &fields, failed: &details)
    case 0x2b: fields.add(0x11, [card.oldPINStatus] + card.attempts)
    case 0x3c: fields.add(1, text: card.sim.iccid)
    default:
      guard card.lock == .open else { throw .deviceNotReady }
      fields.add(1, text: card.sim.imsi)
    }
    return fields
  }

  private static func verify(
    _ request: QMIRequest, engine: inout ModemEngine, details: inout QMITLVs, failed: inout QMITLVs
  ) throws(QMIError) {
    guard var field = request.fields[1], field.u8() == 1, let length = field.u8(),
      let code = field.take(Int(length))
    else { throw .missingArgument }
    let text = String(decoding: code, as: UTF8.self)
    guard let outcome = engine.withCard({ $0.verify(text) }), let card = engine.card else { throw .deviceNotReady }
    details.add(0x10, card.attempts)
    failed = details
    switch outcome {
    case .done: return
    case .wrong: throw card.lock == .puk ? .pinBlocked : .incorrectPIN
    case .blocked: throw .pinBlocked
    case .disabled, .notRequired: throw .noEffect
    }
  }
}

extension SIMCard {
  fileprivate var attempts: [UInt8] { [UInt8(max(pinAttempts, 0)), UInt8(max(pukAttempts, 0))] }

  fileprivate var oldPINStatus: UInt8 {
    switch lock {
    case .open: isPINEnabled ? 2 : 3
    case .pin: 1
    case .puk: 4
    case .blocked: 5
    }
  }
}

extension ModemEngine {
  fileprivate var hasCard: Bool { if case .empty = cards.current { false } else { true } }

  fileprivate var oldSIMState: UInt8 {
    switch cards.current {
    case .empty: 2
    case .initialising: 0xff
    case .ready(let card): card.lock == .open ? 0 : 1
    }
  }
}
