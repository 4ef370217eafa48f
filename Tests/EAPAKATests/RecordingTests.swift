import JSONTree
import Milenage
import ModemModel
import Testing
import VectorSupport

@testable import EAPAKA

/// Logins that took place elsewhere, byte for byte.
@Suite("Recorded logins", .timeLimit(.minutes(1)))
struct RecordingTests {
  static let hostapd = TS43Vectors.members("captured_from_hostapd_2_10", "exchanges").compactMap { Recording($0) }
  static let transcript = part("hostapd_2_10")
  static let entitlementServer = part("ts43_test_ecs_defaults")

  /// The recordings in a part of the transcript.
  private static func part(_ name: String) -> [Recording] {
    guard case .object(let members)? = TS43Vectors.transcript[name] else { return [] }
    return members.sorted { $0.key < $1.key }.compactMap { Recording(.init(name: $0.key, value: $0.value)) }
  }

  @Test("hostapd 2.10", arguments: hostapd)
  func replayHostapd(_ recording: Recording) throws {
    // Another file may have another card.
    let source = TS43Vectors.section("captured_from_hostapd_2_10")?["source"]?.string
    try replayWithKeys(recording, Card.named(in: source) ?? Card.recorded)
  }

  @Test("hostapd 2.10, of the transcript", arguments: transcript)
  func replayTranscript(_ recording: Recording) throws { try replayWithKeys(recording) }

  @Test("ts43-test-ecs", arguments: entitlementServer)
  func replayEntitlementServer(_ recording: Recording) throws { try replayWithKeys(recording) }

  @Test("The transcript has what these tests are for")
  func count() {
    #expect(Self.transcript.count == 15)
    #expect(Self.entitlementServer.count == 7)
  }

