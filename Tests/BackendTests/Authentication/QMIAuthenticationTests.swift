import ControlChannel
import Glibc
import ModemModel
import Testing
import VectorSupport

@testable import QMIBackend

extension QMIBackend {
  fileprivate var callsToSIM: Int { simCalls.waiting }
}

/// A modem that passes challenges to its card, in the very words that a test gives it.
struct ScriptedQMICard: Sendable {
  typealias Act = ScriptedQMIModem.Act
  typealias Fields = ScriptedQMIModem.Fields

  var answer: Act = .refuse(71)
  var channel: Act = .reply(ScriptedQMICard.channel(1))
  var close: Act = .reply()
  /// To each command on the channel, in order; the last one again and again.
  var commands: [[Act]] = [[.reply(ScriptedQMICard.content(Known.success()))]]
  var card = ScriptedQMICard.card([Known.usim])

  func acts(_ request: ScriptedQMIModem.Request) -> [Act] {
    switch (request.service, request.message) {
    case (11, 0x2f): [.reply(card)]
    case (11, 0x34): [answer]
    case (11, 0x3b): commands[min(request.earlier, commands.count - 1)]
    case (11, 0x3f): [close]
    case (11, 0x42): [channel]
    default: [.usual]
    }
  }

  static func aka(_ data: [UInt8], _ words: [UInt8] = [0x90, 0]) -> Fields {
    [0x10: words, 0x11: [UInt16(data.count)].shortBytes + data]
  }

  static func channel(_ number: UInt8, words: [UInt8] = [0x90, 0]) -> Fields { [0x10: [number], 0x11: words] }

  static func content(_ data: [UInt8], _ words: [UInt8] = [0x90, 0]) -> Fields {
    [0x10: [UInt16(data.count + 2)].shortBytes + data + words]
  }

