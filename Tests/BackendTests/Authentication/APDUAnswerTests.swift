import CardCommands
import ModemModel
import Testing
import VectorSupport

@Suite struct `A card's answer to a challenge` {
  struct Part: Sendable {
    let data: [UInt8]
    let words: StatusWords

    init(_ data: [UInt8] = [], _ words: UInt16 = 0x9000) {
      self.data = data
      self.words = StatusWords(UInt8(words >> 8), UInt8(words & 0xff))
    }
  }

  private static func error(_ parts: [Part]) -> ModemError? {
    var answer = AuthenticateAnswer("test")
    do throws(ModemError) {
      for part in parts { _ = try answer.take(part.data, part.words).get() }
      return nil
    } catch {
      return error
    }
  }

  private static func steps(_ parts: [Part]) throws -> [AuthenticateAnswer.Step] {
    var answer = AuthenticateAnswer("test")
    return try parts.map { try answer.take($0.data, $0.words).get() }
  }

  @Test(arguments: 4...16) func `holds RES, CK and IK, in this order`(count: Int) throws {
    let res = Array(Known.autn.prefix(count))
    let steps = try Self.steps([Part(Known.success(res: res))])
    #expect(steps == [.answered(Known.answer(res: res))])
    guard case .answered(.response(let response)) = steps.first else { return }
    #expect(response.ck.revealed == Known.ck && response.ik.revealed == Known.ik)
  }

  @Test func `may hold a key for GSM, and come with a proactive command`() throws {
    let kc = [UInt8](repeating: 9, count: 8)
    #expect(try Self.steps([Part(Known.success(kc: kc), 0x910b)]) == [.answered(Known.response)])
  }

  @Test func `may be AUTS`() throws {
    #expect(try Self.steps([Part(Known.outOfStep)]) == [.answered(Known.synchronise)])
  }

  @Test func `may wait until it is fetched, in parts, and under another length`() throws {
    let whole = Known.success()
    #expect(
      try Self.steps([Part([], 0x6135), Part(whole)]) == [.fetch(0x35), .answered(Known.response)])
    #expect(
      try Self.steps([Part([], 0x6100), Part([], 0x6c2c), Part(whole)])
        == [.fetch(0), .fetch(0x2c), .answered(Known.response)])
    #expect(
      try Self.steps([Part([], 0x6110), Part(Array(whole.prefix(16)), 0x611c), Part(Array(whole.dropFirst(16)))])
        == [.fetch(0x10), .fetch(0x1c), .answered(Known.response)])
  }

  @Test func `may say that the challenge is not from home`() throws {
    #expect(try Self.steps([Part([], 0x9862)]) == [.answered(.refused)])
    #expect(AuthenticateAnswer.read([], StatusWords(0x98, 0x62), during: "test") == .success(.refused))
  }

  @Test(
    arguments: [
      (0x9864, .notSupported), (0x6d00, .notSupported), (0x6e00, .notSupported), (0x6982, .simLocked),
      (0x6983, .simLocked), (0x6985, .simNotReady), (0x9300, .simNotReady), (0x6f00, .badReply), (0x6581, .badReply),
      (0x6a86, .badReply), (0x6700, .badReply), (0x9001, .badReply), (0x0000, .badReply), (0x6c35, .badReply),
    ] as [(UInt16, ModemError.Code)])
  func `may be a refusal, which has a sentence of its own`(words: UInt16, code: ModemError.Code) {
    let error = Self.error([Part([], words)])
    #expect(error?.code == code)
    let shown = String(words, radix: 16).uppercased()
    #expect(error.map { "\($0)".contains("test: ") && "\($0)".contains(shown) || words == 0 } == true, "\(error!)")
  }

  /// What no SIM answers, with the status words of success.
  static let lies: [[UInt8]] =
    [
      [], [0xdb], [0xdc], [0xdc, 14], [0xdb, 8], [0xda] + Known.success().dropFirst(),
      Known.success(res: []), Known.success(res: [1, 2, 3]), Known.success(res: [UInt8](repeating: 1, count: 17)),
      Known.success(ck: Array(Known.ck.dropLast())), Known.success(ik: Known.ik + [0]), Known.success(kc: []),
      Known.success(kc: [1, 2, 3, 4, 5, 6, 7]), Known.success() + [0], Known.success(kc: Known.res) + [0],
      Known.outOfStep + [0], Array(Known.outOfStep.dropLast()), [0xdc, 13] + Known.auts, [0xdc, 255] + Known.auts,
      [0xdb, 255] + Known.success().dropFirst(2), [0xdb, 0] + Known.success().dropFirst(2),
    ] + (1..<Known.success().count).map { Array(Known.success().prefix($0)) }

  @Test(arguments: lies) func `that no SIM gives cannot be read`(data: [UInt8]) {
    #expect(Self.error([Part(data)])?.code == .badReply)
  }

  @Test func `ends, however much a card has to say`() {
    #expect(Self.error([Part([UInt8](repeating: 0xdb, count: 62))])?.code == .badReply)
    #expect(Self.error([Part](repeating: Part([], 0x6110), count: 4))?.code == .badReply)
    #expect(
      Self.error([Part([UInt8](repeating: 1, count: 40), 0x6110), Part([UInt8](repeating: 1, count: 40))])?.code
        == .badReply)
    // A modem that fetches must have fetched all.
    #expect(throws: ModemError.self) { try AuthenticateAnswer.read([], StatusWords(0x61, 0x2c), during: "test").get() }
  }

  @Test func `is not printed`() throws {
    var answer = AuthenticateAnswer("test")
    _ = try answer.take([0xdb, 0x2a], StatusWords(0x61, 0x2c)).get()
    var printed = ""
    dump(answer, to: &printed)
    let command = CardCommand.authenticate(Known.challenge, on: .basic)
    dump(command, to: &printed)
    print(command, Known.response, Known.synchronise, to: &printed)
    #expect(!printed.contains("42") && !printed.contains("254") && !printed.contains("40"), "\(printed)")
  }

  @Test(arguments: TS43Vectors.items("apdu", "answers")) func `is that of the vectors`(answer: TS43Vectors.Member)
    throws
  {
    // Many answers have status words alone.
    let (data, words) = (answer.value.bytes("data") ?? [], try #require(answer.value.bytes("sw")))
    let part = Part(data, UInt16(words[0]) << 8 | UInt16(words[1]))
    switch (words[0], words[1]) {
    case (0x90, 0x00):
      try #require(data.count > 2)
      #expect(try Self.steps([part]) == [.answered(CardVectors.meaning(of: data))])
    case (0x98, 0x62): #expect(try Self.steps([part]) == [.answered(.refused)])
    case (0x98, 0x64): #expect(Self.error([part])?.code == .notSupported)
    case (0x69, 0x82): #expect(Self.error([part])?.code == .simLocked)
    case (0x69, 0x85): #expect(Self.error([part])?.code == .simNotReady)
    case (0x61, _): #expect(try Self.steps([part]) == [.fetch(words[1])])
    default: #expect(Self.error([part]) != nil)
    }
  }
}

