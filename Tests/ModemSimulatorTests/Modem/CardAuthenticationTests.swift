import ModemModel
import Testing

@testable import ModemSimulator

@Suite("A SIM that is challenged")
struct CardAuthenticationTests {
  private let home = SimulatedHome()

  /// The card's answer to a challenge with this SQN.
  private func answer(
    _ card: inout SIMCard, _ sequence: UInt64, _ change: (inout SimulatedAuthentication) -> Void = { _ in }
  ) -> ChallengeAnswer {
    var how = SimulatedAuthentication()
    change(&how)
    let vector = home.vector(sequence)
    return card.authenticate(rand: vector.rand, autn: vector.autn, as: how)
  }

  @Test func `gives RES and keys once, and then AUTS`() {
    var card = SIMCard(SimulatedSIM())
    let vector = home.vector(32)
    let answer = answer(&card, 32)
    #expect(answer == .response(res: vector.res, length: 8, ck: vector.ck, ik: vector.ik, kc: []))
    #expect(answer.data == [0xdb, 8] + vector.res + [16] + vector.ck + [16] + vector.ik)
    #expect(answer.words == .done)
    let again = self.answer(&card, 32)
    guard case .synchronisation(let auts) = again else {
      Issue.record("\(again)")
      return
    }
    #expect(again.data == [0xdc, 14] + auts && again.words == .done)
    #expect(home.sequence(in: auts) == 32)
    guard case .response = self.answer(&card, 64) else {
      Issue.record("the next challenge is refused")
      return
    }
  }

  @Test func `refuses what is not from its home, and does not move`() {
    var card = SIMCard(SimulatedSIM())
    let vector = home.vector(32)
    var autn = vector.autn
    autn[15] ^= 1
    #expect(card.authenticate(rand: vector.rand, autn: autn, as: SimulatedAuthentication()) == .refused(.wrongMAC))
    #expect(answer(&card, 32) { $0.card = .wrongKey } == .refused(.wrongMAC))
    #expect(card.sequences == SequenceNumbers(upTo: [0, 0, 0, 0, 0, 0]))
    #expect(answer(&card, 32).words == .done)
  }

  @Test func `starts behind the SQN of its data`() {
    var sim = SimulatedSIM()
    sim.sequence = SimulatedHome.bytes(4096)
    var card = SIMCard(sim)
    guard case .synchronisation(let auts) = answer(&card, 4096) else {
      Issue.record("the SQN was not used")
      return
    }
    #expect(home.sequence(in: auts) == 4096)
    #expect(answer(&card, 4097).data.first == 0xdb)
  }

  @Test("gives a RES of another length", arguments: [4, 5, 8])
  func shortResponse(count: Int) {
    var sim = SimulatedSIM()
    sim.responseLength = count
    var card = SIMCard(sim)
    let vector = home.vector(32)
    #expect(
      answer(&card, 32)
        == .response(
          res: Array(vector.res.prefix(count)), length: UInt8(count), ck: vector.ck, ik: vector.ik, kc: []))
  }

  @Test("claims a length that RES cannot have", arguments: [(0, 0), (3, 3), (17, 17), (255, 8)])
  func claimedLength(claimed: Int, bytes: Int) {
    var card = SIMCard(SimulatedSIM())
    let answer = answer(&card, 32) { $0.claimedLength = claimed }
    #expect(answer.data.prefix(2) == [0xdb, UInt8(claimed)])
    #expect(answer.data.count == 2 + bytes + 17 + 17)
  }

  @Test func `gives Kc where it has it`() {
    var card = SIMCard(SimulatedSIM())
    let answer = answer(&card, 32) { $0.givesKc = true }
    #expect(answer.data.suffix(9) == [8] + home.vector(32).kc)
  }

  @Test func `leaves AUTS out, and is never in step`() {
    var card = SIMCard(SimulatedSIM())
    for sequence in [32, 64, 96] as [UInt64] {
      guard case .synchronisation(let auts) = answer(&card, sequence, { $0.card = .neverInStep }) else {
        Issue.record("SQN \(sequence) is accepted")
        return
      }
      #expect(home.sequence(in: auts) == 0)
    }
    let empty = answer(&card, 0) { $0.leavesOutAUTS = true }
    #expect(empty == .synchronisation([]) && empty.data == [0xdc, 0])
  }

  @Test func `answers with given status words, before its PIN, and when it is broken`() {
    var card = SIMCard(SimulatedSIM())
    #expect(answer(&card, 32) { $0.statusWords = 0x6985 } == .refused(.conditionsNotSatisfied))
    var sim = SimulatedSIM()
    sim.pin = "1234"
    var locked = SIMCard(sim)
    #expect(answer(&locked, 32) == .refused(.securityNotSatisfied))
    #expect(locked.verify("1234") == .done)
    #expect(answer(&locked, 32).data.first == 0xdb)
    locked.losePower()
    #expect(answer(&locked, 64) == .refused(.securityNotSatisfied))
    sim = SimulatedSIM()
    sim.condition = .broken
    var broken = SIMCard(sim)
    #expect(answer(&broken, 32) == .refused(.technicalProblem))
  }

  @Test func `keeps the challenges that it has accepted while it has no power`() {
    var card = SIMCard(SimulatedSIM())
    #expect(answer(&card, 32).data.first == 0xdb)
    card.losePower()
    #expect(answer(&card, 32).data.first == 0xdc)
  }

  @Test func `has EF_GID1 where it is declared`() {
    var sim = SimulatedSIM()
    #expect(throws: SIMFile.StatusWords.fileNotFound) {
      try SIMCard(sim).readBinary(0x6f3e, in: [0x7fff], offset: 0, length: 0)
    }
    sim.groupIdentifier = [0x42, 0xff]
    #expect(
      (try? SIMCard(sim).readBinary(0x6f3e, in: [0x3f00, 0x7fff], offset: 0, length: 0)) == [0x42, 0xff])
  }
}