  /// A card with these applications, of which the first is in use.
  static func card(_ identifiers: [[UInt8]]) -> Fields {
    QMIField.cardStatus([
      .init(
        applications: identifiers.map { [2, 7, 2, 0, 0, 0, UInt8($0.count)] + $0 + [0] + [3, 3, 10] + [2, 3, 10] })
    ])
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A QMI modem's SIM that is challenged` {
  private typealias Act = ScriptedQMIModem.Act
  private typealias Outcome = Result<AKAAnswer, ModemError>
  private typealias Card = ScriptedQMICard

  private static func concerns(_ request: ScriptedQMIModem.Request) -> Bool {
    request.service == 11 && [0x34, 0x3b, 0x3f, 0x42].contains(request.message)
  }

  /// Challenges the card once, and tells what the modem was asked of it.
  private func challenge(
    _ card: ScriptedQMICard, _ challenge: AKAChallenge = Known.challenge, ways: AuthenticationWays = .init()
  ) async throws -> (outcome: Outcome, requests: [ScriptedQMIModem.Request]) {
    try await withQMI(ways: ways) {
      card.acts($0)
    } _: { backend, modem in
      let outcome: Outcome
      do {
        outcome = .success(try await backend.authenticate(challenge))
      } catch {
        outcome = .failure(try #require(error as? ModemError))
      }
      await modem.stopListening()
      return (outcome, await modem.requests.reduce(into: []) { if Self.concerns($1) { $0.append($1) } })
    }
  }

  private func error(_ outcome: Outcome) -> ModemError? {
    guard case .failure(let error) = outcome else { return nil }
    return error
  }

  /// The value of a TLV in a whole message without its QMUX header; nil if it has none.
  private static func fields(_ message: [UInt8]) -> [UInt8: [UInt8]] {
    var rest = message.dropFirst(7)
    var fields: [UInt8: [UInt8]] = [:]
    while rest.count >= 3 {
      let bytes = Array(rest)
      let count = Int(bytes[1]) | Int(bytes[2]) << 8
      fields[bytes[0]] = Array(bytes.dropFirst(3).prefix(count))
      rest = rest.dropFirst(3 + count)
    }
    return fields
  }

  /// The act that says what a message of the vectors says.
  private static func act(_ message: [UInt8]) -> Act {
    var fields = fields(message)
    let result = fields.removeValue(forKey: 2)!
    return result[0] == 0 ? .reply(fields) : .refuse(UInt16(result[2]), fields)
  }

  // MARK: By UIM Authenticate

  @Test(arguments: 4...16) func `answers through UIM Authenticate`(count: Int) async throws {
    let res = Array(Known.autn.prefix(count))
    let (outcome, requests) = try await challenge(.init(answer: .reply(Card.aka(Known.success(res: res)))))
    #expect(try outcome.get() == Known.answer(res: res))
    #expect(requests.map(\.message) == [0x34])
    #expect(requests[0].fields == [1: [0, 0], 2: [3, 34, 0, 16] + Known.rand + [16] + Known.autn])
  }

  @Test(.enabled(if: CardVectors.has("qmi_uim"), "the file of vectors has no section qmi_uim"))
  func `has the bytes of the vectors, and their answers`() async throws {
    let vectors = try CardVectors("qmi_uim")
    let (asked, ok) = (try vectors("authenticate_request"), try vectors("authenticate_reply_ok"))
    let question = try CardVectors.challenge(in: asked)
    let (outcome, requests) = try await challenge(.init(answer: Self.act(ok)), question)
    #expect(try outcome.get() == CardVectors.meaning(of: Array(#require(Self.fields(ok)[0x11]).dropFirst(2))))
    #expect(requests[0].fields == Self.fields(asked))
    let sync = try vectors("authenticate_reply_sync")
    let (late, _) = try await challenge(.init(answer: Self.act(sync)), question)
    #expect(try late.get() == CardVectors.meaning(of: Array(#require(Self.fields(sync)[0x11]).dropFirst(2))))
    let (refused, _) = try await challenge(
      .init(answer: Self.act(try vectors("authenticate_reply_mac_failure"))), question)
    #expect(try refused.get() == .refused)
  }

  @Test(.enabled(if: CardVectors.has("qmi_uim"), "the file of vectors has no section qmi_uim"))
  func `has the bytes of the vectors on a channel, and their answer`() async throws {
    let vectors = try CardVectors("qmi_uim")
    let (open, command) = (try vectors("open_logical_channel_request"), try vectors("send_apdu_request"))
    let reply = try vectors("send_apdu_reply")
    let usim = Array(try #require(Self.fields(open)[0x10]).dropFirst())
    let card = Card(
      channel: Self.act(try vectors("open_logical_channel_reply")), commands: [[Self.act(reply)]],
      card: Card.card([usim]))
    let (answer, requests) = try await challenge(card, try CardVectors.challenge(in: command))
    #expect(
      try answer.get() == CardVectors.meaning(of: Array(#require(Self.fields(reply)[0x10]).dropFirst(2).dropLast(2))))
    #expect(requests.map(\.message) == [0x34, 0x42, 0x3b, 0x3f])
    #expect(requests[1].fields == Self.fields(open) && requests[2].fields == Self.fields(command))
    #expect(try requests[3].fields == Self.fields(vectors("close_logical_channel_request")))
  }

  @Test(
    arguments: [
      (.reply(Card.aka(Known.outOfStep)), Known.synchronise),
      (.refuse(34, Card.aka(Known.outOfStep)), Known.synchronise),
      (.reply(Card.aka([], [0x98, 0x62])), .refused), (.reply([0x10: [0x98, 0x62]]), .refused),
      (.refuse(3, [0x10: [0x98, 0x62]]), .refused), (.refuse(3, Card.aka(Known.success())), Known.response),
    ] as [(Act, AKAAnswer)])
  private func `is heard before the modem's own result`(act: Act, answer: AKAAnswer) async throws {
    let (outcome, requests) = try await challenge(.init(answer: act))
    #expect(try outcome.get() == answer && requests.count == 1)
  }

  @Test(
    arguments: [
      (.reply([0x10: [0x69, 0x82]]), .simLocked), (.refuse(3, [0x10: [0x69, 0x83]]), .simLocked),
      (.refuse(3, [0x10: [0x69, 0x85]]), .simNotReady), (.reply(), .badReply), (.reply([0x10: [0x90]]), .badReply),
      (.reply([0x10: [0x90, 0], 0x11: [44, 0, 0xdb]]), .badReply), (.reply([0x10: [0x90, 0]]), .badReply),
      (.reply([0x10: [0x61, 0x2c]]), .badReply), (.reply(Card.aka([0xdb, 3, 1, 2, 3])), .badReply),
      (.reply(Card.aka([], [0x6f, 0])), .badReply),
      (.reply([0x10: [0x98, 0x64]]), .notSupported), (.refuse(3, [0x10: [0x6e, 0]]), .notSupported),
      (.refuse(34), .failed), (.refuse(3), .failed), (.refuse(102), .simAbsent), (.refuse(104), .simLocked),
      (.refuse(59), .simLocked), (.refuse(37), .simNotReady), (.refuse(90), .simNotReady), (.refuse(23), .simNotReady),
      (.refuse(52), .simNotReady),
    ] as [(Act, ModemError.Code)])
  private func `is asked once, and an answer that is none is an error of its own`(
    act: Act, code: ModemError.Code
  ) async throws {
    let (outcome, requests) = try await challenge(.init(answer: act))
    #expect(error(outcome)?.code == code && requests.map(\.message) == [0x34], "\(outcome)")
    #expect(error(outcome)?.message.hasPrefix("SIM authentication: ") == true)
  }

  // MARK: On a channel

  @Test(arguments: [71, 94, 25, 48, 1, 17] as [UInt16])
  func `is asked on a channel if the firmware does not know the message`(refusal: UInt16) async throws {
    let ways = AuthenticationWays()
    let (outcome, requests) = try await challenge(.init(answer: .refuse(refusal)), ways: ways)
    #expect(try outcome.get() == Known.response && requests.map(\.message) == [0x34, 0x42, 0x3b, 0x3f])
    #expect(requests[1].fields == [1: [1], 0x10: [16] + Known.usim])
    #expect(requests[2].fields[1] == [1] && requests[2].fields[0x10] == [1])
    #expect(requests[3].fields == [1: [1], 0x11: [1]])
    // The next port does not ask for it again.
    let (_, later) = try await challenge(.init(answer: .refuse(refusal)), ways: ways)
    #expect(later.map(\.message) == [0x42, 0x3b, 0x3f])
  }

  @Test(arguments: [(1, 0x01), (3, 0x03), (4, 0x40), (19, 0x4f)] as [(UInt8, UInt8)])
  func `is asked on the channel that it gave`(number: UInt8, classByte: UInt8) async throws {
    let card = Card(
      channel: .reply(Card.channel(number)),
      commands: [[.reply(Card.content([], [0x61, 0x2c]))], [.reply(Card.content(Known.success()))]])
    let (outcome, requests) = try await challenge(card)
    #expect(try outcome.get() == Known.response)
    let commands = requests.filter { $0.message == 0x3b }
    #expect(commands[0].fields[2] == [40, 0, classByte, 0x88, 0, 0x81, 34, 16] + Known.rand + [16] + Known.autn + [0])
    #expect(commands[1].fields[2] == [5, 0, classByte, 0xc0, 0, 0, 0x2c])
    #expect(commands.allSatisfy { $0.fields[0x10] == [number] } && requests.last?.fields[0x11] == [number])
  }

  @Test(
    arguments: [
      (.reply(Card.content([], [0x69, 0x82])), .simLocked), (.reply(Card.content([], [0x69, 0x85])), .simNotReady),
      (.reply(Card.content([], [0x98, 0x64])), .notSupported), (.reply(Card.content([], [0x6d, 0])), .notSupported),
      (.refuse(3, Card.content([], [0x6e, 0])), .notSupported), (.reply(Card.content([])), .badReply),
      (.reply(Card.content([0xdb, 1])), .badReply), (.reply(), .badReply), (.reply([0x10: [1, 0, 0x90]]), .badReply),
      (.reply([0x10: [40, 0, 0x90]]), .badReply), (.refuse(3), .failed), (.refuse(23), .simNotReady),
      (.refuse(71), .notSupported),
    ] as [(Act, ModemError.Code)])
  private func `whose answer on a channel is none, or a lie, leaves no channel open`(
    act: Act, code: ModemError.Code
  ) async throws {
    let (outcome, requests) = try await challenge(.init(commands: [[act]]))
    #expect(error(outcome)?.code == code, "\(outcome)")
    #expect(requests.map(\.message) == [0x34, 0x42, 0x3b, 0x3f])
  }

  @Test(
    arguments: [
      (.refuse(68), .simNotReady, false), (.refuse(2), .simNotReady, false),
      (.refuse(3, [0x11: [0x6a, 0x81]]), .simNotReady, false),
      (.refuse(3, [0x11: [0x6a, 0x82]]), .notSupported, false),
      (.refuse(71), .notSupported, false), (.refuse(3, Card.channel(2, words: [0x6a, 0x82])), .notSupported, true),
      (.reply(Card.channel(2, words: [0x69, 0x82])), .simLocked, true), (.reply(Card.channel(0)), .badReply, false),
      (.reply(Card.channel(20)), .badReply, false), (.reply(), .badReply, false),
      (.reply([0x10: [2], 0x11: [0x90]]), .badReply, true),
    ] as [(Act, ModemError.Code, Bool)])
  private func `that gives no channel says why, and keeps none`(
    act: Act, code: ModemError.Code, isClosed: Bool
  ) async throws {
    let (outcome, requests) = try await challenge(.init(channel: act))
    #expect(error(outcome)?.code == code, "\(outcome)")
    #expect(requests.map(\.message) == [0x34, 0x42] + (isClosed ? [0x3f] : []))
  }

  @Test(arguments: [[], [octets("a0000000871004")], [[]]] as [[[UInt8]]])
  func `is found by what all USIMs begin with, where the modem names none`(applications: [[UInt8]]) async throws {
    let (outcome, requests) = try await challenge(.init(card: Card.card(applications)))
    #expect(try outcome.get() == Known.response)
    #expect(requests.first { $0.message == 0x42 }?.fields[0x10] == [7, 0xa0, 0, 0, 0, 0x87, 0x10, 2])
  }

  @Test func `is not asked by a modem without a way, which tells both`() async throws {
    let (outcome, requests) = try await challenge(.init(channel: .refuse(71)))
    #expect(error(outcome)?.code == .notSupported && requests.map(\.message) == [0x34, 0x42])
    #expect(error(outcome)?.message.contains("no way to ask its SIM") == true)
  }

  // MARK: Callers that leave

  @Test func `answers one challenge after the other`() async throws {
    try await withQMI {
      Card().acts($0)
    } _: { backend, modem in
      try await withThrowingTaskGroup(of: AKAAnswer.self) { group in
        for _ in 0..<8 { group.addTask { try await backend.authenticate(Known.challenge) } }
        for try await answer in group { #expect(answer == Known.response) }
      }
      await modem.stopListening()
      let messages = await modem.requests.reduce(into: [UInt16]()) { if Self.concerns($1) { $0.append($1.message) } }
      #expect(messages == [0x34] + (0..<8).flatMap { _ in [0x42, 0x3b, 0x3f] as [UInt16] })
    }
  }

  @Test func `is not asked for a caller who has left, and closes the channel of one who leaves`() async throws {
    // The answer comes with the second command on the channel.
    let card = Card(commands: [[], [.reply(Card.content(Known.outOfStep))]])
    try await withQMI(limits: .init(pin: .milliseconds(300))) {
      card.acts($0)
    } _: { backend, modem in
      var requests = modem.requests.makeAsyncIterator()
      func next(_ message: UInt16) async -> ScriptedQMIModem.Request? {
        while let request = await requests.next() {
          if request.service == 11, request.message == message { return request }
        }
        return nil
      }
      let first = Task { try await backend.authenticate(Known.challenge) }
      _ = await next(0x3b)
      let second = Task { try await backend.authenticate(Known.challenge) }
      let third = Task { try await backend.authenticate(Known.challenge) }
      // Both wait for the first.
      while await backend.callsToSIM < 3 { await Task.yield() }
      second.cancel()
      first.cancel()
      #expect(await modemError { try await first.value }?.code == .cancelled)
      #expect(await modemError { try await second.value }?.code == .cancelled)
      // The first one's channel is closed once the card's time is over.
      #expect(await next(0x3f)?.fields[0x11] == [1])
      let answer = try await third.value
      #expect(answer == Known.synchronise)
      await modem.stopListening()
      var commands = 0
      while let request = await requests.next() { if request.message == 0x3b { commands += 1 } }
      #expect(commands == 1)
    }
  }

  @Test func `has no channel left when the port is closed meanwhile`() async throws {
    let card = Card(commands: [[]])
    let modem = await ScriptedQMIModem { card.acts($0) }
    let backend = QMIBackend(QMIConfiguration(path: modem.path))
    try await backend.open()
    var requests = modem.requests.makeAsyncIterator()
    let call = Task { try await backend.authenticate(Known.challenge) }
    while let request = await requests.next(), request.message != 0x3b {}
    await backend.close()
    #expect(await modemError { try await call.value }?.code == .cancelled)
    await modem.stopListening()
    var closed: [[UInt8]?] = []
    while let request = await requests.next() { if request.message == 0x3f { closed.append(request.fields[0x11]) } }
    #expect(closed == [[1]])
    #expect(await modem.clients.isEmpty)
    await modem.hangUp()
  }

  @Test func `is freed of a killed port's channel when the port is opened`() async throws {
    let file = "/tmp/modemd-channel-\(getpid())-qmi"
    defer { unlink(file) }
    let card = Card()
    let modem = await ScriptedQMIModem { card.acts($0) }
    ChannelNote(path: file, device: modem.path).write(.channel(slot: 2, number: 5))
    var configuration = QMIConfiguration(path: modem.path)
    configuration.channelFile = file
    let backend = QMIBackend(configuration)
    try await backend.open()
    await modem.stopListening()
    let requests = await modem.requests.reduce(into: [ScriptedQMIModem.Request]()) {
      if Self.concerns($1) { $0.append($1) }
    }
    #expect(requests.map(\.message) == [0x3f] && requests[0].fields == [1: [2], 0x11: [5]])
    #expect(access(file, F_OK) != 0)
    await backend.close()
    await modem.hangUp()
  }

  @Test func `is asked to close a channel again that it did not close`() async throws {
    let file = "/tmp/modemd-channel-\(getpid())-qmi-kept"
    defer { unlink(file) }
    let card = Card(close: .refuse(23))
    try await withQMI(channelFile: file) {
      card.acts($0)
    } _: { backend, modem in
      for _ in 0..<2 { _ = try await backend.authenticate(Known.challenge) }
      await modem.stopListening()
      let messages = await modem.requests.reduce(into: [UInt16]()) { if Self.concerns($1) { $0.append($1.message) } }
      #expect(messages == [0x34, 0x42, 0x3b, 0x3f, 0x3f, 0x42, 0x3b, 0x3f])
    }
    #expect(access(file, F_OK) == 0)
  }

  // MARK: Group identifier

  @Test(
    arguments: [
      (.reply(QMIField.file([0x12, 0x34, 0xff])), [0x12, 0x34]), (.reply(QMIField.file([0xff, 0xff])), nil),
      (.refuse(80), nil), (.refuse(71), nil),
    ] as [(Act, [UInt8]?)])
  private func `has a group identifier where its file holds one`(act: Act, identifier: [UInt8]?) async throws {
    try await withQMI { request in
      request.service == 11 && request.message == 0x20 ? [act] : [.usual]
    } _: { backend, modem in
      let found = try await backend.groupIdentifier()
      #expect(found == identifier)
      await modem.stopListening()
      let reads = await modem.requests.reduce(into: [[UInt8]?]()) { if $1.message == 0x20 { $0.append($1.fields[2]) } }
      #expect(reads == [[0x3e, 0x6f, 4, 0, 0x3f, 0xff, 0x7f]])
    }
  }
}
