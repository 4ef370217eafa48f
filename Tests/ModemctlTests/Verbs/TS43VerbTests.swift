import AuthCore
import AuthFlows
import Glibc
import ModemAPI
import ModemAPIServer
import ModemModel
import ModemService
import Subprocess
import Synchronization
import TS43API
import TS43Flows
import Testing
@_spi(Exchange) import Web

@testable import ModemctlCommands
@testable import ModemctlCore
@testable import TS43Commands

/// The verbs of TS.43 through modemd's own methods, with a token of an earlier login and a server
/// that is a table.
@Suite("Verbs of TS.43", .timeLimit(.minutes(1)))
struct TS43VerbTests {
  private static let number = "+447700900123"
  private static let simID = "8949000000000000017"
  private static let temporary = "tmp-9f2c71d0b6aa44e08d5e"
  private static let login = "zCfR-login-token-0001"

  /// What the server answers to each operation.
  private static let answers = [
    "GetPhoneNumber": #"{"ap2014":{"OperationResult":"1","MSISDN":"+447700900124"}}"#,
    "VerifyPhoneNumber": #"{"ap2014":{"OperationResult":"1","PhoneNumberVerification":"1"}}"#,
    "GetSubscriberInfo":
      #"{"ap2014":{"SubscriberInfo":{"MSISDN":"+447700900123","SimIdType":"ICCID","SimID":"8949000000000000017","MvnoName":"Virtual"}}}"#,
    "AcquireTemporaryToken":
      #"{"ap2014":{"OperationResult":"1","TemporaryToken":"tmp-9f2c71d0b6aa44e08d5e","TemporaryTokenExpiry":"2030-01-01T00:00:00Z","OperationTargets":"GetPhoneNumber,VerifyPhoneNumber"}}"#,
  ]

  /// A service with one provider, and what it was asked.
  private static func run(
    access: AccessPolicy? = nil, answers: [String: String] = answers,
    _ body: (MemoryService, @Sendable () -> [WebRequest]) async throws -> Void
  ) async throws {
    var settings = TS43Settings()
    settings.server = try Endpoint("https://entitlement.operator.example")
    let modem = ModemState.sample()
    try await settings.store.keep(
      EntitlementToken(Secret(login), version: "12.0", method: .get, groupIdentifier: [0x0a, 0x2c]),
      for: EntitlementTokenKey(
        iccid: try #require(modem.sim.iccid), imsi: try #require(modem.sim.imsi),
        terminalID: try #require(modem.identity.imei), app: "ap2014", appName: "", appVersion: "",
        host: "entitlement.operator.example"))
    var providers = ProviderSet()
    providers.add(NamedProvider(name: "entitlement", settings: settings))
    let asked = Mutex<[WebRequest]>([])
    let send: AuthenticationService.HostSend = { call, _ in
      asked.withLock { $0.append(call.request) }
      let text = call.url.text + "&"
      guard let answer = answers.first(where: { text.contains("operation=\($0.key)&") }) else {
        return .success(BackendReply(status: 511))
      }
      return .success(
        BackendReply(
          status: 200, headers: [.init(name: "Content-Type", value: "application/json")],
          body: Array(answer.value.utf8)))
    }
    try await MemoryService.run(access: access, authentication: (providers, send)) { service in
      try await body(service) { asked.withLock { $0 } }
    }
  }

