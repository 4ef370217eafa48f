import CGLib
import CQMI
import ModemModel

/// The card and application that the modem uses, out of a UIM Get Card Status.
struct CardStatus {
  /// The SIM's state, attempts and slot.
  let sim: SIMStatus
  /// Whether the application waits for the universal PIN in place of its PIN1.
  let usesUniversalPIN: Bool

  private typealias Card = QmiMessageUimGetCardStatusOutputCardStatusCardsElement
  private typealias Application = QmiMessageUimGetCardStatusOutputCardStatusCardsElementApplicationsElement

  /// Reads a reply; nil where it carries no card status.
  init?(_ reply: QMIReply) {
    var index: UInt16 = 0xffff
    var array: UnsafeMutablePointer<GArray>?
    guard
      qmi_message_uim_get_card_status_output_get_card_status(reply.pointer, &index, nil, nil, nil, &array, nil) != 0
    else { return nil }
    let cards = elements(of: array, as: Card.self)
    // The index names slot and application; not the first application, which on some SIMs is not the one in use.
    let slot = index == 0xffff ? nil : Int(index >> 8)
    if let slot, cards.indices.contains(slot) {
      let applications = elements(of: cards[slot].applications, as: Application.self)
      let number = Int(index & 0xff)
      self.init(cards[slot], applications.indices.contains(number) ? applications[number] : nil, slot: slot)
      return
    }
    guard let present = cards.firstIndex(where: { $0.card_state != QMI_UIM_CARD_STATE_ABSENT }) else {
      self.init(SIMStatus(state: .absent), usesUniversalPIN: false)
      return
    }
    let application = elements(of: cards[present].applications, as: Application.self)
      .first { $0.type == QMI_UIM_CARD_APPLICATION_TYPE_USIM || $0.type == QMI_UIM_CARD_APPLICATION_TYPE_SIM }
    self.init(cards[present], application, slot: present)
  }

  private init(_ sim: SIMStatus, usesUniversalPIN: Bool) {
    self.sim = sim
    self.usesUniversalPIN = usesUniversalPIN
  }

  private init(_ card: Card, _ application: Application?, slot: Int) {
    usesUniversalPIN = application.map { $0.upin_replaces_pin1 != 0 } ?? false
    let state = Self.state(card, application)
    let retries: UInt8? =
      switch state {
      case .pinRequired: usesUniversalPIN ? card.upin_retries : application?.pin1_retries
      case .pukRequired: usesUniversalPIN ? card.upuk_retries : application?.puk1_retries
      default: nil
      }
    sim = SIMStatus(state: state, retriesLeft: retries.map(Int.init), slot: state == .absent ? nil : slot + 1)
  }

  private static func state(_ card: Card, _ application: Application?) -> SIMStatus.State {
    switch card.card_state {
    case QMI_UIM_CARD_STATE_ABSENT: return .absent
    case QMI_UIM_CARD_STATE_ERROR:
      return card.error_code == QMI_UIM_CARD_ERROR_POSSIBLY_REMOVED ? .absent : .failed
    default: break
    }
    guard let application else { return .initialising }
    return switch application.state {
    case QMI_UIM_CARD_APPLICATION_STATE_READY: .ready
    case QMI_UIM_CARD_APPLICATION_STATE_PIN1_OR_UPIN_PIN_REQUIRED: .pinRequired
    case QMI_UIM_CARD_APPLICATION_STATE_PUK1_OR_UPIN_PUK_REQUIRED: .pukRequired
    case QMI_UIM_CARD_APPLICATION_STATE_PIN1_BLOCKED, QMI_UIM_CARD_APPLICATION_STATE_ILLEGAL: .failed
    case QMI_UIM_CARD_APPLICATION_STATE_CHECK_PERSONALIZATION_STATE: personalization(application)
    default: .initialising
    }
  }

  /// A device that is locked to another operator asks for a code that modemd does not have.
  private static func personalization(_ application: Application) -> SIMStatus.State {
    switch application.personalization_state {
    case QMI_UIM_CARD_APPLICATION_PERSONALIZATION_STATE_CODE_REQUIRED,
      QMI_UIM_CARD_APPLICATION_PERSONALIZATION_STATE_PUK_CODE_REQUIRED,
      QMI_UIM_CARD_APPLICATION_PERSONALIZATION_STATE_PERMANENTLY_BLOCKED:
      .failed
    default: .initialising
    }
  }
}
