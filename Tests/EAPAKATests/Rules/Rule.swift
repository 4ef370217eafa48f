import ModemModel
import Testing

@testable import EAPAKA

/// A row of a table: what comes, and what is answered to the last of it.
struct Rule: Sendable, CustomTestStringConvertible {
  let name: String
  let method: EAPMethod
  let answer: Answer
  /// How often the card is asked.
  let cardCalls: Int
  let run: @Sendable (inout Login) throws -> Void

  init(
    _ name: String, _ method: EAPMethod, _ answer: Answer, cards cardCalls: Int = 0,
    _ run: @escaping @Sendable (inout Login) throws -> Void
  ) {
    self.name = name
    self.method = method
    self.answer = answer
    self.cardCalls = cardCalls
    self.run = run
  }

  /// Of EAP-AKA.
  init(
    _ name: String, _ answer: Answer, cards cardCalls: Int = 0,
    _ run: @escaping @Sendable (inout Login) throws -> Void
  ) {
    self.init(name, .aka, answer, cards: cardCalls, run)
  }

  var testDescription: String { name + (method == .aka ? "" : " (EAP-AKA′)") }

  enum Answer: Sendable {
    /// AKA-Client-Error, code 0.
    case clientError(EAPRefusal)
    /// AKA-Authentication-Reject.
    case reject(EAPRefusal)
    case nak(EAPRefusal)
    /// Nothing is sent.
    case silence(EAPRefusal)
    /// A packet with these attributes, without AT_MAC.
    case plain(EAPReply.Event, [UInt8])
    /// A packet with these attributes and a right AT_MAC behind them.
    case protected(EAPReply.Event, [UInt8])
    /// EAP-Response/Identity with this text.
    case identity(EAPIdentity)
    /// The packet that the peer sent before.
    case again
    case end(EAPReply.Event)
  }

  func check(_ login: Login) throws {
    let reply = try #require(login.last)
    let (identifier, packet) = (login.request.dropFirst().first ?? 0, reply.packet)
    let type = method.type
    switch answer {
    case .clientError(let refusal):
      #expect(reply.event == .refused)
      #expect(packet == [2, identifier, 0, 12, type, 14, 0, 0, 22, 1, 0, 0])
      #expect(reply.text == refusal.text)
    case .reject(let refusal):
      #expect(reply.event == .rejected)
      #expect(packet == [2, identifier, 0, 8, type, 2, 0, 0])
      #expect(reply.text == refusal.text)
    case .nak(let refusal):
      #expect(reply.event == .refused)
      #expect(packet == [2, identifier, 0, 6, 3, type])
      #expect(reply.text == refusal.text)
    case .silence(let refusal):
      #expect(reply.event == .refused)
      #expect(packet == nil)
      #expect(reply.text == refusal.text)
    case .plain(let event, let data):
      #expect(reply.event == event)
      #expect(packet == EAPPacket.composed(2, identifier, type: type, data))
    case .protected(let event, let data):
      #expect(reply.event == event)
      let keys = try #require(login.keys ?? login.fast).session
      let blank = EAPPacket.composed(
        2, identifier, type: type, data + [11, 5, 0, 0] + [UInt8](repeating: 0, count: 16))
      let nonce = event == .reauthentication ? Login.nonce : []
      #expect(packet == blank.dropLast(16) + (try keys.code(of: blank, nonce: nonce)).revealed)
    case .identity(let identity):
      #expect(
        reply == EAPReply(.identity, packet: EAPPacket.composed(2, identifier, type: 1, Array(identity.revealed.utf8))))
    case .again:
      #expect(reply == login.previous)
    case .end(let event): #expect(reply == EAPReply(event))
    }
    #expect(login.cardCalls == cardCalls, "questions to the card")
  }
}

extension [UInt8] {
  /// The attributes of an AKA-Identity with this identity.
  static func identity(_ identity: EAPIdentity) throws -> [UInt8] {
    var text = AttributeText()
    try text.add(.identity, Array(identity.revealed.utf8))
    return [AKASubtype.identity.rawValue, 0, 0] + text.bytes
  }

  /// The attributes of an AKA-Challenge with RES, filled to whole words.
  static func res(_ res: [UInt8]) -> [UInt8] {
    let filled = res + [UInt8](repeating: 0, count: (4 - res.count % 4) % 4)
    return [AKASubtype.challenge.rawValue, 0, 0, 3, UInt8(1 + filled.count / 4), 0, UInt8(res.count * 8)] + filled
  }

  /// Of the tests' subscriber and the first challenge.
  static let res = res(Subscriber.milenage.f2(rand: [UInt8](repeating: 0x20, count: 16)))
  static let secondRes = res(Subscriber.milenage.f2(rand: [UInt8](repeating: 0x21, count: 16)))
}
