import Milenage
import ModemModel
import Testing

@testable import EAPAKA

/// The subscriber of the tests.
enum Subscriber {
  static let network = "WLAN"
  static let realm = "nai.epc.mnc001.mcc001.3gppnetwork.org"
  /// 3GPP TS 35.208, set 1.
  static let milenage = Milenage(
    key: [0x46, 0x5b, 0x5c, 0xe8, 0xb1, 0x99, 0xb4, 0x9f, 0xaa, 0x5f, 0x0a, 0x2e, 0xe2, 0x38, 0xa6, 0xbc],
    opc: [0xcd, 0x63, 0xcb, 0x71, 0x95, 0x4a, 0x9f, 0x4e, 0x48, 0xa5, 0x99, 0x4e, 0x37, 0xa0, 0x2b, 0xaf])
  static let auts = [UInt8](1...14)

  static func identity(_ method: EAPMethod) -> EAPIdentity {
    EAPIdentity("\(method == .aka ? 0 : 6)001010123456063@\(realm)")
  }
}

/// What the card does with a challenge.
enum CardBehaviour: Sendable {
  /// Answers, with RES of so many bytes.
  case answers(Int)
  /// Answers with another CK than the server has.
  case hasOtherKeys
  case refuses
  case isOutOfStep
}

/// A server and a card around the peer under test.
struct Login {
  let method: EAPMethod
  var peer: EAPPeer
  /// Of the next request.
  var identifier: UInt8 = 1
  /// How often the card was asked.
  private(set) var cardCalls = 0
  /// The keys that the server has since its last challenge.
  private(set) var keys: LoginKeys?
  private(set) var last: EAPReply?
  /// The one before.
  private(set) var previous: EAPReply?
  /// What the last request was, for tests that send it again.
  private(set) var request: [UInt8] = []

  init(
    _ method: EAPMethod, kept: EAPReauthentication? = nil, random: [UInt8]? = nil,
    _ configure: (inout EAPPeer.Configuration) -> Void = { _ in }
  ) {
    var configuration = EAPPeer.Configuration(method, permanent: Subscriber.identity(method))
    configure(&configuration)
    self.method = method
    peer = EAPPeer(configuration, kept: kept) { random ?? (0..<$0).map { UInt8(0x40 + $0) } }
  }

  /// Hands the peer a packet; a card that would be asked refuses.
  @discardableResult
  mutating func send(_ packet: [UInt8], card: CardBehaviour = .refuses) throws -> EAPReply {
    request = packet
    previous = last
    switch peer.receive(packet: packet) {
    case .answer(let reply): last = reply
    case .challenge(let challenge):
      cardCalls += 1
      last = peer.receive(card: try Self.answer(card, challenge))
    }
    identifier &+= 1
    let reply = try #require(last)
    for challenge in peer.asked where reply.event != .response {
      #expect(!(reply.packet ?? []).contains(Subscriber.milenage.f2(rand: challenge.rand)), "RES left the peer")
    }
    return reply
  }

  @discardableResult
  mutating func send(_ draft: Draft, _ keys: SessionKeys? = nil, nonce: [UInt8] = []) throws -> EAPReply {
    try send(try draft.packet(identifier: identifier, keys, nonce: nonce))
  }

