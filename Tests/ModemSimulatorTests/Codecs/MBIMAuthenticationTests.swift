import Milenage
import Testing

@testable import ModemSimulator

@Suite("Challenges over MBIM")
struct MBIMAuthenticationTests {
  /// A reply: its status and its information.
  private struct Reply: Equatable {
    let status: UInt32
    let body: [UInt8]

    init(_ message: [UInt8]) {
      status = UInt32(littleEndian: message[40..<44])
      body = Array(message.dropFirst(48))
    }

    private init(status: UInt32) { (self.status, body) = (status, []) }

    static func empty(_ status: UInt32) -> Reply { Reply(status: status) }

    func word(_ position: Int) -> UInt32 { UInt32(littleEndian: body[position..<position + 4]) }
  }

  private let home = SimulatedHome()

  private func opened(_ configuration: SimulatedModemConfiguration = SimulatedModemConfiguration()) -> MBIMHost {
    var host = MBIMHost(configuration)
    _ = host.open()
    return host
  }

  /// AKA with a challenge of this SQN.
  private func ask(_ host: inout MBIMHost, _ sequence: UInt64) -> Reply {
    let vector = home.vector(sequence)
    return Reply(host.send(MBIMHost.message(1, vector.rand + vector.autn, service: .auth))[0])
  }

  private func uicc(_ host: inout MBIMHost, _ cid: UInt32, _ words: [UInt32], _ data: [UInt8] = []) -> Reply {
    Reply(host.send(MBIMHost.message(cid, isSet: true, words.flatMap(\.littleEndianBytes) + data, service: .uicc))[0])
  }

  private func open(_ host: inout MBIMHost, _ application: [UInt8] = SIMCard.applicationID, group: UInt32 = 1) -> Reply
  {
    uicc(&host, 2, [UInt32(application.count), 16, 0x0c, group], application)
  }

  private func send(_ host: inout MBIMHost, _ command: [UInt8], on channel: UInt32) -> Reply {
    uicc(&host, 4, [channel, 0, 0, UInt32(command.count), 20], command)
  }

  private static func authenticate(_ vector: Milenage.Vector) -> [UInt8] {
    [0x00, 0x88, 0x00, 0x81, 0x22, 0x10] + vector.rand + [0x10] + vector.autn + [0x00]
  }

  // MARK: AUTH

