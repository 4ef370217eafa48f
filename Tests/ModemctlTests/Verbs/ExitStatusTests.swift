import ArgumentParser
import AuthCore
import AuthFlows
import Glibc
import JSONTree
import MIRACLTestSupport
import ModemAPI
import ModemAPIServer
import ModemModel
import ModemService
@_spi(Exchange) import RedirectChain
import ShortMessage
import Subprocess
import Testing
import TruIDFlows
@_spi(Exchange) import Web

@testable import ModemctlCommands
@testable import ModemctlCore

/// Each exit status is provoked with each verb that can end with it. A verb that is added and not
/// listed here fails `complete`.
@Suite("Exit statuses", .timeLimit(.minutes(3)))
struct ExitStatusTests {
  /// What a verb needs.
  enum Kind {
    /// Works without modemd.
    case own
    /// Asks modemd about itself.
    case service
    /// Is answered from what modemd knows of a modem.
    case memory
    /// Makes the modem do something.
    case modem
    /// Reads the modem's messages.
    case messages
    /// Calls a provider, about the SIM.
    case flow
  }

  /// A file that holds whatever verbs read from one.
  private static let file: String = {
    let path = "/tmp/modemctl-exit-status-\(getpid())"
    let text =
      #"{"code":"c","nonce":"n","refreshToken":"r","accessToken":"a","idToken":"i","subject":"s","user":"u","hash":"\#(hash)","mpinId":"00","#
      + #""publicKey":"00","dtas":"d","U":"00","V":"00","timestamp":1}"#
    try? ArgumentFile.write(text, to: path)
    return path
  }()

  private static let hash = String(repeating: "ab", count: 32)
  private static let number = "+447700900123"

  static let verbs: [(words: [String], kind: Kind)] = [
    (["list"], .service), (["status"], .service), (["history"], .service), (["providers"], .service),
    (["usage"], .service), (["sockets", "list"], .service), (["sockets", "end", "0123456789abcdef"], .service),
    (["resolve", "check.example"], .modem),
    (["diagnose", "--output", "-"], .own), (["web", "open", "--control", "/nonexistent/control"], .own),
    (["provider", "list"], .own), (["provider", "check", "truid"], .own), (["provider", "edit", "truid"], .own),
    (["provider", "add", "truID", "--no-questions"], .own), (["provider", "remove", "truid"], .own),
    // What these end with is in FleetVerbTests, FleetCommandWorldTests and MetricsWorldTests.
    (["metrics", "--socket", "/nonexistent/metrics"], .own), (["fleet", "status"], .own),
    (
      [
        "fleet", "join", "broker.example", "--machine", "m", "--authorities", file, "--certificate", file, "--key",
        file,
      ], .own
    ),
    (["fleet", "check"], .own), (["fleet", "leave"], .own),
    (["bearer"], .memory), (["sim"], .memory), (["watch", "--modem", "modem-0011aabb"], .memory),
    (["connect"], .modem), (["disconnect"], .modem), (["prepare"], .modem),
    (["open", "https://check.example/"], .modem),
    (["unlock"], .modem), (["switch-slot", "1"], .modem),
    (["sms", "list"], .messages), (["sms", "show", "sms-0000000000000000"], .messages), (["sms", "watch"], .messages),
    (["sms", "wait-for-code", "--timeout", "1"], .messages),
    (["sms", "delete", "sms-0000000000000000"], .messages),
    (["verify", number], .flow),
    (["truid", "phone-check", number], .flow), (["truid", "subscriber-check", number], .flow),
    (["truid", "sim-check", number], .flow), (["truid", "coverage"], .flow),
    (["truid", "traces", "00000000-0000-4000-8000-000000000000", "--kind", "phoneCheck"], .flow),
    (["ipification", "coverage"], .flow), (["ipification", "authorize", number], .flow),
    (["ipification", "verify", number], .flow),
    (["mobile-connect", "discover"], .flow), (["mobile-connect", "login"], .flow),
    (["mobile-connect", "authorize"], .flow), (["mobile-connect", "validate", number], .flow),
    (["mobile-connect", "ask"], .flow), (["mobile-connect", "exchange", file], .flow),
    (["mobile-connect", "userinfo", file], .flow),
    (["mobile-connect", "identity", file], .flow), (["mobile-connect", "refresh", file], .flow),
    (["mobile-connect", "revoke", file], .flow),
    (["number-verification", "verify", number], .flow), (["number-verification", "device-number"], .flow),
    (["sim-swap", "check"], .flow), (["sim-swap", "retrieve-date"], .flow),
    (["number-recycling", "2026-10-31"], .flow),
    (["ts43", "verify", number], .flow), (["ts43", "number"], .flow), (["ts43", "subscriber"], .flow),
    (["ts43", "token", "verify"], .flow),
    (["sign-in", number], .flow), (["refresh-sign-in", file], .flow),
    (["miracl", "register", "u@shop.example"], .flow), (["miracl", "login"], .flow),
    (["miracl", "sign", "--hash", hash], .flow), (["miracl", "verify-signature", file], .flow),
    (["miracl", "session", "https://mcl.mpin.io/mobile-login/#a1b2c3"], .flow),
    (["miracl", "abort", "https://mcl.mpin.io/mobile-login/#a1b2c3"], .flow), (["miracl", "quick-code"], .flow),
    (["miracl", "identities"], .service), (["miracl", "forget", "u@shop.example"], .service),
  ]

