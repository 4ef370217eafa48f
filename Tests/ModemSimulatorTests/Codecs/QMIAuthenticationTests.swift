import Milenage
import Testing

@testable import ModemSimulator

@Suite("Challenges over QMI")
struct QMIAuthenticationTests {
  private let home = SimulatedHome()
  private static let hasVectors: Comment = "the file of vectors has no section qmi_uim"

  private func host(
    _ configuration: SimulatedModemConfiguration = SimulatedModemConfiguration()
  ) -> (host: QMIHost, client: UInt8) {
    var host = QMIHost(configuration)
    let client = host.allocate(.uim)
    return (host, client)
  }

  /// A QMI message of the vectors as the service's client sends it.
  private func framed(_ message: [UInt8], client: UInt8) -> [UInt8] {
    [1] + UInt16(message.count + 5).littleEndianBytes + [0, QMIService.uim.rawValue, client] + message
  }

  private static func challenge(_ vector: Milenage.Vector, context: UInt8 = 3) -> [(UInt8, [UInt8])] {
    [(1, [0, 0]), (2, [context, 34, 0, 16] + vector.rand + [16] + vector.autn)]
  }

  private static func command(_ bytes: [UInt8], on channel: UInt8?) -> [(UInt8, [UInt8])] {
    [(1, [1]), (2, UInt16(bytes.count).littleEndianBytes + bytes)] + (channel.map { [(0x10, [$0])] } ?? [])
  }

  private static func authenticate(_ vector: Milenage.Vector, on channel: UInt8) -> [UInt8] {
    [channel, 0x88, 0x00, 0x81, 0x22, 0x10] + vector.rand + [0x10] + vector.autn + [0x00]
  }

  private static let open = [
    (UInt8(1), [UInt8(1)]), (0x10, [UInt8(SIMCard.applicationID.count)] + SIMCard.applicationID),
  ]

  private func value(_ type: UInt8, _ answer: QMIHost.Answer) -> [UInt8]? {
    answer.fields.fields.first { $0.type == type }?.value
  }

  // MARK: Authenticate

  @Test func `RES and keys, AUTS, and the status words of a stranger's challenge with an error`() {
    var (host, client) = host()
    let vector = home.vector(32)
    let answer = host.send(.uim, client: client, 0x34, Self.challenge(vector))[0]
    #expect(answer.error == 0 && value(0x10, answer) == [0x90, 0x00])
    #expect(value(0x11, answer) == [0x2c, 0, 0xdb, 8] + vector.res + [16] + vector.ck + [16] + vector.ik)
    let again = host.send(.uim, client: client, 0x34, Self.challenge(vector))[0]
    #expect(again.error == 0 && value(0x10, again) == [0x90, 0x00])
    #expect(value(0x11, again)?.prefix(4) == [0x10, 0, 0xdc, 14])
    #expect(home.sequence(in: Array(value(0x11, again)?.dropFirst(4) ?? [])) == 32)
    host.core.engine.authentication.card = .wrongKey
    let stranger = host.send(.uim, client: client, 0x34, Self.challenge(home.vector(64)))[0]
    #expect(stranger.error == 34 && value(0x10, stranger) == [0x98, 0x62] && value(0x11, stranger) == nil)
    #expect(host.core.engine.challenges == 3)
  }

