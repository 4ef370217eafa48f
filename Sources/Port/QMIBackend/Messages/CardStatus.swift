import CardCommands
import ModemModel

/// The cards and their applications (UIM Get Card Status, and its indication).
struct CardStatus: Sendable {
  /// A PIN's state (1 enabled, 2 verified, 3 disabled, 4 blocked, 5 blocked for ever) and the
  /// attempts left.
  struct Lock: Sendable {
    var state: UInt8
    var pinRetries: Int
    var pukRetries: Int
  }

  struct Card: Sendable {
    /// 0 absent, 1 present, 2 in error.
    var state: UInt8
    /// The PIN that all applications of the card may share.
    var universal: Lock
    var error: UInt8
    var applications: [Application]
  }

  struct Application: Sendable {
    /// 1 is a SIM, 2 a USIM.
    var type: UInt8
    /// 2 and 3 wait for PIN1 and PUK1, 5 is blocked, 6 refused by the network, 7 ready; other
    /// states are still starting.
    var state: UInt8
    /// From 3 on, it waits for a code from the operator.
    var personalisation: UInt8
    /// Empty if the modem does not give it.
    var identifier: [UInt8]
    var usesUniversalPIN: Bool
    var pin1: Lock
  }

  /// The application that the modem uses: card in the high byte, application in the low one; nil if
  /// it uses none.
  var provisioned: (card: Int, application: Int)?
  var cards: [Card]

  init(_ reply: QMIReply) throws(ModemError) {
    (provisioned, cards) = try reply.require(0x10) { field throws(FieldReader.Short) in
      let index = try field.u16()
      _ = try field.bytes(6)
      let cards = try field.array { field throws(FieldReader.Short) in try Card(&field) }
      return (index == 0xffff ? nil : (Int(index >> 8), Int(index & 0xff)), cards)
    }
  }

  /// The card in use, else the first one that is present, else the first.
  private var cardIndex: Int? {
    if let provisioned, cards.indices.contains(provisioned.card) { return provisioned.card }
    return cards.firstIndex { $0.state == 1 } ?? cards.indices.first
  }

  private var application: Application? {
    guard let provisioned else { return lockedApplication }
    guard cards.indices.contains(provisioned.card),
      cards[provisioned.card].applications.indices.contains(provisioned.application)
    else { return nil }
    return cards[provisioned.card].applications[provisioned.application]
  }

  /// Some modems use no application before its PIN is entered. Then it is the first telephony
  /// application that waits for a code.
  private var lockedApplication: Application? {
    cardIndex.flatMap { cards[$0].applications.first { (1...2).contains($0.type) && [2, 3, 5].contains($0.state) } }
  }

  /// Whether the card's universal PIN must be entered.
  var usesUniversalPIN: Bool { application?.usesUniversalPIN ?? false }

  /// The identifier of the USIM on the card in use, or of what all USIMs begin with.
  var usim: [UInt8] {
    CardApplication.usim(
      active: application?.identifier, among: cardIndex.map { cards[$0].applications.map(\.identifier) } ?? [])
  }

  /// The physical slot, from 1.
  var slot: Int? { cardIndex.map { $0 + 1 } }

  /// What prevents the use of the SIM, with the attempts left if it is a PIN or PUK.
  var status: SIMStatus {
    guard let cardIndex else { return SIMStatus(state: .absent) }
    let card = cards[cardIndex]
    let (state, retries) = Self.state(of: card, application)
    return SIMStatus(state: state, retriesLeft: retries, slot: cardIndex + 1)
  }

  private static func state(of card: Card, _ application: Application?) -> (SIMStatus.State, retries: Int?) {
    switch card.state {
    case 0: return (.absent, nil)
    case 1: break
    // Error 6 is "possibly removed".
    case 2: return (card.error == 6 ? .absent : .failed, nil)
    default: return (.unknown, nil)
    }
    guard let application else { return (.initialising, nil) }
    let lock = application.usesUniversalPIN ? card.universal : application.pin1
    switch application.state {
    case 2: return (.pinRequired, lock.pinRetries)
    case 3: return lock.pukRetries > 0 ? (.pukRequired, lock.pukRetries) : (.failed, nil)
    case 4: return (application.personalisation >= 3 ? .failed : .initialising, nil)
    case 5: return lock.state == 4 && lock.pukRetries > 0 ? (.pukRequired, lock.pukRetries) : (.failed, nil)
    case 6: return (.failed, nil)
    case 7: return (.ready, nil)
    default: return (.initialising, nil)
    }
  }
}

extension CardStatus.Card {
  init(_ field: inout FieldReader) throws(FieldReader.Short) {
    state = try field.u8()
    universal = try CardStatus.Lock(&field)
    error = try field.u8()
    applications = try field.array { field throws(FieldReader.Short) in try CardStatus.Application(&field) }
  }
}

extension CardStatus.Application {
  init(_ field: inout FieldReader) throws(FieldReader.Short) {
    type = try field.u8()
    state = try field.u8()
    personalisation = try field.u8()
    _ = try field.bytes(3)
    identifier = try field.array { field throws(FieldReader.Short) in try field.u8() }
    usesUniversalPIN = try field.u8() != 0
    pin1 = try CardStatus.Lock(&field)
    _ = try CardStatus.Lock(&field)
  }
}

extension CardStatus.Lock {
  init(_ field: inout FieldReader) throws(FieldReader.Short) {
    state = try field.u8()
    pinRetries = Int(try field.u8())
    pukRetries = Int(try field.u8())
  }
}
