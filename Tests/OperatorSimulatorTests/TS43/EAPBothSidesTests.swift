import EAPAKA
import Milenage
import ModemModel
import Testing

@testable import TS43Simulation

/// The SIM's side of EAP against the home network's, which share no code.
@Suite struct EAPBothSidesTests {
  static let imsi = EAPServerTests.imsi

  /// A card that accepts any sequence number above its own.
  struct Card {
    var sequence: UInt64 = 0
    var challenges = 0
    let milenage = Milenage(key: EAPServerTests.entry.key, opc: EAPServerTests.entry.opc)

    mutating func answer(_ challenge: AKAChallenge) -> AKAAnswer? {
      challenges += 1
      let opened = milenage.open(autn: challenge.autn, rand: challenge.rand)
      guard opened.isAuthentic else { return .refused }
      guard HomeRegister.number(opened.sequence) > sequence else {
        let own = (0..<6).reversed().map { UInt8(truncatingIfNeeded: sequence >> ($0 * 8)) }
        return AUTS(milenage.auts(rand: challenge.rand, sequence: own)).map { .synchronise($0) }
      }
      sequence = HomeRegister.number(opened.sequence)
      let vector = milenage.vector(rand: challenge.rand, sequence: opened.sequence, amf: opened.amf)
      return AKAResponse(res: WipedBytes(vector.res), ck: WipedBytes(vector.ck), ik: WipedBytes(vector.ik))
        .map { .response($0) }
    }
  }

  /// What both sides came to, and what the peer said of each packet.
  struct Talk {
    var accepted = false
    var events: [EAPReply.Event] = []
    var kept: EAPReauthentication?
  }

