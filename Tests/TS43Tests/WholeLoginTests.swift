// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import EAPAKA
import ModemModel
import RedirectChain
import Testing
import Web

@testable import TS43Flows

/// The flow and the SIM's side of EAP together, as modemd and its port have them: what the card
/// said and what the server sent is of the transcript, all else is made here, and has to be the
/// same.
@Suite("A whole login of the transcript")
struct WholeLoginTests {
  static let sections = Transcript.sections.filter { $0.cardAnswer != nil }

  @Test("Every packet is the transcript's", arguments: sections)
  func login(_ section: Transcript.Section) throws {
    let first = section.exchanges[0]
    let identity = EAPIdentity(try #require(first.parameter("EAP_ID")))
    let method: EAPMethod = identity.revealed.hasPrefix("6") ? .akaPrime : .aka
    var peer = EAPPeer(EAPPeer.Configuration(method, permanent: identity)) { [UInt8](repeating: 0, count: $0) }
    let card = try Self.card(try #require(section.cardAnswer))
    var machine = TS43LoginMachine(TS43Stage.context { $0.eap = method })
    var rest = section.exchanges[...]
    var action = machine.start(at: TS43Stage.start)
    var events: [EAPReply.Event] = []
    while true {
      switch action {
      case .send(let call):
        let next = rest.popFirst()
        let exchange = try #require(next)
        if let packet = exchange.sentPacket {
          let body = #"{"eap-relay-packet":"\#(Base64.encode(packet))"}"#
          #expect(call.body?.bytes == Array(body.utf8))
        }
        action = machine.receive(.answered(exchange.reply), at: TS43Stage.start)
      case .askSIM(let question):
        switch question.ask {
        case .begin(let request):
          #expect(request.method == method)
          let login = EAPLogin(id: "login", identity: peer.identity)
          action = machine.receive(.simAnswered(.began(login)), at: TS43Stage.start)
        case .answer(let packet, let id):
          #expect(id == "login")
          let reply: EAPReply =
            switch peer.receive(packet: packet) {
            case .answer(let reply): reply
            case .challenge: peer.receive(card: card)
            }
          events.append(reply.event)
          action = machine.receive(.simAnswered(.answered(reply)), at: TS43Stage.start)
        }
      case .finish(let outcome, let answer):
        #expect(outcome.result == .authorized, "\(outcome.text)")
        #expect(answer != nil)
        #expect(events == [.response])
        return
      case .open, .readCode, .askForCode, .pause:
        Issue.record("TS.43 asks for nothing of this kind")
        return
      }
    }
  }

  /// `DB`, then RES, CK and IK, each behind its length.
  private static func card(_ answer: [UInt8]) throws -> AKAAnswer {
    var rest = answer.dropFirst()
    let parts = try (0..<3).map { _ -> WipedBytes in
      let first = rest.popFirst()
      let count = Int(try #require(first))
      defer { rest = rest.dropFirst(count) }
      return WipedBytes(Array(rest.prefix(count)))
    }
    #expect(answer.first == 0xdb)
    return .response(try #require(AKAResponse(res: parts[0], ck: parts[1], ik: parts[2])))
  }
}