  @Test func `RES with its length, IK before CK, and room for AUTS`() {
    var host = opened()
    let vector = home.vector(32)
    let zeros = [UInt8](repeating: 0, count: 8)
    #expect(ask(&host, 32).status == 0)
    #expect(
      ask(&host, 64).body == vector.res + zeros + [8, 0, 0, 0] + vector.ik + vector.ck + zeros + zeros)
    #expect(host.core.engine.challenges == 2)
  }

  @Test func `AUTS with status 36, and 35 for a stranger`() {
    var host = opened()
    #expect(ask(&host, 32).status == 0)
    let again = ask(&host, 32)
    #expect(again.status == 36 && again.body.count == 68)
    #expect(again.body.prefix(52).allSatisfy { $0 == 0 } && again.body.suffix(2) == [0, 0])
    #expect(home.sequence(in: Array(again.body[52..<66])) == 32)
    host.core.engine.authentication.card = .wrongKey
    #expect(ask(&host, 64) == Reply.empty(35))
  }

  @Test(.enabled(if: AuthenticationVectors.has("mbim"), "the file of vectors has no section mbim"))
  func `the layouts are those of the vectors`() throws {
    let vectors = try AuthenticationVectors("mbim")
    var host = opened()
    // The query is not of this SIM's home.
    #expect(try host.send(vectors("aka_query")) == [vectors("replies", "mac_empty_body", "hex")])
    let command = MBIMCommand(transaction: 1, service: .auth, cid: 1, isSet: false, body: [])
    func bytes(_ answer: ChallengeAnswer) -> [UInt8] {
      MBIMEncoder.commandDone(
        command, MBIMEndpoint.reply(to: answer, networkName: nil, autn: []), maxTransfer: 4096)
    }
    let response = ChallengeAnswer.response(
      res: hex("28d7b0f2a2ec3de5"), length: 8, ck: hex("5349fbe098649f948f5d2e973a81c00f"),
      ik: hex("9744871ad32bf9bbd1dd5ce54e3e2e5a"), kc: [])
    #expect(try bytes(response) == vectors("replies", "ok68", "hex"))
    #expect(try bytes(.synchronisation(Array(0x71...0x7e))) == vectors("replies", "sync68", "hex"))
  }

  @Test func `AKAP binds the keys to the network's name, and wants the separation bit`() throws {
    var host = opened()
    let name = "WLAN".utf16.flatMap(\.littleEndianBytes)
    func ask(_ vector: Milenage.Vector) -> Reply {
      let reference = [40, UInt32(name.count)].flatMap(\.littleEndianBytes)
      return Reply(
        host.send(MBIMHost.message(2, vector.rand + vector.autn + reference + name, service: .auth))[0])
    }
    #expect(ask(home.vector(32, amf: [0x7f, 0xff])) == Reply.empty(37))
    #expect(host.core.engine.challenges == 0)
    let vector = home.vector(32)
    let keys = vector.keys(boundTo: Array("WLAN".utf8))
    let reply = ask(vector)
    #expect(reply.status == 0 && reply.body.prefix(8) == vector.res[...])
    #expect(Array(reply.body[20..<36]) == keys.ik && Array(reply.body[36..<52]) == keys.ck)
    if AuthenticationVectors.has("mbim") {
      let query = try AuthenticationVectors("mbim")("akap_query_WLAN")
      #expect(Reply(host.send(query)[0]) == Reply.empty(35))
    }
  }

  @Test func `status 36 may come with nothing`() {
    var host = opened(.answering { ($0.card, $0.leavesOutAUTS) = (.neverInStep, true) })
    #expect(ask(&host, 32) == Reply.empty(36))
  }

  @Test("a length of RES that cannot be", arguments: [0, 3, 17, 255])
  func claimedLength(length: UInt32) {
    var host = opened(.answering { $0.claimedLength = Int(length) })
    let reply = ask(&host, 32)
    #expect(reply.status == 0 && reply.body.count == 68 && reply.word(16) == length)
  }

  @Test func `a RES of four bytes is filled up`() {
    var configuration = SimulatedModemConfiguration()
    configuration.sim?.responseLength = 4
    var host = opened(configuration)
    let reply = ask(&host, 32)
    #expect(Array(reply.body.prefix(16)) == home.vector(32).res.prefix(4) + [UInt8](repeating: 0, count: 12))
    #expect(reply.word(16) == 4)
  }

  @Test func `a SIM that is not there, or waits for its PIN, is not asked`() {
    var configuration = SimulatedModemConfiguration()
    configuration.sim?.pin = "1234"
    var host = opened(configuration)
    #expect(ask(&host, 32) == Reply.empty(5))
    configuration.sim = nil
    var without = opened(configuration)
    #expect(ask(&without, 32) == Reply.empty(3))
    #expect(host.core.engine.challenges == 0 && without.core.engine.challenges == 0)
  }

  @Test(
    "status words become a status", arguments: [(UInt16(0x6982), UInt32(5)), (0x6985, 2), (0x9864, 2), (0x9862, 35)])
  func statusWords(words: UInt16, status: UInt32) {
    var host = opened(.answering { $0.statusWords = words })
    #expect(ask(&host, 32) == Reply.empty(status))
  }

  @Test func `a short query is refused`() {
    var host = opened()
    #expect(
      Reply(host.send(MBIMHost.message(1, [UInt8](repeating: 0, count: 31), service: .auth))[0]) == Reply.empty(21))
    #expect(
      Reply(host.send(MBIMHost.message(1, isSet: true, [UInt8](repeating: 0, count: 32), service: .auth))[0])
        == Reply.empty(9))
  }

  // MARK: Ways that are missing

  @Test(
    "a way that is missing is neither listed nor there",
    arguments: [
      (SimulatedModemConfiguration.answering { $0.ways = [.channels] }, false, true),
      (SimulatedModemConfiguration.answering { $0.ways = [.direct] }, true, false),
      (SimulatedModemConfiguration.answering { $0.ways = [] }, false, false),
      (SimulatedModemConfiguration(), true, true),
    ])
  func ways(configuration: SimulatedModemConfiguration, isDirect: Bool, hasChannels: Bool) {
    var host = opened(configuration)
    let services = host.command(16).body
    #expect(services.contains(MBIMService.auth.bytes) == isDirect)
    let uicc = hasChannels ? [2, 3, 4, 7, 8, 9, 10] : [7, 8, 9, 10] as [UInt32]
    let words = [UInt32(0), 0, UInt32(uicc.count)] + uicc
    #expect(services.contains(MBIMService.uicc.bytes + words.flatMap(\.littleEndianBytes)))
    #expect((ask(&host, 32).status == 0) == isDirect)
    #expect((open(&host).status == 0) == hasChannels)
  }

  @Test func `a modem without UICC access has no channels`() {
    var configuration = SimulatedModemConfiguration()
    configuration.hasUICCAccess = false
    var host = opened(configuration)
    #expect(!host.command(16).body.contains(MBIMService.uicc.bytes))
    #expect(open(&host) == Reply.empty(9))
  }

  // MARK: Channels

  @Test func `a challenge over a channel, CK before IK`() {
    var host = opened()
    #expect(open(&host).body == hex("90000000 01000000 00000000 00000000"))
    #expect(host.core.engine.card?.channels.map(\.number) == [1])
    let vector = home.vector(32)
    let data = [0xdb, 8] + vector.res + [16] + vector.ck + [16] + vector.ik
    let reply = send(&host, Self.authenticate(vector), on: 1)
    #expect(reply.body == hex("90000000 2c000000 0c000000") + data)
    #expect(send(&host, Self.authenticate(vector), on: 1).body.dropFirst(12).prefix(2) == [0xdc, 14])
    host.core.engine.authentication.card = .wrongKey
    #expect(send(&host, Self.authenticate(home.vector(64)), on: 1).body == hex("98620000 00000000 00000000"))
    #expect(host.core.engine.challenges == 3)
    #expect(uicc(&host, 3, [1, 1]).body == hex("90000000"))
    #expect(host.core.engine.card?.channels == [])
  }

  @Test(.enabled(if: AuthenticationVectors.has("mbim"), "the file of vectors has no section mbim"))
  func `the vectors' commands are understood`() throws {
    let vectors = try AuthenticationVectors("mbim")
    var host = opened()
    // Another card's application.
    let other = try Reply(host.send(vectors("uicc_open_channel"))[0])
    #expect(other.status == 0x8743_0002 && other.body == hex("6a820000 00000000 00000000 00000000"))
    #expect(open(&host).status == 0)
    // A challenge of another home, on channel 1, and the end of this channel.
    #expect(try Reply(host.send(vectors("uicc_apdu"))[0]).body == hex("98620000 00000000 00000000"))
    #expect(try Reply(host.send(vectors("uicc_close"))[0]).body == hex("90000000"))
    #expect(host.core.engine.card?.channels == [])
  }

  @Test func `SELECT's answer comes where it is asked for`() {
    var host = opened()
    let application = SIMCard.applicationID
    let reply = uicc(&host, 2, [UInt32(application.count), 16, 4, 1], application)
    #expect(reply.body == hex("90000000 01000000 10000000 10000000 620e840c") + application)
  }

  @Test func `channels end, and are taken`() {
    var host = opened()
    #expect((1...3).map { _ in open(&host).word(4) } == [1, 2, 3])
    let full = open(&host)
    #expect(full.status == 0x8743_0001 && full.body == hex("6a810000 00000000 00000000 00000000"))
    #expect(uicc(&host, 3, [2, 1]).status == 0)
    #expect(open(&host).word(4) == 2)
    var busy = opened(.answering { $0.takenChannels = 2 })
    #expect(open(&busy).word(4) == 3)
    #expect(open(&busy).status == 0x8743_0001)
    var taken = opened(.answering { $0.takenChannels = 3 })
    #expect(open(&taken).status == 0x8743_0001)
  }

  @Test func `a channel that is not open takes nothing`() {
    var host = opened()
    let command = Self.authenticate(home.vector(32))
    #expect(send(&host, command, on: 1) == Reply.empty(0x8743_0003))
    #expect(send(&host, command, on: 0) == Reply.empty(0x8743_0003))
    #expect(send(&host, command, on: 257) == Reply.empty(0x8743_0003))
    #expect(uicc(&host, 3, [1, 1]) == Reply.empty(0x8743_0003))
    #expect(host.core.engine.challenges == 0)
  }

  @Test func `a group ends with one command, also after the host is gone`() {
    var host = opened()
    for group in [7, 8, 7] as [UInt32] { #expect(open(&host, group: group).status == 0) }
    _ = host.send([2, 12, 1].flatMap(\.littleEndianBytes))
    _ = host.open()
    #expect(host.core.engine.card?.channels.map(\.number) == [1, 2, 3])
    #expect(uicc(&host, 3, [0, 7]).body == hex("90000000"))
    #expect(host.core.engine.card?.channels.map(\.number) == [2])
    #expect(uicc(&host, 3, [0, 7]).status == 0)
  }

  @Test func `channels end with the card's power`() {
    var host = opened()
    _ = open(&host)
    _ = host.core.restart()
    #expect(host.core.engine.card?.channels == [])
    _ = host.open()
    _ = open(&host)
    host.core.reset()
    #expect(host.core.engine.card?.channels == [])
  }

  @Test func `61xx, and GET RESPONSE on the same channel`() {
    var host = opened(.answering { $0.usesGetResponse = true })
    _ = open(&host)
    _ = open(&host)
    let vector = home.vector(32)
    #expect(send(&host, Self.authenticate(vector), on: 1).body == hex("612c0000 00000000 00000000"))
    // Another channel has nothing, and a length too much is answered with the right one.
    #expect(send(&host, [0, 0xc0, 0, 0, 0x2c], on: 2).body.prefix(2) == [0x69, 0x85])
    #expect(send(&host, [0, 0xc0, 0, 0, 0x2d], on: 1).body.prefix(2) == [0x6c, 0x2c])
    // What is there is padded to whole words.
    let start = [0xdb, 8] + vector.res + [0, 0]
    #expect(send(&host, [0, 0xc0, 0, 0, 0x0a], on: 1).body == hex("61220000 0a000000 0c000000") + start)
    let rest = [16] + vector.ck + [16] + vector.ik + [0, 0]
    #expect(send(&host, [0, 0xc0, 0, 0, 0], on: 1).body == hex("90000000 22000000 0c000000") + rest)
    #expect(send(&host, [0, 0xc0, 0, 0, 0], on: 1).body.prefix(2) == [0x69, 0x85])
    // Nothing is announced where nothing is there.
    host.core.engine.authentication.statusWords = 0x6982
    #expect(send(&host, Self.authenticate(vector), on: 1).body == hex("69820000 00000000 00000000"))
  }

  @Test(
    "what is wrong with a command",
    arguments: [
      ([0x00, 0x88, 0x00, 0x80, 0x22] + [UInt8](repeating: 0, count: 34), [0x6a, 0x86]),
      ([0x00, 0x88, 0x00, 0x81, 0x11, 0x10] + [UInt8](repeating: 0, count: 16), [0x67, 0x00]),
      ([0x00, 0x88, 0x00, 0x81], [0x67, 0x00]),
      ([0x00, 0xb0, 0x00, 0x00, 0x00], [0x6d, 0x00]),
    ])
  func flaws(command: [UInt8], words: [UInt8]) {
    var host = opened()
    _ = open(&host)
    let reply = send(&host, command, on: 1)
    #expect(reply.status == 0 && Array(reply.body.prefix(2)) == words)
    #expect(host.core.engine.challenges == 0)
  }

  @Test("a message that is cut is refused", arguments: [2, 3, 4] as [UInt32])
  func cut(cid: UInt32) {
    var host = opened()
    #expect(uicc(&host, cid, [16]) == Reply.empty(21))
    // A size beyond its end.
    if cid == 2 { #expect(uicc(&host, cid, [255, 16, 0, 1], [1]) == Reply.empty(21)) }
    if cid == 4 { #expect(uicc(&host, cid, [1, 0, 0, 255, 20], [1]) == Reply.empty(21)) }
  }
}

extension [UInt8] {
  /// Whether these bytes follow each other somewhere in it.
  fileprivate func contains(_ part: [UInt8]) -> Bool { firstRange(of: part) != nil }
}