  static func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: 0...255) } }

  static func talk(
    _ settings: EAPServer.Settings, _ register: HomeRegister, _ card: inout Card, kept: EAPReauthentication? = nil,
    reauthenticates: Bool = false
  ) -> Talk {
    var talk = Talk()
    let prefix = settings.method == .aka ? "0" : "6"
    var peer = EAPPeer(
      .init(
        settings.method, permanent: EAPIdentity("\(prefix)\(imsi)@nai.epc.mnc001.mcc001.3gppnetwork.org"),
        reauthenticates: reauthenticates), kept: kept, random: { random($0) })
    var server = EAPServer(settings, register, random: { random($0) })
    var step = server.begin(peer.identity.revealed)
    for _ in 0..<12 {
      let packet: [UInt8]
      switch step {
      case .accepted:
        talk.accepted = true
        talk.kept = peer.kept
        return talk
      case .rejected(let bytes), .send(let bytes): packet = bytes
      }
      let reply: EAPReply
      switch peer.receive(packet: packet) {
      case .answer(let answer): reply = answer
      case .challenge(let challenge):
        guard let answer = card.answer(challenge) else { return talk }
        reply = peer.receive(card: answer)
      }
      talk.events.append(reply.event)
      guard let answer = reply.packet else { return talk }
      step = server.receive(answer)
    }
    return talk
  }

  static let behaviours: [(String, @Sendable (inout EAPServer.Settings) -> Void, [EAPReply.Event])] = [
    ("plain", { _ in }, [.response]),
    ("identities", { $0.identityRequests = [.any, .full, .permanent] }, [.identity, .identity, .identity, .response]),
    ("checkcode without a round", { $0.hasCheckcode = true }, [.response]),
    (
      "checkcode",
      {
        $0.hasCheckcode = true
        $0.identityRequests = [.permanent]
      }, [.identity, .response]
    ),
    ("success told", { $0.confirmsSuccess = true }, [.response, .notification]),
    ("identities given", { $0.givesIdentities = true }, [.response]),
    ("no bidding", { $0.prefersAKAPrime = false }, [.response]),
  ]

  @Test(arguments: EAPMethod.allCases, behaviours.indices)
  func `a login succeeds`(method: EAPMethod, index: Int) {
    let (name, change, events) = Self.behaviours[index]
    var settings = EAPServer.Settings()
    settings.method = method
    change(&settings)
    var card = Card()
    let talk = Self.talk(settings, EAPServerTests.register(), &card)
    #expect(talk.accepted && talk.events == events, "\(name): \(talk.events)")
    #expect(card.challenges == 1)
  }

  @Test(arguments: EAPMethod.allCases)
  func `a card ahead of its network is followed`(method: EAPMethod) {
    var settings = EAPServer.Settings()
    settings.method = method
    var card = Card(sequence: EAPServerTests.entry.sequence + 6400)
    let talk = Self.talk(settings, EAPServerTests.register(), &card)
    #expect(talk.accepted && talk.events == [.synchronisation, .response], "\(talk.events)")
  }

  @Test func `another derivation of keys is asked for, and offered`() {
    var settings = EAPServer.Settings()
    settings.method = .akaPrime
    settings.keyDerivations = [2, 1]
    var card = Card()
    let talk = Self.talk(settings, EAPServerTests.register(), &card)
    #expect(talk.accepted && talk.events.last == .response && card.challenges == 1, "\(talk.events)")
    settings.keyDerivations = [2]
    let other = Self.talk(settings, EAPServerTests.register(), &card)
    #expect(!other.accepted && card.challenges == 1, "\(other.events)")
  }

  @Test(arguments: EAPMethod.allCases)
  func `keys that are kept answer in the card's place`(method: EAPMethod) {
    var settings = EAPServer.Settings()
    settings.method = method
    settings.givesIdentities = true
    settings.confirmsSuccess = true
    let register = EAPServerTests.register()
    var card = Card()
    var kept: EAPReauthentication?
    for round in 0...3 {
      let talk = Self.talk(settings, register, &card, kept: kept, reauthenticates: true)
      #expect(talk.accepted && talk.events.first == (round == 0 ? .response : .reauthentication), "\(talk.events)")
      kept = talk.kept
    }
    #expect(card.challenges == 1)
  }

  /// What a hostile server does, what the peer makes of it, and how often the card is asked.
  static let tamperings: [(EAPServer.Tampering, EAPMethod, EAPReply.Event, Int)] = [
    (.wrongMAC, .aka, .refused, 1), (.wrongMAC, .akaPrime, .refused, 1), (.wrongAUTN, .aka, .rejected, 1),
    (.wrongAUTN, .akaPrime, .rejected, 1), (.unknownAttribute, .aka, .refused, 0), (.wrongLength, .aka, .refused, 0),
    (.cutPacket, .aka, .refused, 0), (.emptyAttribute, .aka, .refused, 0), (.twoChallenges, .aka, .refused, 0),
    (.noChallenge, .aka, .refused, 0), (.noMAC, .aka, .refused, 0), (.noNetworkName, .akaPrime, .rejected, 0),
    (.unseparated, .akaPrime, .rejected, 0), (.endlessIdentities, .aka, .refused, 0), (.failure, .aka, .failure, 0),
  ]

  @Test(arguments: tamperings.indices)
  func `a hostile server gets no answer of the card`(index: Int) {
    let (tampering, method, event, challenges) = Self.tamperings[index]
    var settings = EAPServer.Settings()
    settings.method = method
    settings.tampering = tampering
    var card = Card()
    let talk = Self.talk(settings, EAPServerTests.register(), &card)
    #expect(
      !talk.accepted && talk.events.contains(event) && !talk.events.contains(.response), "\(tampering): \(talk.events)")
    #expect(card.challenges == challenges, "\(tampering)")
  }

  @Test func `a wrong checkcode ends a login before the card is asked, and a second challenge behind its answer`() {
    var settings = EAPServer.Settings()
    settings.hasCheckcode = true
    settings.tampering = .wrongCheckcode
    var card = Card()
    let first = Self.talk(settings, EAPServerTests.register(), &card)
    #expect(!first.accepted && first.events.first == .refused && card.challenges == 0, "\(first.events)")
    settings = EAPServer.Settings()
    settings.tampering = .endlessChallenges
    let second = Self.talk(settings, EAPServerTests.register(), &card)
    #expect(!second.accepted && second.events.prefix(2) == [.response, .refused], "\(second.events)")
    #expect(card.challenges == 1)
  }
}
