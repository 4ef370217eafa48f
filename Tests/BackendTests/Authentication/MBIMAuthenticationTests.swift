import ControlChannel
import Glibc
import ModemModel
import ReplyCheck
import Testing
import VectorSupport

@testable import MBIMBackend

extension MBIMBackend {
  fileprivate var callsToSIM: Int { simCalls.waiting }
}

/// A modem that passes challenges to its card, in the very words that a test gives it.
struct ScriptedMBIMCard: Sendable {
  typealias Act = ScriptedModem.Act

  /// Commands of AUTH and of UICC Low Level Access that the modem lists.
  var auth: [UInt32] = []
  var uicc: [UInt32] = [2, 3, 4, 7, 9]
  var answer: Act = .reply(status: 9)
  var applications: Act = .reply(ScriptedMBIMCard.applications([Known.usim]))
  var channel: Act = .reply(ScriptedMBIMCard.channel(1))
  var close: Act = .reply([0x90].bytes)
  /// To each command on the channel, in order; the last one again and again.
  var commands: [[Act]] = [[.reply(ScriptedMBIMCard.content(Known.success()))]]

  func acts(_ request: ScriptedModem.Request) -> [Act] {
    switch (request.service, request.cid) {
    case (MBIMServiceID.basicConnect.bytes, 16):
      [.reply(Information.services([(MBIMServiceID.auth.bytes, auth), (MBIMServiceID.uicc.bytes, uicc)]))]
    case (MBIMServiceID.auth.bytes, 1): [answer]
    case (MBIMServiceID.uicc.bytes, 2): [channel]
    case (MBIMServiceID.uicc.bytes, 3): [close]
    case (MBIMServiceID.uicc.bytes, 4): commands[min(request.earlier, commands.count - 1)]
    case (MBIMServiceID.uicc.bytes, 7): [applications]
    default: []
    }
  }

  static func aka(
    res: [UInt8] = Known.res, count: UInt32? = nil, auts: [UInt8] = [UInt8](repeating: 0, count: 14)
  ) -> [UInt8] {
    let padding = [UInt8](repeating: 0, count: max(0, 16 - res.count))
    return res + padding + [count ?? UInt32(res.count)].bytes + Known.ik + Known.ck + auts
  }

  static func applications(_ identifiers: [[UInt8]], active: UInt32 = 0) -> [UInt8] {
    var (places, elements): ([UInt32], [UInt8]) = ([], [])
    let start = UInt32(16 + 8 * identifiers.count)
    for identifier in identifiers {
      let element = [4, 32, UInt32(identifier.count), 0, 0, 0, 0, 0].bytes + identifier
      places += [start + UInt32(elements.count), UInt32(element.count)]
      elements += element
    }
    return [1, UInt32(identifiers.count), active, UInt32(elements.count)].bytes + places.bytes + elements
  }

  static func channel(_ number: UInt32, words: [UInt8] = [0x90, 0]) -> [UInt8] {
    words + [0, 0] + [number, 2, 16].bytes + [0x90, 0, 0, 0]
  }

