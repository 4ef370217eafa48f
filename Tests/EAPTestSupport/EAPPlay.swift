import EAPAKA
import ModemModel

/// A server that breaks every rule, a card, and the peer between them, with what the peer promises:
/// what the fuzz target and its short form among the tests share.
package struct EAPPlay: Sendable {
  /// What the server sends.
  package struct Move: Hashable, Sendable {
    package var message: Message
    /// In their order, after the message is made.
    package var edits: [Edit] = []
    /// Whether the packet's length is set after that.
    package var hasLength = true
    /// Whether AT_MAC is made after that, with the right keys.
    package var isSigned = true
    package var card = Card.answers

    package init(_ message: Message, edits: [Edit] = []) {
      self.message = message
      self.edits = edits
    }
  }

  package enum Message: Hashable, Sendable {
    case template(Template)
    case raw([UInt8])
  }

  /// A change of bytes; places behind the end are the end.
  package enum Edit: Hashable, Sendable {
    case set(at: Int, UInt8)
    case flip(at: Int, UInt8)
    case insert(at: Int, [UInt8])
    case remove(at: Int, Int)
  }

  package enum Card: Int, Hashable, Sendable, CaseIterable {
    case answers
    case hasOtherKeys
    case isOutOfStep
    case refuses
  }

  package let method: EAPMethod
  package private(set) var peer: EAPPeer
  /// What broke a promise, in words.
  package private(set) var faults: [String] = []
  package private(set) var events: [EAPReply.Event] = []

  /// Of the earlier login.
  let fast: SessionKeys?
  /// Of this login's challenge.
  var session: SessionKeys?
  var identifier: UInt8 = 0
  private var cardCalls = 0
  private var requests = 0
  private var last: [UInt8] = []

  /// - Parameter hasLoggedIn: whether an earlier login left a pseudonym and an identity for fast
  ///   re-authentication.
  package init(_ method: EAPMethod, hasLoggedIn: Bool = false) throws(EAPRefusal) {
    self.method = method
    let configuration = EAPPeer.Configuration(
      method, permanent: EAPIdentity("0\(Self.digits)@realm"), reauthenticates: hasLoggedIn)
    peer = EAPPeer(configuration) { [UInt8](repeating: 7, count: $0) }
    guard hasLoggedIn else {
      fast = nil
      return
    }
    var earlier = EAPPlay(method, peer)
    try earlier.play(Move(.template(.givingChallenge)))
    fast = earlier.session
    peer = EAPPeer(configuration, kept: earlier.peer.kept) { [UInt8](repeating: 7, count: $0) }
  }

  private init(_ method: EAPMethod, _ peer: EAPPeer) {
    self.method = method
    self.peer = peer
    fast = nil
  }

  /// Sends one packet, twice if it is answered.
  package mutating func play(_ move: Move) throws(EAPRefusal) {
    let (packet, isSigned) = try packet(of: move)
    identifier &+= 1
    let reply = receive(packet, move.card)
    check(reply, to: packet, isSigned: isSigned, move.card)
    guard reply.packet != nil else { return }
    let calls = cardCalls
    if receive(packet, move.card) != reply { faults.append("another answer to the same packet") }
    if cardCalls != calls { faults.append("the card was asked twice for the same packet") }
  }

  private mutating func receive(_ packet: [UInt8], _ card: Card) -> EAPReply {
    switch peer.receive(packet: packet) {
    case .answer(let reply): return reply
    case .challenge:
      cardCalls += 1
      return peer.receive(card: Self.answer(card))
    }
  }

  private mutating func check(_ reply: EAPReply, to packet: [UInt8], isSigned: Bool, _ card: Card) {
    func promise(_ holds: Bool, _ text: String) { if !holds { faults.append(text) } }
    events.append(reply.event)
    requests += packet.count > 1 && packet[0] == 1 && packet != last ? 1 : 0
    last = packet
    promise(cardCalls <= EAPPeer.challengeLimit, "the card was asked \(cardCalls) times")
    if reply.event == .response {
      promise(isSigned && card == .answers, "RES left without the server's proof")
    } else {
      promise(!(reply.packet ?? []).contains(Self.res), "RES left with \(reply.event)")
    }
    promise(!(reply.packet ?? []).contains(Self.key), "a key left")
    if requests > EAPPeer.messageLimit {
      promise([.refused, .success, .failure].contains(reply.event), "more requests are answered than the limit")
    }
    if let answer = reply.packet {
      promise(answer.count >= 5 && answer[0] == 2 && answer[1] == packet[1], "an answer to another request")
      promise(answer.count == Int(answer[2]) << 8 | Int(answer[3]), "an answer with a wrong length")
      promise([1, 2, 3, method.type].contains(answer[4]), "an answer of an unknown type")
      if answer[4] == method.type { promise(Self.hasWholeAttributes(answer), "an answer with a torn attribute") }
    } else {
      promise([.success, .failure, .refused].contains(reply.event), "no answer with \(reply.event)")
    }
    for text in [reply.text, reply.networkName].compactMap(\.self) {
      promise(text.utf8.count <= 1024, "a long text")
      promise(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }, "a control character in a text")
      promise(!text.contains(Self.digits), "the IMSI in a text")
    }
  }

  private static func hasWholeAttributes(_ packet: [UInt8]) -> Bool {
    var place = 8
    while place + 1 < packet.count, packet[place + 1] > 0 { place += Int(packet[place + 1]) * 4 }
    return place == packet.count
  }
}

// MARK: The card

extension EAPPlay {
  private static let digits = "001010123456063"
  static let res: [UInt8] = [0x91, 0xe3, 0x54, 0x0b, 0xc7, 0x7a, 0x28, 0x6d]
  private static let key = [UInt8](0xa0..<0xb0)

  static let keys = (ck: WipedBytes(key), ik: WipedBytes(key.reversed()))

  private static func answer(_ card: Card) -> AKAAnswer {
    let (ck, ik) = card == .answers ? keys : (keys.ik, keys.ck)
    switch card {
    case .answers, .hasOtherKeys:
      return AKAResponse(res: WipedBytes(res), ck: ck, ik: ik).map { .response($0) } ?? .refused
    case .isOutOfStep: return AUTS([UInt8](1...14)).map { .synchronise($0) } ?? .refused
    case .refuses: return .refused
    }
  }
}