  @Test(
    "ts43-test-ecs, with other settings",
    arguments: ["first_exchange", "ts43_test_ecs_phone_number_verification_by_override"])
  func others(_ name: String) throws {
    let value = try #require(TS43Vectors.transcript[name])
    try replayWithKeys(try #require(Recording(.init(name: name, value: value))))
  }

  /// Four logins of one SIM: what the first leaves is what the second and the third begin with.
  @Test("ts43-test-ecs with pseudonyms, re-authentication and result indications", arguments: EAPMethod.allCases)
  func pseudonyms(_ method: EAPMethod) throws {
    let part = TS43Vectors.transcript["ts43_test_ecs_pseudonyms_reauth_result_indications"]
    let logins = try #require(part?[method == .aka ? "aka" : "aka_prime"])
    func recording(_ name: String) throws -> (Recording, identity: String) {
      let value = try #require(logins[name])
      // The identity is in the first request to the server.
      let request = try #require(value["http"]?.items.first?["request"]?.string)
      let query = try #require(request.split(separator: "EAP_ID=").dropFirst().first)
      let identity = String(query.prefix { $0 != "&" }).split(separator: "%40").joined(separator: "@")
      return (try #require(Recording(.init(name: name, value: value))), identity)
    }
    let (full, identity) = try recording("full")
    #expect(identity == full.permanent.revealed)
    let first = try full.replay()
    #expect(first.events == [.response, .notification])
    let kept = try #require(first.peer?.kept)

    let (fast, fastIdentity) = try recording("reauth")
    #expect(kept.fast?.identity.revealed == fastIdentity)
    let second = try fast.replay(kept: kept)
    #expect(second.events == [.reauthentication, .notification])

    // The client of this recording had used that identity, and the server asked for another.
    let (spent, spentIdentity) = try recording("identity")
    #expect(kept.fast?.identity.revealed == spentIdentity)
    #expect(try spent.replay(kept: kept).events == [.identity, .response, .notification])

    let (unknown, unknownIdentity) = try recording("unknown")
    var strange = EAPReauthentication(method: method, permanent: unknown.permanent)
    strange.pseudonym = EAPIdentity(unknownIdentity)
    #expect(try unknown.replay(kept: strange).events == [.identity, .response, .notification])
  }

  /// Fast re-authentication has the keys of an earlier login.
  private func replayWithKeys(_ recording: Recording, _ milenage: Milenage = Card.recorded) throws {
    let value = recording.value
    let replay = try recording.replay(kept: try kept(recording), milenage)
    if let card = replay.card, value["keys"]?["k_aut"] != nil {
      let keys = try Self.keys(recording, card, replay.networkName)
      expect(keys, try #require(value["keys"]))
      if let master = value.bytes("msk") { #expect(keys.master.revealed == master) }
      if let bytes = value.bytes("card") ?? value.bytes("card_answer") {
        #expect(try Card.answer(bytes) == .response(card.response))
      }
    }
    switch value["result"]?.string {
    case "accept"?: #expect(replay.events.last == .success)
    case "reject"?: #expect(replay.events.last == .failure)
    default: break
    }
    guard replay.events.contains(.reauthentication) else { return }
    #expect(replay.card == nil)
    let request = try #require(recording.packets.first { $0[0] == 1 })
    let session = try Self.session(recording)
    #expect(try Reauthentication(request, session).master(recording.value["identity"]?.string) == value.bytes("msk"))
  }

  /// What the client of a recording had of an earlier login, as its first identity tells.
  private func kept(_ recording: Recording) throws -> EAPReauthentication? {
    guard let name = recording.value["identity"]?.string, name != recording.permanent.revealed else { return nil }
    var kept = EAPReauthentication(method: recording.method, permanent: recording.permanent)
    if recording.packets.contains(where: { $0.count > 5 && $0[5] == AKASubtype.reauthentication.rawValue }) {
      kept.fast = .init(identity: EAPIdentity(name), counter: 1, keys: try Self.session(recording))
    } else {
      kept.pseudonym = EAPIdentity(name)
    }
    return kept
  }

  private static func session(_ recording: Recording) throws -> SessionKeys {
    let keys = try #require(recording.value["keys"])
    return SessionKeys(
      method: recording.method, encryption: WipedBytes(try #require(keys.bytes("k_encr"))),
      authentication: WipedBytes(try #require(keys.bytes("k_aut"))),
      reauthentication: WipedBytes(try #require(keys.bytes("mk") ?? keys.bytes("k_re"))))
  }

  private static func keys(
    _ recording: Recording, _ card: (challenge: AKAChallenge, response: AKAResponse), _ networkName: String?
  ) throws -> LoginKeys {
    let identity = Array((recording.value["identity"]?.string ?? recording.permanent.revealed).utf8)
    let (ck, ik) = (card.response.ck, card.response.ik)
    guard recording.method == .akaPrime else { return try LoginKeys(identity: identity, ck: ck, ik: ik) }
    return try LoginKeys(
      identity: identity, ck: ck, ik: ik, networkName: Array(try #require(networkName).utf8), autn: card.challenge.autn)
  }
}

/// A server's AKA-Reauthentication, opened. The peer itself has no use for the MSK that follows.
struct Reauthentication {
  let counter: UInt16
  let nonce: [UInt8]
  private let session: SessionKeys

  init(_ packet: [UInt8], _ session: SessionKeys) throws {
    let message = try ReceivedMessage(packet)
    let attributes = try message.attributes(
      .init([.vector, .encryptedData, .mac], optional: [.checkcode, .resultIndication]))
    let inner = try attributes.decrypted(
      session, .init([.counter, .nonce], optional: [.nextReauthenticationIdentity, .padding]))
    counter = try #require(inner?.number(.counter))
    nonce = try #require(inner?[.nonce])
    self.session = session
  }

  /// MSK (RFC 4187, 7; RFC 9048, 3.3).
  func master(_ identity: String?) throws -> [UInt8] {
    let identity = Array(try #require(identity).utf8)
    switch session.method {
    case .aka:
      let seed = WipedBytes(identity + counter.bytes + nonce + session.reauthentication.revealed)
      return try KeyStreams.fips186(seed: try Libcrypto.digest(.sha1, seed), count: 64).revealed
    case .akaPrime:
      let text = Array("EAP-AKA' re-auth".utf8) + identity + counter.bytes + nonce
      return try KeyStreams.prfPrime(key: session.reauthentication, WipedBytes(text), count: 64).revealed
    }
  }
}