  static func content(_ data: [UInt8], _ words: [UInt8] = [0x90, 0]) -> [UInt8] {
    words + [0, 0] + [UInt32(data.count), 12].bytes + data + [UInt8](repeating: 0, count: (4 - data.count % 4) % 4)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `An MBIM modem's SIM that is challenged` {
  private typealias Act = ScriptedModem.Act
  private typealias Outcome = Result<AKAAnswer, ModemError>

  /// Challenges the card once, and tells what the modem was asked of AUTH and of UICC.
  private func challenge(
    _ card: ScriptedMBIMCard, _ challenge: AKAChallenge = Known.challenge, ways: AuthenticationWays = .init()
  ) async throws -> (outcome: Outcome, requests: [ScriptedModem.Request]) {
    try await withMBIM(ways: ways) {
      card.acts($0)
    } _: { backend, modem in
      let outcome: Outcome
      do {
        outcome = .success(try await backend.authenticate(challenge))
      } catch {
        outcome = .failure(try #require(error as? ModemError))
      }
      await modem.stopListening()
      return (
        outcome,
        await modem.requests.reduce(into: []) { if $1.service != MBIMServiceID.basicConnect.bytes { $0.append($1) } }
      )
    }
  }

  /// What came of channels: how many are open after the requests.
  private func openChannels(_ requests: [ScriptedModem.Request]) -> Int {
    requests.reduce(0) { $1.cid == 2 ? $0 + 1 : $1.cid == 3 ? 0 : $0 }
  }

  // MARK: By the service AUTH

  @Test(arguments: 4...16) func `answers through AUTH where the modem lists it`(count: Int) async throws {
    let res = Array(Known.autn.prefix(count))
    let (outcome, requests) = try await challenge(.init(auth: [1, 2], answer: .reply(ScriptedMBIMCard.aka(res: res))))
    #expect(try outcome.get() == Known.answer(res: res))
    #expect(requests.map(\.information) == [Known.rand + Known.autn] && !requests[0].isSet)
  }

  @Test(
    arguments: [
      (.reply(ScriptedMBIMCard.aka() + [0, 0]), Known.response),
      (.reply(status: 36, ScriptedMBIMCard.aka(res: [], auts: Known.auts)), Known.synchronise),
      (.reply(status: 36, ScriptedMBIMCard.aka(res: [], auts: Known.auts) + [0, 0]), Known.synchronise),
      (.reply(status: 35), .refused), (.reply(status: 35, ScriptedMBIMCard.aka(res: [])), .refused),
    ] as [(Act, AKAAnswer)])
  private func `answers through AUTH with RES, with AUTS or with a refusal`(act: Act, answer: AKAAnswer) async throws {
    let (outcome, requests) = try await challenge(.init(auth: [1], answer: act))
    #expect(try outcome.get() == answer && requests.count == 1)
  }

  @Test(
    arguments: [
      // AUTS missing, or cut short.
      (.reply(status: 36), .badReply), (.reply(status: 36, Array(ScriptedMBIMCard.aka(res: []).dropLast())), .badReply),
      // A length that RES does not have.
      (.reply(ScriptedMBIMCard.aka(count: 0)), .badReply), (.reply(ScriptedMBIMCard.aka(count: 3)), .badReply),
      (.reply(ScriptedMBIMCard.aka(count: 17)), .badReply), (.reply(ScriptedMBIMCard.aka(count: .max)), .badReply),
      (.reply(), .badReply), (.reply(Array(ScriptedMBIMCard.aka().dropLast())), .badReply),
      (.reply(status: 3), .simAbsent), (.reply(status: 5), .simLocked), (.reply(status: 14), .simNotReady),
      (.reply(status: 1), .simNotReady), (.reply(status: 2), .failed), (.functionError(6), .badReply),
    ] as [(Act, ModemError.Code)])
  private func `is asked once, and an answer that is none is an error of its own`(
    act: Act, code: ModemError.Code
  ) async throws {
    let (outcome, requests) = try await challenge(.init(auth: [1], answer: act))
    #expect(error(outcome)?.code == code && requests.map(\.cid) == [1])
    #expect(error(outcome)?.message.hasPrefix("SIM authentication: ") == true)
  }

  // MARK: On a channel

  @Test func `answers on a channel to its USIM, which is closed`() async throws {
    let (outcome, requests) = try await challenge(.init())
    #expect(try outcome.get() == Known.response)
    // What may be left on the card is closed first.
    #expect(requests.map(\.cid) == [7, 3, 2, 4, 3])
    let group = requests[2].information.number(at: 12)
    #expect(group > 1)
    #expect(requests[1].information == [0, group].bytes)
    #expect(requests[2].information == [16, 16, 0, group].bytes + Known.usim)
    #expect(requests[3].information == [1, 0, 0, 40, 20].bytes + octets(apdu))
    #expect(requests[4].information == [1, group].bytes)
  }

  private let apdu = "008800812210000102030405060708090a0b0c0d0e0f10fffefdfcfbfaf9f8f7f6f5f4f3f2f1f000"

  @Test(.enabled(if: CardVectors.has("mbim"), "the file of vectors has no section mbim"))
  func `has the bytes of the vectors`() async throws {
    let vectors = try CardVectors("mbim")
    let asked = try #require(AKAChallenge(rand: vectors("rand"), autn: vectors("autn")))
    let (_, query) = try await challenge(.init(auth: [1]), asked)
    #expect(try query[0].information == Array(vectors("aka_query").dropFirst(48)))
    let card = ScriptedMBIMCard(applications: .reply(ScriptedMBIMCard.applications([try vectors("aid")])))
    let (_, requests) = try await challenge(card, asked)
    // The vectors' group is another.
    let (sent, open) = (requests[2].information, Array(try vectors("uicc_open_channel").dropFirst(48)))
    #expect(sent.prefix(12) == open.prefix(12) && sent.dropFirst(16) == open.dropFirst(16))
    #expect(try requests[3].information == Array(vectors("uicc_apdu").dropFirst(48)))
    #expect(try Array(requests[4].information.prefix(4)) == Array(vectors("uicc_close").dropFirst(48).prefix(4)))
  }

  @Test(arguments: TS43Vectors.members("mbim", "replies"))
  func `has the answers of the vectors`(reply: TS43Vectors.Member) async throws {
    let message = try #require(reply.value.bytes("hex"))
    let (outcome, _) = try await challenge(.init(auth: [1], answer: .raw(message)))
    // What libmbim read by itself.
    let read = try #require(reply.value["libmbim"])
    switch message.number(at: 40) {
    case 0:
      let res = try #require(read.bytes("res")).prefix(Int(try #require(read["res_len"]?.integer)))
      let response = AKAResponse(
        res: WipedBytes(res), ck: WipedBytes(try #require(read.bytes("ck"))),
        ik: WipedBytes(try #require(read.bytes("ik"))))
      #expect(try outcome.get() == .response(#require(response)))
    case 36:
      let auts = AUTS(try #require(read.bytes("auts")))
      #expect(try outcome.get() == .synchronise(#require(auts)))
    case 35: #expect(try outcome.get() == .refused)
    default: #expect(error(outcome) != nil)
    }
  }

  @Test(
    arguments: [
      ([[.reply(ScriptedMBIMCard.content(Known.outOfStep))]], Known.synchronise),
      ([[.reply(ScriptedMBIMCard.content([], [0x98, 0x62]))]], .refused),
      // A modem that leaves the answer on the card.
      (
        [[.reply(ScriptedMBIMCard.content([], [0x61, 0x2c]))], [.reply(ScriptedMBIMCard.content(Known.success()))]],
        Known.response
      ),
    ] as [([[Act]], AKAAnswer)])
  private func `answers on a channel with AUTS, with a refusal, or in parts`(
    commands: [[Act]], answer: AKAAnswer
  ) async throws {
    let (outcome, requests) = try await challenge(.init(commands: commands))
    #expect(try outcome.get() == answer && openChannels(requests) == 0)
    if commands.count == 2 { #expect(requests[4].information.dropFirst(20) == [0, 0xc0, 0, 0, 0x2c, 0, 0, 0]) }
  }

  @Test(
    arguments: [
      (.reply(ScriptedMBIMCard.content([], [0x69, 0x82])), .simLocked),
      (.reply(ScriptedMBIMCard.content([], [0x69, 0x83])), .simLocked),
      (.reply(ScriptedMBIMCard.content([], [0x69, 0x85])), .simNotReady),
      (.reply(ScriptedMBIMCard.content([], [0x98, 0x64])), .notSupported),
      (.reply(ScriptedMBIMCard.content([], [0x6d, 0])), .notSupported),
      (.reply(ScriptedMBIMCard.content([], [0x6e, 0])), .notSupported),
      (.reply(ScriptedMBIMCard.content([], [0x6f, 0])), .badReply),
      (.reply(ScriptedMBIMCard.content([])), .badReply), (.reply(ScriptedMBIMCard.content([0xdb, 1, 2])), .badReply),
      (.reply([0x90, 40, 12].bytes), .badReply), (.reply(), .badReply),
      (.reply(status: 0x8743_0003, [0].bytes), .simNotReady), (.reply(status: 2), .failed),
      (.reply(status: 1), .simNotReady),
    ] as [(Act, ModemError.Code)])
  private func `whose answer on a channel is none, or a lie, leaves no channel open`(
    act: Act, code: ModemError.Code
  ) async throws {
    let (outcome, requests) = try await challenge(.init(commands: [[act]]))
    #expect(error(outcome)?.code == code, "\(outcome)")
    #expect(openChannels(requests) == 0 && requests.filter { $0.cid == 4 }.count == 1)
  }

  @Test(
    arguments: [
      (.reply(status: 0x8743_0001, [0x816a, 0, 0, 0].bytes), .simNotReady), (.reply(status: 0x8743_0001), .simNotReady),
      (.reply(status: 0x8743_0002, [0x826a, 0, 0, 0].bytes), .notSupported),
      (.reply(status: 0x8743_0002, [0x8569].bytes), .simNotReady), (.reply(status: 0x8743_0002), .notSupported),
      (.reply(status: 0x8743_0002, [0x8269].bytes), .simLocked), (.reply(status: 9), .notSupported),
      (.reply(ScriptedMBIMCard.channel(1, words: [0x6a, 0x82])), .notSupported),
      (.reply(ScriptedMBIMCard.channel(0)), .badReply), (.reply([0x90].bytes), .badReply),
    ] as [(Act, ModemError.Code)])
  private func `that gives no channel says why, and keeps none`(act: Act, code: ModemError.Code) async throws {
    let (outcome, requests) = try await challenge(.init(channel: act))
    #expect(error(outcome)?.code == code, "\(outcome)")
    #expect(openChannels(requests) == 0 && !requests.contains { $0.cid == 4 })
  }

  @Test(
    arguments: [
      .reply(status: 9), .reply(), .reply(ScriptedMBIMCard.applications([])),
      .reply(ScriptedMBIMCard.applications([octets("a0000000871004")])),
    ] as [Act])
  private func `is found by what all USIMs begin with, where the modem names none`(applications: Act) async throws {
    let (outcome, requests) = try await challenge(.init(applications: applications))
    if case .reply(0, let bytes) = applications, bytes.isEmpty {
      // An answer that cannot be read is an error, not a modem without a list.
      #expect(error(outcome)?.code == .badReply)
    } else {
      #expect(try outcome.get() == Known.response)
      #expect(requests.first { $0.cid == 2 }?.information.dropFirst(16) == octets("a000000087100200")[...])
    }
  }

  @Test func `is not asked by a modem without a way, which tells both`() async throws {
    let (outcome, requests) = try await challenge(.init(uicc: [7, 9]))
    #expect(error(outcome)?.code == .notSupported && requests.isEmpty)
    #expect(error(outcome)?.cause?.contains("AUTH: ") == true)
    #expect(error(outcome)?.cause?.contains("UICC Low Level Access: ") == true)
  }

  @Test func `is asked on a channel if the modem lists AUTH and does not have it`() async throws {
    let ways = AuthenticationWays()
    let card = ScriptedMBIMCard(auth: [1], answer: .reply(status: 9))
    let (outcome, requests) = try await challenge(card, ways: ways)
    #expect(try outcome.get() == Known.response && requests.first?.service == MBIMServiceID.auth.bytes)
    // The next port does not ask for it again.
    let (again, later) = try await challenge(card, ways: ways)
    #expect(try again.get() == Known.response)
    #expect(!later.contains { $0.service == MBIMServiceID.auth.bytes })
  }

  private func error(_ outcome: Outcome) -> ModemError? {
    guard case .failure(let error) = outcome else { return nil }
    return error
  }

  // MARK: Callers that leave

  @Test func `answers one challenge after the other`() async throws {
    try await withMBIM {
      ScriptedMBIMCard().acts($0)
    } _: { backend, modem in
      try await withThrowingTaskGroup(of: AKAAnswer.self) { group in
        for _ in 0..<8 { group.addTask { try await backend.authenticate(Known.challenge) } }
        for try await answer in group { #expect(answer == Known.response) }
      }
      await modem.stopListening()
      let cids = await modem.requests.reduce(into: [UInt32]()) {
        if $1.service == MBIMServiceID.uicc.bytes { $0.append($1.cid) }
      }
      #expect(cids == [7, 3] + [2, 4, 3] + (0..<7).flatMap { _ in [7, 2, 4, 3] })
    }
  }

  @Test func `is asked by a few callers at most`() async throws {
    // It does not answer at all.
    try await withMBIM {
      ScriptedMBIMCard(commands: [[]]).acts($0)
    } _: { backend, modem in
      var requests = modem.requests.makeAsyncIterator()
      let calls = (0..<8).map { _ in Task { try await backend.authenticate(Known.challenge) } }
      while let request = await requests.next(), request.cid != 4 || request.service != MBIMServiceID.uicc.bytes {}
      #expect(await modemError { try await backend.authenticate(Known.challenge) }?.code == .busy)
      for call in calls { call.cancel() }
      for call in calls { #expect(await modemError { try await call.value }?.code == .cancelled) }
    }
  }

  @Test func `is not asked for a caller who has left, and closes the channel of one who leaves`() async throws {
    // The answer comes with the second command on the channel.
    let card = ScriptedMBIMCard(commands: [[], [.reply(ScriptedMBIMCard.content(Known.outOfStep))]])
    try await withMBIM(limits: .init(pin: .milliseconds(300))) {
      card.acts($0)
    } _: { backend, modem in
      var requests = modem.requests.makeAsyncIterator()
      func next(_ cid: UInt32) async -> ScriptedModem.Request? {
        while let request = await requests.next() {
          if request.service == MBIMServiceID.uicc.bytes, request.cid == cid { return request }
        }
        return nil
      }
      let first = Task { try await backend.authenticate(Known.challenge) }
      _ = await next(4)
      let second = Task { try await backend.authenticate(Known.challenge) }
      let third = Task { try await backend.authenticate(Known.challenge) }
      // Both wait for the first.
      while await backend.callsToSIM < 3 { await Task.yield() }
      second.cancel()
      first.cancel()
      #expect(await modemError { try await first.value }?.code == .cancelled)
      #expect(await modemError { try await second.value }?.code == .cancelled)
      // The first one's channel is closed once the card's time is over.
      #expect(await next(3)?.information.number(at: 0) == 1)
      let answer = try await third.value
      #expect(answer == Known.synchronise)
      await modem.stopListening()
      var commands = 0
      while let request = await requests.next() { if request.cid == 4 { commands += 1 } }
      #expect(commands == 1)
    }
  }

  @Test func `has no channel left when the port is closed meanwhile`() async throws {
    let card = ScriptedMBIMCard(commands: [[]])
    let modem = await ScriptedModem { card.acts($0) }
    let backend = MBIMBackend(MBIMConfiguration(path: modem.path))
    try await backend.open()
    var requests = modem.requests.makeAsyncIterator()
    let call = Task { try await backend.authenticate(Known.challenge) }
    while let request = await requests.next(), request.cid != 4 || request.service != MBIMServiceID.uicc.bytes {}
    await backend.close()
    #expect(await modemError { try await call.value }?.code == .cancelled)
    await modem.stopListening()
    var closed: [UInt32] = []
    while let request = await requests.next() {
      if request.cid == 3 { closed.append(request.information.number(at: 0)) }
    }
    #expect(closed == [1])
    await modem.hangUp()
  }

  @Test func `is freed of a killed port's channel when the port is opened`() async throws {
    let file = "/tmp/modemd-channel-\(getpid())-mbim"
    defer { unlink(file) }
    let card = ScriptedMBIMCard()
    let modem = await ScriptedModem { card.acts($0) }
    ChannelNote(path: file, device: modem.path).write(.unknown)
    var configuration = MBIMConfiguration(path: modem.path)
    configuration.channelFile = file
    let backend = MBIMBackend(configuration)
    try await backend.open()
    await modem.stopListening()
    let requests = await modem.requests.reduce(into: [ScriptedModem.Request]()) { $0.append($1) }
    #expect(requests.map(\.cid) == [3] && requests[0].information.number(at: 0) == 0)
    #expect(access(file, F_OK) != 0)
    await backend.close()
    await modem.hangUp()
  }

  @Test func `keeps the note of a channel that is not closed`() async throws {
    let file = "/tmp/modemd-channel-\(getpid())-mbim-kept"
    defer { unlink(file) }
    let card = ScriptedMBIMCard(close: .reply(status: 1))
    try await withMBIM(channelFile: file) {
      card.acts($0)
    } _: { backend, _ in
      let answer = try await backend.authenticate(Known.challenge)
      #expect(answer == Known.response)
    }
    #expect(access(file, F_OK) == 0)
  }

  // MARK: Group identifier

  @Test(
    arguments: [
      (.reply([1, 0x90, 0, 20, 4].bytes + [0x12, 0x34, 0xff, 0xff]), [0x12, 0x34]),
      (.reply([1, 0x90, 0, 20, 4].bytes + [0xff, 0xff, 0xff, 0xff]), nil), (.reply([1, 0x6a, 0x82, 0, 0].bytes), nil),
      (.reply(status: 9), nil),
    ] as [(Act, [UInt8]?)])
  private func `has a group identifier where its file holds one`(act: Act, identifier: [UInt8]?) async throws {
    try await withMBIM { request in
      request.service == MBIMServiceID.uicc.bytes && request.cid == 9 ? [act] : ScriptedMBIMCard().acts(request)
    } _: { backend, modem in
      let found = try await backend.groupIdentifier()
      #expect(found == identifier)
      await modem.stopListening()
      let reads = await modem.requests.reduce(into: [[UInt8]]()) { if $1.cid == 9 { $0.append($1.information) } }
      #expect(reads.count == 1 && Array(reads[0].suffix(4)) == [0x7f, 0xff, 0x6f, 0x3e])
    }
  }
}