@Suite struct `A command for a card` {
  @Test(.enabled(if: CardVectors.has("apdu"), "the file of vectors has no section apdu"))
  func `has the bytes of the vectors on each channel`() throws {
    let vectors = try CardVectors("apdu")
    for (name, channel) in try [
      ("authenticate_3g", .basic), ("channel_1", #require(CardChannel(1))), ("channel_4", #require(CardChannel(4))),
    ]
      as [(String, CardChannel)]
    {
      let bytes = try vectors(name)
      let command = CardCommand.authenticate(try CardVectors.challenge(in: bytes), on: channel)
      #expect(command.bytes == bytes, "\(name)")
    }
  }

  @Test func `names its channel in the class byte`() {
    #expect((0...19).compactMap { CardChannel($0)?.classByte } == [0, 1, 2, 3] + (0x40...0x4f))
    #expect(CardChannel(20) == nil && CardChannel(255) == nil)
    #expect(CardCommand.getResponse(0x35, on: CardChannel(3)!).bytes == [3, 0xc0, 0, 0, 0x35])
    #expect(CardCommand.getResponse(0, on: CardChannel(19)!).bytes == [0x4f, 0xc0, 0, 0, 0])
  }

  @Test func `goes to the USIM in use, else to the first, else to any`() {
    let (isim, other) = (octets("a0000000871004ff"), CardApplication.usim + [7])
    #expect(CardApplication.usim(active: Known.usim, among: [isim, other]) == Known.usim)
    #expect(CardApplication.usim(active: isim, among: [isim, other, Known.usim]) == other)
    #expect(CardApplication.usim(active: nil, among: [isim]) == CardApplication.usim)
    #expect(CardApplication.usim(active: CardApplication.usim + [UInt8](repeating: 1, count: 10), among: []).count == 7)
  }

  @Test(
    arguments: [
      ([1, 2, 0xff, 0xff], [1, 2]), ([0xff, 0xff], nil), ([], nil), ([0xff, 3, 0xff], [0xff, 3]), ([0], [0]),
    ] as [([UInt8], [UInt8]?)])
  func `reads a group identifier without its padding`(file: [UInt8], identifier: [UInt8]?) {
    #expect(GroupIdentifier.bytes(in: file) == identifier)
  }

  @Test(
    arguments: [
      (0x6a82, .notSupported), (0x6881, .notSupported), (0x6d00, .notSupported), (0x6a81, .simNotReady),
      (0x6a84, .simNotReady), (0x6985, .simNotReady), (0x6982, .simLocked), (0x6983, .simLocked), (0x6f00, .badReply),
    ] as [(UInt16, ModemError.Code)])
  func `may find no channel, for a reason`(words: UInt16, code: ModemError.Code) {
    let words = StatusWords(UInt8(words >> 8), UInt8(words & 0xff))
    let error = ModemError(noChannel: words, during: "test")
    #expect(error.code == code && error.message.contains("(status words \(words))"))
  }
}
