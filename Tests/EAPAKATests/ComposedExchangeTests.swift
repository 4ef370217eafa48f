import JSONTree
import Milenage
import ModemModel
import Testing
import VectorSupport

@testable import EAPAKA

/// Vectors that are whole packets.
@Suite("Packets of the vectors", .timeLimit(.minutes(1)))
struct ComposedExchangeTests {
  @Test("Login and fast re-authentication", arguments: TS43Vectors.members("composed_exchanges"))
  func composed(_ member: TS43Vectors.Member) throws {
    guard let recording = Recording(member) else { return }
    let value = member.value
    let response = try Card.response(of: value)
    let (identity, name) = (recording.permanent, value["network_name"]?.string)
    let configuration = EAPPeer.Configuration(
      recording.method, permanent: identity, networkName: name, reauthenticates: true)
    let random: @Sendable (Int) -> [UInt8] = { count in (0..<count).map { UInt8($0 + 0x40) } }
    var peer = EAPPeer(configuration, random: random)
    #expect(peer.identity == identity)

    #expect(peer.receive(packet: recording.packets[0]) == .answer(EAPReply(.identity, packet: recording.packets[1])))
    let checkcode = try peer.rounds.checkcode(recording.method)
    #expect(checkcode == value.bytes("checkcode"))
    let challenge = AKAChallenge(
      rand: try #require(value.bytes("rand")), autn: try #require(value.bytes("autn")))
    #expect(peer.receive(packet: recording.packets[2]) == .challenge(try #require(challenge)))
    #expect(
      peer.receive(card: .response(response))
        == EAPReply(.response, packet: recording.packets[3], networkName: name))

    let keys: LoginKeys
    let text = Array(identity.revealed.utf8)
    if let name {
      keys = try LoginKeys(
        identity: text, ck: response.ck, ik: response.ik, networkName: Array(name.utf8),
        autn: try #require(challenge).autn)
    } else {
      keys = try LoginKeys(identity: text, ck: response.ck, ik: response.ik)
    }
    expect(keys, try #require(value["keys"]))
    let realm = identity.revealed.drop { $0 != "@" }
    #expect(peer.kept?.pseudonym?.revealed == (value["next_pseudonym"]?.string).map { $0 + realm })
    #expect(peer.kept?.fast?.identity.revealed == value["next_reauth_id"]?.string)
    #expect(peer.kept?.fast?.keys == keys.session)

    guard let fast = value["fast_reauth"] else { return }
    let request = try #require(fast.bytes("server"))
    var again = EAPPeer(configuration, kept: peer.kept, random: random)
    #expect(again.identity.revealed == value["next_reauth_id"]?.string)
    let answer = try #require(fast.bytes("peer_with_iv_40_4f"))
    #expect(again.receive(packet: request) == .answer(EAPReply(.reauthentication, packet: answer)))
    let opened = try Reauthentication(request, keys.session)
    #expect(Int(opened.counter) == fast["counter"]?.integer)
    #expect(opened.nonce == fast.bytes("nonce_s"))
    #expect(try opened.master(value["next_reauth_id"]?.string) == fast.bytes("msk"))
  }

  @Test("Android's own tests", .enabled(if: TS43Vectors.has("eap_aka_aosp"), "the file has no section eap_aka_aosp"))
  func android() throws {
    let value = try #require(TS43Vectors.section("eap_aka_aosp"))
    let configuration = EAPPeer.Configuration(
      .aka, permanent: EAPIdentity(try #require(value["identity"]?.string)), reauthenticates: true)
    let request = try #require(value.bytes("challenge"))
    let question = try #require(value.bytes("sim_request_data"))
    for (card, packet) in [("card_answer", "response"), ("card_sync_answer", "sync_response")] {
      var peer = EAPPeer(configuration, random: { [UInt8](repeating: 0, count: $0) })
      guard case .challenge(let challenge) = peer.receive(packet: request) else {
        Issue.record("the card is not asked")
        return
      }
      #expect([16] + challenge.rand + [16] + challenge.autn == question)
      let reply = peer.receive(card: try Card.answer(try #require(value.bytes(card))))
      #expect(reply.packet == value.bytes(packet))
      // `decrypted` has AT_NEXT_PSEUDONYM: a length, and the name.
      guard packet == "response" else { continue }
      guard let name = value["decrypted"]?.items.first?.items.last?.string else { continue }
      let text = try #require(Hexadecimal.bytes(of: name)).dropFirst(2).dropLast()
      #expect(peer.kept?.pseudonym?.revealed.hasPrefix(String(decoding: text, as: UTF8.self) + "@nai.") == true)
    }
  }

  @Test("Fixed packets", .enabled(if: TS43Vectors.has("fixed_packets"), "the file has no section fixed_packets"))
  func fixed() throws {
    let section = try #require(TS43Vectors.section("fixed_packets"))
    func packet(_ name: String) throws -> [UInt8] { try #require(section.bytes(name)) }
    func answer(_ method: EAPMethod, _ packets: [UInt8]...) -> EAPReply? {
      let identity = "0234107813240779@nai.epc.mnc010.mcc234.3gppnetwork.org"
      var peer = EAPPeer(.init(method, permanent: EAPIdentity(identity)), random: { _ in [] })
      var last: EAPReply?
      for packet in packets {
        switch peer.receive(packet: packet) {
        case .answer(let reply): last = reply
        case .challenge: last = peer.receive(card: .refused)
        }
      }
      return last
    }
    let identity = answer(.aka, try packet("request_identity"))?.packet
    // The vector's identifier is that of another request.
    #expect(identity?.dropFirst(4) == (try packet("response_identity")).dropFirst(4))
    let aka = try Challenge(.aka).packet(identifier: 2)
    #expect(answer(.aka, aka)?.packet == (try packet("aka_authentication_reject_id2")))
    #expect(
      answer(.akaPrime, try Challenge(.akaPrime).packet(identifier: 2))?.packet == (try packet("aka_prime_reject_id2")))
    #expect(answer(.aka, [1, 2, 0, 8, 23, 1, 0, 0])?.packet == (try packet("aka_client_error_0_id2")))
    #expect(answer(.aka, [1, 5, 0, 5, 50])?.packet == (try packet("nak_to_aka_id5")))
    #expect(answer(.akaPrime, [1, 5, 0, 5, 23])?.packet == (try packet("nak_to_aka_prime_id5")))
    let notification = answer(.aka, try packet("notification_general_failure_16384_id3"))
    #expect(notification?.packet == (try packet("notification_answer_id3")))
    #expect(notification?.notification == 16384)
    #expect(try EAPPacket(packet("success_id7")) == .success(identifier: 7))
    #expect(answer(.aka, try packet("failure_id7")) == EAPReply(.failure))
  }
}
