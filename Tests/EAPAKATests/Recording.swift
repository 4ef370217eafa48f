import JSONTree
import Milenage
import ModemModel
import Synchronization
import Testing
import VectorSupport

@testable import EAPAKA

/// Packets of a login that took place: the server's go in, the peer's have to come out.
struct Recording: Sendable, CustomTestStringConvertible {
  let name: String
  let value: JSONValue
  /// In their order; the server's among them begin with 1, 3 or 4.
  let packets: [[UInt8]]

  init?(_ member: TS43Vectors.Member) {
    let packets = (member.value["eap"]?.items ?? []).compactMap { $0.bytes("hex") }
    guard !packets.isEmpty else { return nil }
    (name, value, self.packets) = (member.name, member.value, packets)
  }

  var testDescription: String { name }

  var method: EAPMethod { packets.contains { $0.count > 4 && $0[4] == EAPMethod.akaPrime.type } ? .akaPrime : .aka }

  /// The identity with the IMSI: it begins with 0 or 6 (3GPP TS 23.003, 19.3.2). Others stand for
  /// it.
  var permanent: EAPIdentity {
    let (identity, prefix) = (value["identity"]?.string ?? "", method == .aka ? "0" : "6")
    return EAPIdentity(
      identity.hasPrefix(prefix) ? identity : "\(prefix)001010123456063@nai.epc.mnc001.mcc001.3gppnetwork.org")
  }

  /// Whether its client sent another AT_MAC than the right one, on purpose.
  var hasWrongCode: Bool { name.hasSuffix("bad_mac") || name.hasSuffix("mac_wrong") }

  /// - Parameter milenage: of the card, where it answers.
  func replay(kept: EAPReauthentication? = nil, _ milenage: Milenage = Card.recorded) throws -> Replay {
    let vectors = GivenBytes(packets.filter { $0[0] == EAPPacket.Code.response }.compactMap { Self.vector(of: $0) })
    var peer = EAPPeer(
      .init(method, permanent: permanent, reauthenticates: true), kept: kept, random: { vectors.take($0) })
    var replay = Replay()
    var place = 0
    if packets[0][0] == EAPPacket.Code.response {
      // The request ahead of it has one form alone.
      let reply = peer.receive(packet: [1, packets[0][1], 0, 5, 1])
      #expect(reply == .answer(EAPReply(.identity, packet: packets[0])))
      place = 1
    }
    while place < packets.count {
      let request = packets[place]
      let expected = place + 1 < packets.count && packets[place + 1][0] == 2 ? packets[place + 1] : nil
      var reply: EAPReply
      switch peer.receive(packet: request) {
      case .answer(let answer): reply = answer
      case .challenge(let challenge):
        let answer = try card(challenge, milenage, for: try #require(expected))
        if case .response(let response) = answer { replay.card = (challenge, response) }
        reply = peer.receive(card: answer)
      }
      if hasWrongCode, reply.event == .response, let expected {
        #expect(reply.packet?.dropLast(16) == expected.dropLast(16))
        #expect(reply.packet != expected)
      } else {
        #expect(reply.packet == expected, "the answer to \(Hexadecimal.text(of: request))")
      }
      replay.events.append(reply.event)
      replay.networkName = reply.networkName ?? replay.networkName
      place += expected == nil ? 1 : 2
    }
    #expect(vectors.isEmpty)
    replay.peer = peer
    return replay
  }

  /// As the recorded answer shows.
  private func card(_ challenge: AKAChallenge, _ milenage: Milenage, for expected: [UInt8]) throws -> AKAAnswer {
    switch AKASubtype(rawValue: expected[5]) {
    case .authenticationReject: return .refused
    case .synchronizationFailure: return .synchronise(try #require(AUTS(expected[10..<24])))
    default:
      // AT_RES has its length in bits.
      let bits = Int(expected[10]) << 8 | Int(expected[11])
      return try Card.answer(milenage, challenge, resCount: bits / 8)
    }
  }

  /// The value of AT_IV, which is first where it is at all, or behind AT_NOTIFICATION.
  private static func vector(of packet: [UInt8]) -> [UInt8]? {
    guard packet.count > 28, packet[8] == AttributeType.vector.rawValue, packet[4] > 4 else { return nil }
    return Array(packet[12..<28])
  }
}

/// What a replay led to.
struct Replay {
  var events: [EAPReply.Event] = []
  /// The last challenge that the card answered with RES.
  var card: (challenge: AKAChallenge, response: AKAResponse)?
  /// Of AT_KDF_INPUT.
  var networkName: String?
  var peer: EAPPeer?
}

/// Random bytes that are none: each is given once, in its order.
final class GivenBytes: Sendable {
  private let rest: Mutex<[[UInt8]]>

  init(_ bytes: [[UInt8]]) { rest = Mutex(bytes) }

  var isEmpty: Bool { rest.withLock(\.isEmpty) }

  func take(_ count: Int) -> [UInt8] {
    rest.withLock { rest in rest.isEmpty || rest[0].count != count ? [] : rest.removeFirst() }
  }
}
