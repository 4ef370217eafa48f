import Glibc
import ModemAPI
import ModemAPIClient
import ModemModel
import ModemService
@_spi(Exchange) import RedirectChain
import Testing
import Varlink
import VarlinkWire

@testable import ModemctlCommands
@testable import ModemctlCore

/// What the interfaces promise: words may come, and each field of a reply is there.
@Suite("The wire between versions", .timeLimit(.minutes(1)))
struct WireTests {
  private static let url = "https://check.example/start"

  private static let chain: CheckService.ChainRunner = { request, _, onHop in
    onHop(ChainHop(.init(index: 1, url: request.url, headers: [], cookieNames: [])))
    return .failed(ChainFailure(.timeout, hop: 1, "nothing came"))
  }

  private static func run(_ body: (MemoryService) async throws -> Void) async throws {
    try await MemoryService.run(modems: [.crowded()], chain: chain, authentication: ExampleProvider.whole, body)
  }

  // MARK: Words and fields of tomorrow

  @Test("A client of today reads the words of tomorrow, and goes on")
  func client() async throws {
    try await Self.run { today in
      try await TomorrowService.run(before: today.path) { service in
        let client = try await ModemAPIClient.connect(to: service.path)
        let word = TomorrowService.word
        let modem = try #require(try await client.call(ModemInterface.List.self, .init()).modems.first)
        #expect(modem.id == "modem-0011aabb" && modem.sim.numbers.first?.number == "+447700900123")
        #expect(modem.sim.state == .other(word) && modem.registration.technology == .other(word))
        #expect(modem.protocol == .other(word) && modem.sharing?.way == .other(word))
        for try await reply in client.stream(BearerInterface.Watch.self, .init()) {
          #expect(
            reply.event == .other(word) && reply.bearer.state == .other(word) && reply.bearer.guard == .other(word))
          break
        }
        let other = try await ModemAPIClient.connect(to: service.path)
        var replies: [CheckInterface.Open.Reply] = []
        for try await reply in other.stream(CheckInterface.Open.self, .init(url: Self.url)) { replies.append(reply) }
        #expect(replies.count == 3 && replies.allSatisfy { $0.event == .other(word) })
        #expect(replies.last?.outcome?.result == .other(word))
        #expect(replies.last?.outcome?.failure?.cause == .other(word))
        let verify = VerifyInterface.Number.Parameters(number: "+447700900123")
        var outcomes: [VerifyInterface.Outcome] = []
        for try await reply in other.stream(VerifyInterface.Number.self, verify) {
          outcomes += [reply.outcome].compactMap(\.self)
        }
        #expect(outcomes.count == 1 && outcomes.first?.result == .other(word) && outcomes.first?.number == .other(word))
        #expect(outcomes.first?.text == "the number is that of this SIM")
      }
    }
  }

  @Test(
    "modemctl shows them, and does not take an end that it does not know for a good one",
    arguments: [
      (["list"], .done), (["status"], .done), (["status", "modem-0011aabb"], .done), (["sim"], .done),
      (["bearer"], .done),
      (["connect"], .done), (["open", url], .chainFailed), (["open", "--trace", url], .chainFailed),
      (["history"], .done),
      (["verify", "+447700900123"], .flowFailed),
    ] as [([String], Ending)])
  func modemctl(arguments: [String], ending: Ending) async throws {
    try await Self.run { today in
      // Something to remember.
      _ = await today.modemctl("open", Self.url)
      try await TomorrowService.run(before: today.path) { service in
        for more in [[], ["--json"]] {
          let run = await service.modemctl(arguments + more)
          #expect(run.status == ending, "\(run.messages)")
          #expect((run.output + run.messages).contains(TomorrowService.word), "\(run.output)")
        }
      }
    }
  }

  // MARK: Fields

  private static func declared(_ interface: any VarlinkInterface.Type, _ name: String) throws -> (
    InterfaceSyntax, TypeSyntax
  ) {
    let syntax = try InterfaceParser.parse(interface.text)
    for case .method(name, _, _, let reply) in syntax.members { return (syntax, .struct(reply)) }
    throw VarlinkError.methodNotFound(name)
  }

  private static func expectWhole<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, of interface: any VarlinkInterface.Type, at path: String
  ) async throws {
    let name = String(Method.name.dropFirst(interface.name.count + 1))
    let (syntax, reply) = try declared(interface, name)
    let client = try await VarlinkClient.connect(to: path)
    for try await value in client.stream(Untyped<Method>.self, parameters) {
      #expect(syntax.lacking(in: value, reply) == [], "\(Method.name)")
      if name == "Watch" { break }
    }
  }

  @Test("Each field that an interface declares for a reply is there, null where it has no value")
  func fields() async throws {
    for modems in [[ModemState.crowded()], [ModemState.bare()]] {
      try await MemoryService.run(modems: modems, chain: Self.chain, authentication: ExampleProvider.whole) { service in
        let path = service.path
        try await Self.expectWhole(ModemInterface.List.self, .init(), of: ModemInterface.self, at: path)
        try await Self.expectWhole(ModemInterface.Watch.self, .init(), of: ModemInterface.self, at: path)
        try await Self.expectWhole(BearerInterface.Get.self, .init(), of: BearerInterface.self, at: path)
        try await Self.expectWhole(BearerInterface.Watch.self, .init(), of: BearerInterface.self, at: path)
        try await Self.expectWhole(BearerInterface.Connect.self, .init(), of: BearerInterface.self, at: path)
        try await Self.expectWhole(CheckInterface.Open.self, .init(url: Self.url), of: CheckInterface.self, at: path)
        try await Self.expectWhole(CheckInterface.History.self, .init(), of: CheckInterface.self, at: path)
        try await Self.expectWhole(MessagesInterface.Watch.self, .init(), of: MessagesInterface.self, at: path)
        try await Self.expectWhole(
          VerifyInterface.Number.self, .init(number: "+447700900123"), of: VerifyInterface.self, at: path)
      }
    }
  }

  @Test("modemctl's JSON has them too; a HTTP Archive leaves out what has no value, as its readers expect")
  func json() async throws {
    try await MemoryService.run(modems: [.bare()], chain: Self.chain) { service in
      let (syntax, reply) = try Self.declared(ModemInterface.self, "List")
      let output = await service.modemctl("list", "--json").output
      let value = try #require(JSONValue(parsing: Array(output.utf8)))
      #expect(syntax.lacking(in: value, reply) == [] && output.contains(#""iccid":null"#))
      let archive = "\(service.path).har"
      defer { unlink(archive) }
      _ = await service.modemctl("open", "--har", archive, Self.url)
      let bytes = try ArgumentFile.read(archive, for: "the archive")
      #expect(bytes.count > 100 && !String(decoding: bytes, as: UTF8.self).contains("null"))
    }
  }
}

extension ModemState {
  /// A modem of which nothing is known.
  static func bare() -> ModemState {
    ModemState(id: "modem-1", device: "/dev/x", kind: .mbim, bearer: BearerStatus(since: Timestamp(milliseconds: 0)))
  }

  /// A modem of which everything is known, its bearer up.
  static func crowded() -> ModemState {
    var modem = sample()
    modem.sharing = Sharing(
      way: .share, reason: "there is a free session", session: 7, manager: "1.24.0", managerState: .idle,
      passedOver: "follow: x")
    var bearer = InstalledBearer.sample
    bearer.guardian = .vrf("a gap")
    modem.bearer = BearerStatus(
      state: .up(bearer), apn: "internet", apnSource: .asked, since: Timestamp(milliseconds: 0), traffic: .answered,
      resumption: .resumed)
    modem.registration.cause = NetworkCause(code: 11, text: "PLMN not allowed")
    modem.software = "modemd-port 1"
    return modem
  }
}