  static func answer(_ card: CardBehaviour, _ challenge: AKAChallenge) throws -> AKAAnswer {
    switch card {
    case .answers(let count): return .response(try response(challenge, count))
    case .hasOtherKeys:
      let right = try response(challenge, 8)
      return .response(try #require(AKAResponse(res: right.res, ck: right.ik, ik: right.ck)))
    case .refuses: return .refused
    case .isOutOfStep: return .synchronise(try #require(AUTS(Subscriber.auts)))
    }
  }

  static func response(_ challenge: AKAChallenge, _ count: Int = 8) throws -> AKAResponse {
    let res = (Subscriber.milenage.f2(rand: challenge.rand) + [UInt8](repeating: 0xee, count: 8)).prefix(count)
    let right = try Card.response(Subscriber.milenage, challenge)
    return try #require(AKAResponse(res: WipedBytes(res), ck: right.ck, ik: right.ik))
  }

  // MARK: Messages

  /// A challenge, changed before its AT_MAC is made, and damaged behind.
  @discardableResult
  mutating func challenge(
    card: CardBehaviour = .answers(8), sequence: UInt8 = 0x20, amf: [UInt8] = [0x80, 0],
    _ change: (inout Draft, LoginKeys) throws -> Void = { _, _ in }, damage: (inout [UInt8]) -> Void = { _ in }
  ) throws -> EAPReply {
    var challenge = try Challenge(method, sequence: sequence, amf: amf)
    let keys = try loginKeys(challenge.vector)
    self.keys = keys
    try change(&challenge.draft, keys)
    var packet = try challenge.draft.packet(identifier: identifier, keys.session)
    damage(&packet)
    return try send(packet, card: card)
  }

  private func loginKeys(_ challenge: AKAChallenge) throws -> LoginKeys {
    let (response, identity) = (try Self.response(challenge), Array(peer.sent.revealed.utf8))
    guard method == .akaPrime else { return try LoginKeys(identity: identity, ck: response.ck, ik: response.ik) }
    return try LoginKeys(
      identity: identity, ck: response.ck, ik: response.ik, networkName: Array(Subscriber.network.utf8),
      autn: challenge.autn)
  }

  /// An AKA-Identity with these requests.
  @discardableResult
  mutating func identify(_ requests: AttributeType...) throws -> EAPReply {
    var draft = Draft(method, .identity)
    for request in requests { try draft.add(request) }
    return try send(draft)
  }

  /// An AKA-Notification.
  ///
  /// - Parameters:
  ///   - isProtected: whether it has AT_MAC.
  ///   - counter: what is encrypted in it; nil for nothing.
  @discardableResult
  mutating func notify(
    _ number: UInt16, isProtected: Bool = false, counter: UInt16? = nil, damage: (inout [UInt8]) -> Void = { _ in }
  ) throws -> EAPReply {
    var draft = Draft(method, .notification)
    try draft.add(.notification, number)
    let session = try isProtected ? #require(keys ?? fast).session : nil
    if let counter, let session {
      var inner = Draft(method, .notification)
      try inner.add(.counter, counter)
      try draft.add(encrypted: inner, session)
    }
    if isProtected { try draft.add(.mac, [UInt8](repeating: 0, count: 16)) }
    var packet = try draft.packet(identifier: identifier, session)
    damage(&packet)
    return try send(packet)
  }

  /// The keys of an earlier login, in logins that re-authenticate.
  var fast: LoginKeys?
}

// MARK: Fast re-authentication

extension Login {
  static let fastIdentity = EAPIdentity("4fast@\(Subscriber.realm)")
  static let pseudonym = EAPIdentity("2pseudonym@\(Subscriber.realm)")
  static let nonce = [UInt8](0x70..<0x80)

  /// A login of a SIM that has logged in before.
  ///
  /// - Parameter counter: the least that the server may use.
  static func again(
    _ method: EAPMethod, counter: UInt16 = 1, hasFast: Bool = true, hasPseudonym: Bool = true,
    random: [UInt8]? = nil
  ) throws -> Login {
    let secret = WipedBytes([UInt8](repeating: 0x5a, count: 16))
    let keys =
      method == .aka
      ? try LoginKeys(identity: [1], ck: secret, ik: secret)
      : try LoginKeys(identity: [1], ck: secret, ik: secret, networkName: [2], autn: [UInt8](repeating: 3, count: 16))
    var kept = EAPReauthentication(method: method, permanent: Subscriber.identity(method))
    if hasPseudonym { kept.pseudonym = pseudonym }
    if hasFast { kept.fast = .init(identity: fastIdentity, counter: counter, keys: keys.session) }
    var login = Login(method, kept: kept, random: random) { $0.reauthenticates = true }
    login.fast = keys
    return login
  }

  /// An AKA-Reauthentication, changed inside or outside before its AT_MAC is made, and damaged
  /// behind.
  @discardableResult
  mutating func reauthenticate(
    counter: UInt16 = 1, _ change: (inout Draft) throws -> Void = { _ in },
    inside: (inout Draft) throws -> Void = { _ in }, damage: (inout [UInt8]) -> Void = { _ in }
  ) throws -> EAPReply {
    let session = try #require(fast).session
    var inner = Draft(method, .reauthentication)
    try inner.add(.counter, counter)
    try inner.add(.nonce, Self.nonce)
    try inside(&inner)
    var draft = Draft(method, .reauthentication)
    try draft.add(encrypted: inner, session, unpadded: inner.attributes.contains { $0[0] == 6 })
    try draft.add(.mac, [UInt8](repeating: 0, count: 16))
    try change(&draft)
    var packet = try draft.packet(identifier: identifier, session)
    damage(&packet)
    return try send(packet)
  }
}