  private static func run(_ words: [String], _ service: MemoryService, secret: String? = nil) async -> Run {
    let recorder = RecordingConsole()
    let status = await Modemctl.run(
      words, on: recorder.console(secret: secret, variables: ["MODEMD_SOCKET": service.path]))
    return Run(status: Ending(rawValue: status), output: recorder.output, messages: recorder.messages)
  }

  /// Runs each of these verbs, and expects one end of all.
  private static func expect(
    _ status: Ending, _ kinds: Set<Kind>, _ service: MemoryService, except others: [String: Ending] = [:]
  ) async {
    for (words, kind) in verbs where kinds.contains(kind) {
      let run = await run(words, service, secret: "1234")
      let expected = others.first { words.joined(separator: " ").hasPrefix($0.key) }?.value ?? status
      #expect(run.status == expected, "\(words): \(run.messages)\(run.output)")
      // Nothing is above an error, neither a header nor a document.
      if run.status == status { #expect(run.output == "" && run.messages != "", "\(words): \(run.output)") }
    }
  }

  @Test("Every verb is here")
  func complete() {
    func leaves(_ command: any ParsableCommand.Type, _ path: [String]) -> [String] {
      let path = path + [command._commandName]
      let below = command.configuration.subcommands
      return below.isEmpty ? [path.dropFirst().joined(separator: " ")] : below.flatMap { leaves($0, path) }
    }
    // This process would become the command, whose statuses these are: RunTests.
    for leaf in leaves(Modemctl.self, []) where leaf != "run" {
      #expect(Self.verbs.contains { ($0.words.joined(separator: " ") + " ").hasPrefix(leaf + " ") }, "\(leaf)")
    }
  }

  @Test("2: an argument is wrong", arguments: verbs.map(\.words))
  func usage(words: [String]) async {
    let recorder = RecordingConsole()
    #expect(await Modemctl.run(words + ["--nonsense"], on: recorder.console()) == Ending.usage.rawValue)
    #expect(recorder.output == "" && recorder.messages.contains("--nonsense"))
  }

  @Test("3: modemd does not run", arguments: verbs.filter { $0.kind != .own }.map(\.words))
  func unreachable(words: [String]) async {
    let recorder = RecordingConsole()
    let console = recorder.console(secret: "1234", variables: ["MODEMD_SOCKET": "/nonexistent/modemd"])
    #expect(await Modemctl.run(words, on: console) == Ending.unreachable.rawValue, "\(words) \(recorder.messages)")
    #expect(recorder.output == "")
  }

  @Test("3: modemd-web does not run")
  func noInspector() async {
    let recorder = RecordingConsole()
    let status = await Modemctl.run(["web", "open", "--control", "/nonexistent/control"], on: recorder.console())
    #expect(status == Ending.unreachable.rawValue && recorder.output == "")
    #expect(recorder.messages.contains("systemctl status modemd-web"))
  }

  @Test("4: the caller may not", .enabled(if: geteuid() == 0, "another user is only to be had as root"))
  func denied() async throws {
    let program = ProgramTests.program
    // A copy where another user reaches it.
    let copy = "/tmp/modemctl-exit-status-program-\(getpid())"
    _ = try await Subprocess.run(
      .name("cp"), arguments: [program, copy], output: .discarded, error: .discarded)
    defer { unlink(copy) }
    chmod(copy, 0o755)
    chmod(Self.file, 0o644)
    try await MemoryService.run(
      access: AccessPolicy(groupIDs: [], ownUserID: 4_000_000), identities: MemoryIdentities()
    ) {
      service in
      chmod(service.path, 0o666)
      chmod(String(service.path.dropLast("/socket".count)), 0o755)
      for (words, kind) in Self.verbs where kind != .own {
        let result = try await Subprocess.run(
          // A verb that ends without reading must not end the one that writes: the shell takes
          // that.
          .name("sh"),
          arguments: .init(
            [
              "-c", "echo 1234 | \"$@\"", "sh", "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups",
              copy,
            ]
              + words),
          environment: .inherit.updating(["MODEMD_SOCKET": service.path]), input: .none,
          output: .string(limit: 4096), error: .string(limit: 4096))
        // Without providers their interfaces are not there.
        let isThere = kind != .flow && !["providers", "miracl"].contains(words.first)
        if isThere {
          #expect(result.terminationStatus == .exited(4), "\(words) \(result.standardError)")
          #expect(result.standardOutput == "")
        }
      }
    }
  }

  @Test("5: there is no modem")
  func noModem() async throws {
    try await MemoryService.run(modems: [], authentication: ExampleProvider.whole, identities: MemoryIdentities()) {
      service in
      await Self.expect(
        .noModem, [.memory, .modem, .messages, .flow], service, except: ["truid sim-check": .misconfigured])
      #expect(await Self.run(["list"], service).status == .noModem)
      let status = await Self.run(["status"], service)
      #expect(status.status == .noModem)
      #expect(await Self.run(["status", "x"], service).status == .noModem)
      for verb in ["list", "status"] { #expect(await Self.run([verb, "--json"], service).status == .done) }
    }
  }

  @Test("9: the modem was unplugged, or its port is dead; what is known is still shown, and called old")
  func dead() async throws {
    var providers = ProviderSet()
    var truID = TruIDSettings()
    truID.backend = TruIDBackend(try Endpoint("https://app.example"))
    providers.add(NamedProvider(name: "truid", settings: truID))
    let send: AuthenticationService.HostSend = { _, _ in .success(BackendReply(status: 200)) }
    try await MemoryService.run(authentication: (providers, send)) { service in
      let port = "port-modem-0011aabb"
      service.registry.markUnavailable(port, because: "the port's socket is gone", at: Timestamp(milliseconds: 0))
      await service.messages.markUnavailable(port, because: "the port's socket is gone")
      await Self.expect(
        .modemFailed, [.modem], service)
      for words in [["verify", Self.number], ["truid", "phone-check", Self.number]] {
        let run = await Self.run(words, service)
        #expect(run.status == .modemFailed && run.messages.contains("socket is gone"), "\(words) \(run.messages)")
      }
      for words in [["sms", "list"], ["sms", "wait-for-code", "--timeout", "1"]] {
        #expect(await Self.run(words, service).status == .modemFailed, "\(words)")
      }
      for words in [["list"], ["status"], ["status", "wwan0"], ["sim"], ["bearer"]] {
        let run = await Self.run(words, service)
        #expect(run.status == .done, "\(words) \(run.messages)")
      }
      let list = await Self.run(["list"], service).output.split(separator: "\n")
      #expect(list.count == 3 && list[1].hasPrefix("modem-0011aabb "))
      #expect(
        list.last
          == "  does not work since 1970-01-01T00:00:00Z, what is above was last known: the port's socket is gone")
      #expect(await Self.run(["sim"], service).output.contains("Fault"))
    }
  }

  @Test("6: the SIM is locked")
  func notReady() async throws {
    var locked = ModemState.sample(sim: .pinRequired)
    locked.sim.retriesLeft = 3
    try await MemoryService.run(modems: [locked], authentication: ExampleProvider.overBearer) { service in
      for words in [["connect"], ["prepare"], ["open", "https://check.example/"], ["verify", Self.number]] {
        let run = await Self.run(words, service)
        #expect(run.status == .notReady && run.messages.contains("PIN"), "\(words) \(run.messages)")
        #expect(!run.output.contains("PIN"), "told twice: \(run.output)")
      }
      #expect(await Self.run(["unlock"], service, secret: "0000").status == .notReady)
    }
  }

  @Test("13: no provider is configured for a call, or it is incomplete, whatever finds that out")
  func misconfigured() async throws {
    let none: AuthenticationService.HostSend = { _, _ in .success(BackendReply(status: 200)) }
    try await MemoryService.run(authentication: (ProviderSet(), none), identities: MemoryIdentities()) { service in
      await Self.expect(.misconfigured, [.flow], service)
    }
    for result in [VerifyInterface.Outcome.Result.notConfigured, .clientRefused] {
      #expect(FlowOutcomeText.status(.init(result: result, text: "x", milliseconds: 1)) == .misconfigured)
    }
  }

  @Test(
    "The end of a flow has one status, over whatever it ran",
    arguments: [
      (.verified, nil, .done), (.answered, nil, .done), (.notVerified, nil, .refuted),
      (.operatorMismatch, nil, .refuted), (.simSwapped, nil, .refuted), (.simUnknown, nil, .refuted),
      (.pinWrong, nil, .refuted), (.codeRequired, nil, .noCode), (.codeWrong, nil, .wrongCode),
      (.badRequest, nil, .usage), (.notConfigured, nil, .misconfigured), (.clientRefused, nil, .misconfigured),
      (.noDataPath, "noModem", .noModem), (.noDataPath, "portUnavailable", .modemFailed),
      (.noDataPath, "modemFailed", .modemFailed), (.noDataPath, "simLocked", .notReady),
      (.noDataPath, "bearerRefused", .notReady), (.noDataPath, "bearerLost", .chainFailed),
      (.noSIMAnswer, nil, .flowFailed), (.timeout, nil, .flowFailed), (.other("result of tomorrow"), nil, .flowFailed),
    ] as [(VerifyInterface.Outcome.Result, String?, Ending)])
  func outcomes(result: VerifyInterface.Outcome.Result, cause: String?, status: Ending) {
    #expect(FlowOutcomeText.status(.init(result: result, cause: cause, text: "x", milliseconds: 1)) == status)
  }

  @Test(
    "A SIM that does not answer its operator has the status of what kept it",
    arguments: [
      ("simAbsent", .notReady), ("simLocked", .notReady), ("simNotReady", .notReady), ("modemFailed", .modemFailed),
      ("notSupported", .flowFailed), ("word of tomorrow", .flowFailed),
    ] as [(String, Ending)])
  func silentSIM(code: String, status: Ending) {
    #expect(FlowOutcomeText.status(.init(result: .noSIMAnswer, code: code, text: "x", milliseconds: 1)) == status)
  }

  @Test("1, 7, 8, 10 and 11: each with the verbs that can end so")
  func others() async throws {
    let answer: @Sendable (Int) -> CheckService.ChainRunner = { status in
      { _, _, _ in .answer(ChainAnswer(status: status, contentType: nil, body: [])) }
    }
    try await MemoryService.run(chain: answer(503), authentication: ExampleProvider.whole) { service in
      await service.messages.apply(.snapshot([], MessageStoreState()), from: "port-modem-0011aabb")
      for verb in ["show", "delete"] {
        #expect(await Self.run(["sms", verb, "sms-0000000000000000"], service).status == .failed, "\(verb)")
      }
      #expect(await Self.run(["open", "https://check.example/"], service).status == .httpError)
      #expect(await Self.run(["sms", "wait-for-code", "--timeout", "1"], service).status == .noCode)
      #expect(await Self.run(["verify", "+447700900124"], service).status == .refuted)
      #expect(await Self.run(["verify", Self.number], service).status == .done)
    }
    try await MemoryService.run(prepareNames: { url, _, _, _ in [.init(host: url.host, isResolved: false)] }) {
      service in
      #expect(await Self.run(["open", "https://check.example/"], service).status == .chainFailed)
      #expect(await Self.run(["prepare", "https://check.example/"], service).status == .chainFailed)
    }
  }

  @Test("6: each verb that needs the SIM says that it is locked")
  func lockedFlows() async throws {
    var locked = ModemState.sample(sim: .pinRequired)
    locked.sim.retriesLeft = 3
    try await MemoryService.run(modems: [locked], authentication: Self.truID(status: 200, body: Self.created)) {
      service in
      for words in [["truid", "phone-check", Self.number], ["truid", "subscriber-check", Self.number]] {
        let run = await Self.run(words, service)
        #expect(run.status == .notReady && run.messages.contains("PIN"), "\(words) \(run.messages)")
      }
    }
  }

  @Test(
    "7: each verb whose chain fails",
    arguments: [["verify"], ["truid", "phone-check"], ["truid", "subscriber-check"]])
  func chainFailed(verb: [String]) async throws {
    let lost: CheckService.ChainRunner = { _, _, _ in .failed(ChainFailure(.bearerLost, "the bearer is gone")) }
    try await MemoryService.run(chain: lost, authentication: Self.truID(status: 200, body: Self.created)) { service in
      let run = await Self.run(verb + [Self.number], service)
      #expect(run.status == .chainFailed && run.messages.contains("the bearer is gone"), "\(verb) \(run.messages)")
    }
  }

  @Test(
    "11 and 12: a provider that says no, and one that fails, with each verb that asks it",
    arguments: [["verify"], ["truid", "phone-check"], ["truid", "subscriber-check"], ["truid", "sim-check"]])
  func answers(verb: [String]) async throws {
    try await MemoryService.run(authentication: Self.truID(status: 503, body: "")) { service in
      let run = await Self.run(verb + [Self.number], service)
      #expect(run.status == .flowFailed && run.messages.contains("app.example"), "\(verb) \(run.messages)")
    }
    guard verb.last == "sim-check" else { return }
    let changed = #"{"check_id":"c-1","status":"COMPLETED","no_sim_change":false}"#
    try await MemoryService.run(authentication: Self.truID(status: 200, body: changed)) { service in
      let run = await Self.run(verb + [Self.number], service)
      #expect(run.status == .refuted, "\(verb) \(run.messages)")
    }
  }

  private static let created =
    #"{"check_id":"c-1","check_url":"https://eu.api.tru.id/phone_check/v0.1/checks/c-1/redirect"}"#

  /// tru.ID by a backend that gives one answer to everything.
  private static func truID(
    status: Int, body: String
  ) throws -> (providers: ProviderSet, send: AuthenticationService.HostSend) {
    var settings = TruIDSettings()
    settings.backend = TruIDBackend(try Endpoint("https://app.example"))
    var providers = ProviderSet()
    providers.add(NamedProvider(name: "truid", settings: settings))
    return (providers, { _, _ in .success(BackendReply(status: status, body: Array(body.utf8))) })
  }

  @Test("With --json each document is one line: one for a verb that answers once, one for each event of the others")
  func json() async throws {
    try await MemoryService.run(authentication: ExampleProvider.whole, identities: MemoryIdentities()) { service in
      await service.messages.apply(.snapshot([], MessageStoreState()), from: "port-modem-0011aabb")
      let once = [
        ["list"], ["status"], ["status", "wwan0"], ["history"], ["providers"], ["bearer"], ["sim"], ["connect"],
        ["prepare"], ["disconnect"], ["sms", "list"], ["miracl", "identities"],
      ]
      for words in once {
        let output = await Self.run(words + ["--json"], service).output
        #expect(output.hasSuffix("}\n") && output.count { $0 == "\n" } == 1, "\(words) \(output)")
        #expect(JSONValue(parsing: Array(output.utf8)) != nil)
      }
      for words in [["verify", Self.number], ["open", "https://check.example/"]] {
        let lines = await Self.run(words + ["--json"], service).output.split(separator: "\n")
        let events = lines.map { JSONValue(parsing: Array($0.utf8))?["event"]?.string }
        #expect(events.first == "ready" && events.last == "outcome" && !events.contains(nil), "\(words) \(events)")
      }
    }
  }
}