  @Test("Arguments become the call's parameters")
  func parameters() throws {
    let verify = try #require(
      Modemctl.parseAsRoot(["ts43", "verify", Self.number, "--provider", "op", "--modem", "wwan0"]) as? TS43Verify)
    #expect(verify.parameters() == .init(number: Self.number, provider: "op", modem: "wwan0"))
    let token = try #require(Modemctl.parseAsRoot(["ts43", "token", "phoneNumber"]) as? TS43Token)
    #expect(token.parameters() == .init(operation: .phoneNumber))
    for words in [["token"], ["token", "sms"], ["verify"], ["number", Self.number]] {
      #expect(throws: (any Error).self) { try Modemctl.parseAsRoot(["ts43"] + words) }
    }
  }

  @Test("verify: the server compares, and nothing of the SIM's number comes back")
  func verify() async throws {
    try await Self.run { service, asked in
      let run = await service.modemctl("ts43", "verify", Self.number)
      #expect(run.status == .done && run.output.contains("verified"), "\(run.messages)\(run.output)")
      #expect(run.output.contains("entitlement.operator.example") && !run.output.contains(Self.login))
      let json = await service.modemctl("ts43", "verify", Self.number, "--json")
      #expect(json.output.contains(#""proof":"sim""#) && json.output.contains(#""kind":"ts43""#), "\(json.output)")
      // One request for each question, and no bearer.
      #expect(asked().count == 2)
      #expect(service.registry.state(of: "port-modem-0011aabb")?.bearer.state == .down(nil))
      for secret in personalData + [Self.login] { #expect(!json.output.contains(secret), "\(secret)") }
    }
    var other = Self.answers
    other["VerifyPhoneNumber"] = #"{"ap2014":{"OperationResult":"1","PhoneNumberVerification":"0"}}"#
    try await Self.run(answers: other) { service, _ in
      #expect(await service.modemctl("ts43", "verify", Self.number).status == .refuted)
      #expect(await service.modemctl("ts43", "verify", "12").status == .usage)
    }
  }

  @Test("number: the operator's and the SIM's, masked, and whether they are the same")
  func number() async throws {
    try await Self.run { service, _ in
      let run = await service.modemctl("ts43", "number")
      #expect(run.status == .done && run.output.contains("no; the operator's counts"), "\(run.messages)\(run.output)")
      #expect(!run.output.contains("7700900") && run.output.contains("24") && run.output.contains("23"))
      let shown = await service.modemctl("ts43", "number", "--reveal", "--json")
      for words in [#""number":"+447700900124""#, #""simNumber":"+447700900123""#, #""same":false"#] {
        #expect(shown.output.contains(words), "\(shown.output)")
      }
    }
  }

  @Test("subscriber: numbers and ids are masked")
  func subscriber() async throws {
    try await Self.run { service, _ in
      let run = await service.modemctl("ts43", "subscriber")
      #expect(run.status == .done && run.output.contains("Virtual"), "\(run.messages)\(run.output)")
      #expect(!run.output.contains("7700900") && !run.output.contains(Self.simID) && run.output.contains("0017"))
      let shown = await service.modemctl("ts43", "subscriber", "--reveal")
      #expect(shown.output.contains(Self.number) && shown.output.contains(Self.simID))
    }
  }

  @Test("token: it is shown in full, with what tells whom to ask, and each call gets another")
  func token() async throws {
    try await Self.run { service, asked in
      let run = await service.modemctl("ts43", "token", "verify")
      #expect(run.status == .done && run.output.contains(Self.temporary), "\(run.messages)\(run.output)")
      for words in ["2030-01-01T00:00:00.000Z", "001", "01", "0a2c"] { #expect(run.output.contains(words), "\(words)") }
      #expect(!run.output.contains(Self.login))
      #expect(await service.modemctl("ts43", "token", "phoneNumber", "--json").output.contains(Self.temporary))
      #expect(asked().count == 2)
    }
  }

  @Test(
    "Without a right of its own nobody gets a token, and who may not see the SIM gets the operator's number alone",
    .enabled(if: geteuid() == 0, "another user is only to be had as root"))
  func rights() async throws {
    let nobody: UInt32 = 65_534
    let copy = "/tmp/modemctl-ts43-\(getpid())"
    _ = try await Subprocess.run(
      .name("cp"), arguments: [ProgramTests.program, copy], output: .discarded, error: .discarded)
    defer { unlink(copy) }
    chmod(copy, 0o755)
    func run(_ words: [String], _ service: MemoryService) async throws -> (TerminationStatus, String) {
      chmod(service.path, 0o666)
      chmod(String(service.path.dropLast("/socket".count)), 0o755)
      let identity = ["--reuid", "\(nobody)", "--regid", "\(nobody)", "--clear-groups"]
      let result = try await Subprocess.run(
        .name("setpriv"), arguments: .init(identity + [copy, "ts43"] + words),
        environment: .inherit.updating(["MODEMD_SOCKET": service.path]), input: .none, output: .string(limit: 65_536),
        error: .string(limit: 65_536))
      return (result.terminationStatus, result.standardOutput + result.standardError)
    }
    let member = AccessPolicy(groupIDs: [nobody], ownUserID: 4_000_000)
    try await Self.run(access: member) { service, asked in
      let (status, text) = try await run(["number", "--reveal", "--json"], service)
      #expect(status == .exited(0) && text.contains(#""simNumber":"+447700900123""#), "\(text)")
      #expect(try await run(["token", "verify"], service).0 == .exited(4))
      #expect(asked().count == 1)
    }
    // An entry for the interface is no entry for the method.
    var interface = member
    interface.table = ["org.modemd.TS43": [nobody], "org.modemd.Modem": [1]]
    try await Self.run(access: interface) { service, _ in
      let (status, text) = try await run(["number", "--reveal", "--json"], service)
      #expect(status == .exited(0) && text.contains(#""number":"+447700900124""#), "\(text)")
      #expect(!text.contains("+447700900123") && text.contains(#""same":null"#), "\(text)")
      #expect(try await run(["token", "verify"], service).0 == .exited(4))
    }
    var own = member
    own.table = ["org.modemd.TS43.TemporaryToken": [nobody]]
    try await Self.run(access: own) { service, _ in
      let (status, text) = try await run(["token", "verify"], service)
      #expect(status == .exited(0) && text.contains(Self.temporary), "\(text)")
    }
  }
}
