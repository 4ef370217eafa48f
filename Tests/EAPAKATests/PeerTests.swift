import ModemModel
import Testing

@testable import EAPAKA

/// What rows of a table do not show.
@Suite("The peer", .timeLimit(.minutes(1)))
struct PeerTests {
  @Test("No bit of a challenge can be changed so that RES leaves", arguments: EAPMethod.allCases)
  func bits(_ method: EAPMethod) throws {
    var whole = Login(method)
    try whole.challenge { draft, _ in
      try draft.add(.checkcode)
      try draft.add(.resultIndication)
    }
    #expect(whole.last?.event == .response)
    for place in whole.request.indices {
      for bit in 0..<8 {
        var (packet, login) = (whole.request, Login(method))
        packet[place] ^= 1 << bit
        let reply = try login.send(packet, card: .answers(8))
        #expect(reply.event != .response, "byte \(place), bit \(bit)")
      }
    }
  }

  @Test("A challenge cut anywhere is refused without the card", arguments: EAPMethod.allCases)
  func cuts(_ method: EAPMethod) throws {
    var whole = Login(method)
    try whole.challenge()
    for count in 0..<whole.request.count {
      var login = Login(method)
      var packet = Array(whole.request.prefix(count))
      if count >= 4 { packet.replaceSubrange(2..<4, with: [0, UInt8(count)]) }
      let reply = try login.send(packet, card: .answers(8))
      #expect([.refused, .rejected].contains(reply.event))
      #expect(login.cardCalls == 0)
    }
  }

  @Test("A packet while the card is asked, and an answer of the card that nobody waits for")
  func outOfTurn() throws {
    var peer = EAPPeer(.init(.aka, permanent: Subscriber.identity(.aka)), random: { _ in [] })
    let challenge = try Challenge(.aka)
    let answer = AKAAnswer.response(try Login.response(challenge.vector))
    #expect(peer.receive(card: answer) == EAPReply(.refused, text: EAPRefusal.cardIsNotAsked.text))
    let packet = try challenge.packet(identifier: 1)
    #expect(peer.receive(packet: packet) == .challenge(challenge.vector))
    let busy = EAPPeer.Step.answer(EAPReply(.refused, text: EAPRefusal.cardIsAsked.text))
    #expect(peer.receive(packet: packet) == busy)
    #expect(peer.receive(packet: [4, 1, 0, 4]) == busy)
    #expect(peer.receive(card: .refused).event == .rejected)
    #expect(peer.receive(card: answer).text == EAPRefusal.cardIsNotAsked.text)
  }

  @Test("Events come with what belongs to them")
  func events() throws {
    var login = Login(.akaPrime)
    #expect(try login.challenge(card: .isOutOfStep).networkName == "WLAN")
    #expect(try login.challenge(sequence: 0x21).networkName == "WLAN")
    #expect(try login.notify(1031, isProtected: true).notification == 1031)
    var strange = Login(.akaPrime)
    try strange.challenge(card: .isOutOfStep) { draft, _ in
      try draft.set(.keyDerivationInput, [0x1b, 0x5b, 0xff, 0x41])
    }
    #expect(strange.last?.networkName == "?[?A")
    var bidding = Login(.aka)
    try bidding.challenge { draft, _ in try draft.add(.bidding, 0x8000) }
    #expect(bidding.last?.event == .response)
    #expect(bidding.last?.text != nil)
    // A message for people (RFC 3748, 5.2) is answered and not shown.
    let reply = try bidding.send([1, 9, 0, 8, 2, 0x1b, 0x5b, 0x41])
    #expect(reply.packet == [2, 9, 0, 5, 2])
    #expect(reply.event == .notification)
    #expect(reply.notification == nil)
  }

  @Test("Each refusal has one sentence of its own, with nothing personal")
  func sentences() {
    let all: [EAPRefusal] = [
      .tooLong, .length, .code(2), .otherMethod(18, .aka), .changedMethod(18), .subtype(0), .attributeLength(1),
      .unknownAttribute(7), .misplacedAttribute(3), .doubledAttribute(1), .missingAttribute(.mac),
      .unexpected(.identity), .unexpectedIdentityRequest, .unexpectedSuccess, .otherIdentifier, .cardIsAsked,
      .cardIsNotAsked, .tooManyMessages, .identityRequests, .identityOrder, .identityLength,
      .repeatedChallenge, .checkcode, .mac, .notification(1), .counter, .stillOutOfStep, .noNetworkName,
      .otherNetworkName, .noKeyDerivation, .changedKeyDerivation, .noSeparation, .biddingDown, .card, .library,
    ]
    #expect(Set(all.map(\.text)).count == all.count)
    for refusal in all {
      #expect(refusal.text.hasSuffix("."))
      #expect(refusal.text.first?.isUppercase == true || refusal.text.hasPrefix("libcrypto"))
    }
    for type in AttributeType.allCases { #expect(type.name.hasPrefix("AT_")) }
    #expect(AttributeType.name(of: 7) == "attribute 7")
  }

  @Test("Neither keys nor identities are printed")
  func redaction() throws {
    var login = try Login.again(.aka)
    try login.challenge { draft, keys in
      var inner = Draft(.aka, .challenge)
      try inner.add(.nextReauthenticationIdentity, Array("4next".utf8))
      try draft.add(encrypted: inner, keys.session)
    }
    let kept = try #require(login.peer.kept)
    var text = "\(kept) \(String(reflecting: kept)) \(login.peer.state) \(login.peer.identity) \(login.peer.sent)"
    dump(kept, to: &text)
    dump(login.peer.state, to: &text)
    for secret in ["4next", "2pseudonym", "4fast", "001010123456063"] { #expect(!text.contains(secret)) }
    let key = try #require(kept.fast).keys.authentication.revealed
    #expect(!text.contains("\(key[0]), \(key[1])"))
  }
}
