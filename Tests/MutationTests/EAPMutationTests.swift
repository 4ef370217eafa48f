import EAPAKA
import EAPTestSupport
import ModemModel
import Testing

/// Every byte of every message of a login's server, replaced, taken away and added to, with a right
/// AT_MAC and without one: what `fuzz-eap` does at random.
@Suite("EAP packets with other bytes in them")
struct EAPMutationTests {
  /// Messages of a login, the changed one last.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var method = EAPMethod.aka
    var hasLoggedIn = false
    let messages: [EAPPlay.Template]
    /// What the last one leads to as it is.
    let event: EAPReply.Event
    var card = EAPPlay.Card.answers

    var testDescription: String { "\(name), \(method.rawValue)" }
  }

  static let cases: [Case] =
    EAPMethod.allCases.flatMap { method in
      [
        Case(name: "identity", method: method, messages: [.anyIdentity], event: .identity),
        Case(name: "challenge", method: method, messages: [.challenge], event: .response),
        Case(
          name: "challenge with names", method: method, hasLoggedIn: true, messages: [.givingChallenge],
          event: .response),
        Case(name: "success", method: method, messages: [.challenge, .success], event: .notification),
        Case(name: "failure", method: method, messages: [.challenge, .failure], event: .notification),
        Case(
          name: "re-authentication", method: method, hasLoggedIn: true, messages: [.reauthentication],
          event: .reauthentication),
        Case(
          name: "success after it", method: method, hasLoggedIn: true, messages: [.reauthentication, .success],
          event: .notification),
        Case(
          name: "out of step", method: method, messages: [.challenge], event: .synchronisation, card: .isOutOfStep),
        Case(name: "EAP-Success", method: method, messages: [.challenge, .end], event: .success),
      ]
    } + [
      Case(name: "offer", method: .akaPrime, messages: [.offeringChallenge], event: .synchronisation),
      Case(name: "choice", method: .akaPrime, messages: [.offeringChallenge, .chosenChallenge], event: .response),
    ]

  private func play(
    _ sample: Case, _ edits: [EAPPlay.Edit], hasLength: Bool = true, isSigned: Bool = true
  ) throws -> EAPPlay {
    var play = try EAPPlay(sample.method, hasLoggedIn: sample.hasLoggedIn)
    for (place, template) in sample.messages.enumerated() {
      var move = EAPPlay.Move(.template(template))
      if place == sample.messages.count - 1 {
        move.edits = edits
        move.hasLength = hasLength
        move.isSigned = isSigned
        move.card = sample.card
      }
      try play.play(move)
    }
    return play
  }

  @Test("Each byte", .timeLimit(.minutes(2)), arguments: cases)
  func bytes(_ sample: Case) throws {
    let right = try play(sample, [])
    #expect(right.events.last == sample.event)
    #expect(right.faults == [])
    var faults: [String] = []
    // No message has more bytes; edits behind the end add there.
    for place in 0..<256 {
      let edits: [EAPPlay.Edit] = [
        .set(at: place, 0), .set(at: place, 0xff), .flip(at: place, 1), .flip(at: place, 0x80), .remove(at: place, 1),
        .remove(at: place, 4), .remove(at: place, 4096), .insert(at: place, [0]), .insert(at: place, [11, 1, 0, 0]),
        .insert(at: place, [0x80, 1, 0, 0]),
      ]
      for (number, edit) in edits.enumerated() where (number + place).isMultiple(of: Effort.step(7)) {
        for (hasLength, isSigned) in [(true, true), (true, false), (false, true)] {
          if Effort.isTold { print("\(sample.testDescription): \(edit), \(hasLength), \(isSigned)") }
          let end = try play(sample, [edit], hasLength: hasLength, isSigned: isSigned)
          faults += end.faults.map { "\(edit), \(hasLength), \(isSigned): \($0)" }
        }
      }
    }
    #expect(faults.isEmpty, "\(faults.count) faults: \(faults.prefix(20).joined(separator: "\n"))")
  }
}