  @Test(.enabled(if: AuthenticationVectors.has("qmi_uim"), hasVectors))
  func `the messages are those of the vectors`() throws {
    let vectors = try AuthenticationVectors("qmi_uim")
    var (host, client) = host()
    let request = try framed(vectors("authenticate_request"), client: client)
    // The request is not of this SIM's home.
    #expect(try host.send(request)[0].bytes.dropFirst(6) == vectors("authenticate_reply_mac_failure")[...])
    func fields(_ answer: ChallengeAnswer) throws -> [UInt8] {
      var details = QMITLVs()
      return try QMIEndpoint.fields(of: answer, details: &details).bytes
    }
    let response = ChallengeAnswer.response(
      res: hex("28d7b0f2a2ec3de5"), length: 8, ck: hex("5349fbe098649f948f5d2e973a81c00f"),
      ik: hex("9744871ad32bf9bbd1dd5ce54e3e2e5a"), kc: [])
    // Behind the header and the result.
    #expect(try fields(response) == Array(vectors("authenticate_reply_ok").dropFirst(14)))
    #expect(
      try fields(.synchronisation(Array(0x71...0x7e))) == Array(vectors("authenticate_reply_sync").dropFirst(14)))
  }

  @Test func `another session names its application`() {
    var (host, client) = host()
    var fields = Self.challenge(home.vector(32))
    fields[0].1 = [6, UInt8(SIMCard.applicationID.count)] + SIMCard.applicationID
    #expect(host.send(.uim, client: client, 0x34, fields)[0].error == 0)
    fields[0].1 = [6, 2, 0xa0, 0x01]
    #expect(host.send(.uim, client: client, 0x34, fields)[0].error == 100)
    #expect(host.send(.uim, client: client, 0x34, Self.challenge(home.vector(64), context: 0x0b))[0].error == 0)
    let gsm = host.send(.uim, client: client, 0x34, Self.challenge(home.vector(96), context: 2))[0]
    #expect(gsm.error == 34 && value(0x10, gsm) == [0x98, 0x64])
    #expect(host.core.engine.challenges == 2)
  }

  @Test(
    "the status words come with the error",
    arguments: [(UInt16(0x6982), UInt16(82)), (0x6985, 3), (0x9864, 3), (0x9862, 34)])
  func statusWords(words: UInt16, error: UInt16) {
    var (host, client) = host(.answering { $0.statusWords = words })
    let answer = host.send(.uim, client: client, 0x34, Self.challenge(home.vector(32)))[0]
    #expect(answer.error == error)
    #expect(value(0x10, answer) == [UInt8(words >> 8), UInt8(words & 0xff)])
  }

  @Test func `a SIM that waits for its PIN, and one that is not there`() {
    var configuration = SimulatedModemConfiguration()
    configuration.sim?.pin = "1234"
    var (host, client) = host(configuration)
    let locked = host.send(.uim, client: client, 0x34, Self.challenge(home.vector(32)))[0]
    #expect(locked.error == 82 && value(0x10, locked) == [0x69, 0x82])
    configuration.sim = nil
    var (empty, other) = self.host(configuration)
    for (message, fields) in [(UInt16(0x34), Self.challenge(home.vector(32))), (0x42, Self.open)] {
      #expect(empty.send(.uim, client: other, message, fields)[0].error == 52)
    }
    #expect(empty.core.engine.challenges == 0)
  }

  @Test(
    "what the answer contains may be wrong",
    arguments: [
      (SimulatedModemConfiguration.answering { $0.claimedLength = 0 }, [0x24, 0, 0xdb, 0]),
      (SimulatedModemConfiguration.answering { $0.claimedLength = 3 }, [0x27, 0, 0xdb, 3]),
      (SimulatedModemConfiguration.answering { $0.claimedLength = 17 }, [0x35, 0, 0xdb, 17]),
      (SimulatedModemConfiguration.answering { $0.claimedLength = 255 }, [0x2c, 0, 0xdb, 255]),
      (SimulatedModemConfiguration.answering { ($0.card, $0.leavesOutAUTS) = (.neverInStep, true) }, [2, 0, 0xdc, 0]),
      (SimulatedModemConfiguration.answering { $0.givesKc = true }, [0x35, 0, 0xdb, 8]),
    ])
  func content(configuration: SimulatedModemConfiguration, start: [UInt8]) {
    var (host, client) = host(configuration)
    let answer = host.send(.uim, client: client, 0x34, Self.challenge(home.vector(32)))[0]
    #expect(answer.error == 0)
    #expect(value(0x11, answer).map { Array($0.prefix(4)) } == start)
  }

  @Test(
    "a way that is missing is an unknown command",
    arguments: [
      (SimulatedModemConfiguration.answering { $0.ways = [.channels] }, UInt16(71), UInt16(0)),
      (SimulatedModemConfiguration.answering { $0.ways = [.direct] }, 0, 71),
      (SimulatedModemConfiguration.answering { $0.ways = [] }, 71, 71),
    ])
  func ways(configuration: SimulatedModemConfiguration, direct: UInt16, channels: UInt16) {
    var (host, client) = host(configuration)
    #expect(host.send(.uim, client: client, 0x34, Self.challenge(home.vector(32)))[0].error == direct)
    #expect(host.send(.uim, client: client, 0x42, Self.open)[0].error == channels)
  }

  @Test("a request that lacks a field", arguments: [0x34, 0x3b, 0x3f, 0x42] as [UInt16])
  func missing(message: UInt16) {
    var (host, client) = host()
    #expect(host.send(.uim, client: client, message)[0].error == 17)
    #expect(host.send(.uim, client: client, message, [(1, [1])])[0].error == 17)
    let other: UInt16 = message == 0x34 ? 17 : 48
    #expect(host.send(.uim, client: client, message, [(1, [2])])[0].error == other)
  }

  // MARK: Channels

  @Test(.enabled(if: AuthenticationVectors.has("qmi_uim"), hasVectors))
  func `the vectors' messages about channels`() throws {
    let vectors = try AuthenticationVectors("qmi_uim")
    var (host, client) = host()
    // Another card's application.
    let other = try host.send(framed(vectors("open_logical_channel_request"), client: client))[0]
    #expect(other.error == 3 && value(0x11, other) == [0x6a, 0x82])
    let opened = host.send(.uim, client: client, 0x42, Self.open)[0]
    #expect(try opened.bytes.dropFirst(9) == vectors("open_logical_channel_reply").dropFirst(3))
    let sent = try host.send(framed(vectors("send_apdu_request"), client: client))[0]
    #expect(sent.error == 0 && value(0x10, sent) == [2, 0, 0x98, 0x62])
    #expect(try host.send(framed(vectors("close_logical_channel_request"), client: client))[0].error == 0)
    #expect(host.core.engine.card?.channels == [])
  }

  @Test func `a challenge over a channel`() {
    var (host, client) = host()
    #expect(value(0x10, host.send(.uim, client: client, 0x42, Self.open)[0]) == [1])
    let vector = home.vector(32)
    let answer = host.send(.uim, client: client, 0x3b, Self.command(Self.authenticate(vector, on: 1), on: 1))[0]
    let content = [0xdb, 8] + vector.res + [16] + vector.ck + [16] + vector.ik + [0x90, 0x00]
    #expect(answer.error == 0 && value(0x10, answer) == [0x2e, 0] + content)
    #expect(host.core.engine.challenges == 1)
    #expect(host.send(.uim, client: client, 0x3f, [(1, [1]), (0x11, [1])])[0].error == 0)
    #expect(host.send(.uim, client: client, 0x3f, [(1, [1]), (0x11, [1])])[0].error == 48)
  }

  @Test func `the basic channel has the USIM, too`() {
    var (host, client) = host()
    let command = Self.command(Self.authenticate(home.vector(32), on: 0), on: nil)
    #expect(value(0x10, host.send(.uim, client: client, 0x3b, command)[0])?.suffix(2) == [0x90, 0x00])
  }

  @Test func `the class byte must name the channel`() {
    var (host, client) = host()
    _ = host.send(.uim, client: client, 0x42, Self.open)
    let vector = home.vector(32)
    for (number, words) in [(UInt8(0), [0x68, 0x81]), (0x40, [0x68, 0x81]), (0x80, [0x6e, 0x00])] as [(UInt8, [UInt8])]
    {
      let command = Self.command(Self.authenticate(vector, on: number), on: 1)
      #expect(value(0x10, host.send(.uim, client: client, 0x3b, command)[0])?.suffix(2) == words[...])
    }
    let cut = Self.command([1, 0x88, 0, 0x81, 0x22, 0x10], on: 1)
    #expect(value(0x10, host.send(.uim, client: client, 0x3b, cut)[0])?.suffix(2) == [0x67, 0x00])
    #expect(host.core.engine.challenges == 0)
  }

  @Test func `no channel is left, and the host's end frees none`() {
    var (host, client) = host(.answering { $0.takenChannels = 1 })
    #expect(value(0x10, host.send(.uim, client: client, 0x42, Self.open)[0]) == [2])
    #expect(value(0x10, host.send(.uim, client: client, 0x42, Self.open)[0]) == [3])
    let full = host.send(.uim, client: client, 0x42, Self.open)[0]
    #expect(full.error == 68 && value(0x11, full) == [0x6a, 0x81] && value(0x10, full) == nil)
    // Its clients are void.
    _ = host.send(.ctl, client: 0, 0x27)
    #expect(host.core.engine.card?.channels.map(\.number) == [2, 3])
    let next = host.allocate(.uim)
    #expect(host.send(.uim, client: next, 0x3f, [(1, [1]), (0x11, [2])])[0].error == 0)
    #expect(value(0x10, host.send(.uim, client: next, 0x42, Self.open)[0]) == [2])
  }

  @Test func `61xx, and GET RESPONSE`() {
    var (host, client) = host(.answering { $0.usesGetResponse = true })
    _ = host.send(.uim, client: client, 0x42, Self.open)
    let vector = home.vector(32)
    let first = host.send(.uim, client: client, 0x3b, Self.command(Self.authenticate(vector, on: 1), on: 1))[0]
    #expect(value(0x10, first) == [2, 0, 0x61, 0x2c])
    let second = host.send(.uim, client: client, 0x3b, Self.command([1, 0xc0, 0, 0, 0x2c], on: 1))[0]
    #expect(value(0x10, second)?.prefix(4) == [0x2e, 0, 0xdb, 8])
    #expect(value(0x10, second)?.suffix(2) == [0x90, 0x00])
  }
}
