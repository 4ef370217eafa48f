import AuthCore
import AuthFlows
import FirebaseAPI
import FirebaseFlowService
import FoundationEssentials
import Glibc
import JSONTree
import ModemAPI
import ModemAPIServer
import ModemModel
import ModemService
import ModemSimulator
@_spi(Exchange) import RedirectChain
import Synchronization
import Testing
import Varlink
@_spi(Exchange) import Web
import TruIDFlows
import FirebaseFlows

@testable import ModemctlCommands
@testable import ModemctlCore

@Suite("sign-in", .timeLimit(.minutes(1)))
struct SignInTests {
  /// A Firebase that knows one code, behind a backend that knows about SIMs.
  private final class Firebase: Sendable {
    static let code = "482913"
    let steps = Mutex<[String]>([])
    let simCheck: String
    /// What happens when a message is asked for.
    let onSend: @Sendable () async throws -> Void

    init(simCheck: String = #"{"no_sim_change":true}"#, onSend: @escaping @Sendable () async throws -> Void = {}) {
      self.simCheck = simCheck
      self.onSend = onSend
    }

    func send(_ call: BackendCall) async throws -> Result<BackendReply, BackendFailure> {
      steps.withLock { $0.append(call.step) }
      let body = JSONValue(parsing: call.body?.bytes ?? [])
      switch call.step {
      case "simCheck": return Self.reply(simCheck)
      case "sendVerificationCode":
        try await onSend()
        return Self.reply(#"{"sessionInfo":"session-1"}"#)
      case "signInWithPhoneNumber" where body?["code"]?.string != Self.code:
        return Self.reply(#"{"error":{"code":400,"message":"INVALID_CODE"}}"#, 400)
      case "signInWithPhoneNumber":
        return Self.reply(
          #"{"idToken":"id-token-1","refreshToken":"refresh-token-1","expiresIn":"3600","localId":"user-1","#
            + #""isNewUser":true,"phoneNumber":"+447700900123"}"#)
      case "refreshToken":
        return Self.reply(
          #"{"id_token":"id-token-2","refresh_token":"refresh-token-2","expires_in":"3600","user_id":"user-1"}"#)
      default: return .failure(BackendFailure(.refused, "there is no \(call.step)"))
      }
    }

    private static func reply(_ json: String, _ status: Int = 200) -> Result<BackendReply, BackendFailure> {
      .success(BackendReply(status: status, body: Array(json.utf8)))
    }
  }

  private static let secrets = [
    "447700900123", "id-token", "refresh-token", "session-1", Firebase.code, "key-1", "recaptcha-1",
  ]

  private static func run(
    _ firebase: Firebase, modems: [ModemState] = [.sample()], store: MessageStoreState = MessageStoreState(),
    access: AccessPolicy? = nil, _ body: (MemoryService) async throws -> Void
  ) async throws {
    var providers = ProviderSet()
    let gate = SIMGate(.backend(SIMCheckBackend(try Endpoint("https://app.example"))))
    providers.add(
      NamedProvider(name: "project", settings: FirebaseSettings(apiKey: Secret("key-1"), gate: gate)))
    try await MemoryService.run(
      modems: modems, access: access, authentication: (providers, { call, _ in try await firebase.send(call) })
    ) { service in
      for modem in modems { await service.messages.apply(.snapshot([], store), from: "port-\(modem.id)") }
      try await body(service)
    }
  }

  /// Runs modemctl; each time it asks for a code the next one is given.
  private static func modemctl(
    _ service: MemoryService, _ arguments: [String], codes: [String] = []
  ) async -> Run {
    let recorder = RecordingConsole()
    let rest = Mutex(codes)
    var console = recorder.console(variables: ["MODEMD_SOCKET": service.path])
    console.readSecret = { _ in rest.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    let status = await Modemctl.run(arguments, on: console)
    return Run(status: Ending(rawValue: status), output: recorder.output, messages: recorder.messages)
  }

  @Test("A code from the terminal signs in, wrong ones are asked for again, and nothing secret is shown")
  func terminal() async throws {
    let firebase = Firebase()
    try await Self.run(firebase) { service in
      // The same wrong code twice, one that is no code, and the right one as the message has it.
      let run = await Self.modemctl(
        service, ["sign-in", "+44 7700 900123", "--code-from", "terminal"],
        codes: ["111111", "111111", "1", "482 913"])
      #expect(run.status == .done, "\(run.messages)")
      #expect(run.output.contains("signedIn by project"))
      #expect(run.output.contains("user-1"))
      #expect(run.messages.contains("was refused before") && run.messages.contains("4 to 16"))
      for secret in Self.secrets { #expect(!run.output.contains(secret) && !run.messages.contains(secret)) }
      #expect(
        firebase.steps.withLock { $0 } == [
          "simCheck", "sendVerificationCode", "signInWithPhoneNumber", "signInWithPhoneNumber",
        ])
      let none = await Self.modemctl(service, ["sign-in", "+447700900123", "--code-from", "terminal"])
      #expect(none.status == .usage && none.messages.contains("a code is needed"))
    }
  }

  @Test("A code from the modem's messages signs in, and tokens are saved for the owner alone and refreshed")
  func messages() async throws {
    let path = "/tmp/modemctl-sign-in-\(getpid())"
    let verification = path + ".json"
    defer {
      unlink(path)
      unlink(verification)
    }
    try Data(#"{"recaptchaToken":"recaptcha-1"}"#.utf8).write(to: URL(filePath: verification))
    let arrival = AsyncStream.makeStream(of: Void.self)
    let arrived = AsyncStream.makeStream(of: Void.self)
    let firebase = Firebase {
      // The message is faster than the answer to the request for it.
      arrival.continuation.yield()
      for await _ in arrived.stream { break }
    }
    try await Self.run(firebase) { service in
      let port = "port-modem-0011aabb"
      await service.messages.apply(.snapshot([], MessageStoreState()), from: port)
      async let bringing: Void = {
        for await _ in arrival.stream { break }
        let pdu = try SimulatedMessage(from: "Firebase", text: "482913 is your code.", zoneMinutes: 0).pdus()[0]
        let message = StoredMessage(
          reference: "uim/1", pdu: MessagePDU(pdu), received: Timestamp(milliseconds: 1_700_000_060_000))
        await service.messages.apply(.arrived(message), from: port)
        arrived.continuation.yield()
      }()
      let run = await Self.modemctl(
        service, ["sign-in", "+447700900123", "--token-file", verification, "--save-tokens", path, "--json"])
      try await bringing
      #expect(run.status == .done, "\(run.messages)")
      #expect(run.output.contains(#""readCode""#))
      for secret in Self.secrets { #expect(!run.output.contains(secret) && !run.messages.contains(secret)) }
      var information = stat()
      #expect(stat(path, &information) == 0 && information.st_mode & 0o777 == 0o600)
      let saved = try JSONDecoder().decode(
        PhoneSignInInterface.User.self, from: try Data(contentsOf: URL(filePath: path)))
      #expect(saved.idToken == "id-token-1" && saved.refreshToken == "refresh-token-1")

      // A file that others may read is theirs no more.
      chmod(path, 0o644)
      let refresh = await Self.modemctl(service, ["refresh-sign-in", path, "--reveal"])
      #expect(refresh.status == .done && refresh.output.contains("id-token-2"), "\(refresh.messages)")
      #expect(stat(path, &information) == 0 && information.st_mode & 0o777 == 0o600)
      let again = await Self.modemctl(service, ["refresh-sign-in", verification])
      #expect(again.status == .usage && again.messages.contains("holds no refresh token"))
    }
  }

  /// What stands against a message, and how the sign-in ends for it.
  static let obstacles:
    [(name: String, change: @Sendable (inout ModemState) -> Void, MessageStoreState, Ending, String)] = [
      ("no SIM", { $0.sim.state = .absent }, .init(), .notReady, "simAbsent"),
      ("a locked SIM", { $0.sim.state = .pinRequired }, .init(), .notReady, "simLocked"),
      ("a blocked SIM", { $0.sim.state = .pukRequired }, .init(), .notReady, "simLocked"),
      ("a SIM that is not ready", { $0.sim.state = .initialising }, .init(), .notReady, "simNotReady"),
      ("no network", { $0.registration.state = .searching }, .init(), .notReady, "notRegistered"),
      ("a network that refuses", { $0.registration.state = .denied }, .init(), .notReady, "notRegistered"),
      (
        "a dead port", { $0.fault = Fault(cause: "it is gone", since: Timestamp(milliseconds: 0)) }, .init(),
        .modemFailed,
        "it is gone"
      ),
      (
        "another number", { $0.sim.numbers = [PhoneNumber("+447700900999", source: .efMsisdn)] }, .init(), .noCode,
        "another number"
      ),
      ("no messaging", { _ in }, .init(unavailable: "the modem has no messages"), .noCode, "the modem has no messages"),
      ("a full store", { _ in }, .init(isFull: true), .noCode, "is full"),
    ]

  @Test("No message is sent that could not come or be read, and nothing is asked before", arguments: obstacles.indices)
  func obstacle(index: Int) async throws {
    let (_, change, store, ending, words) = Self.obstacles[index]
    var modem = ModemState.sample()
    change(&modem)
    let firebase = Firebase()
    try await Self.run(firebase, modems: [modem], store: store) { service in
      let run = await Self.modemctl(service, ["sign-in", "+447700900123"], codes: [Firebase.code])
      #expect(run.status == ending && run.messages.contains(words), "\(run.messages)")
      #expect(run.messages.contains("no message was sent") && run.output == "")
      #expect(firebase.steps.withLock { $0.isEmpty })
      // Who reads it elsewhere gives the code.
      let other = await Self.modemctl(
        service, ["sign-in", "+447700900123", "--code-from", "terminal"], codes: [Firebase.code])
      #expect(other.status == .done, "\(other.messages)")
    }
  }

  @Test("A SIM without a number may be any number's")
  func unknownNumber() async throws {
    var modem = ModemState.sample()
    modem.sim.numbers = []
    let firebase = Firebase(simCheck: #"{"no_sim_change":false}"#)
    try await Self.run(firebase, modems: [modem]) { service in
      #expect(await Self.modemctl(service, ["sign-in", "+447700900123"]).status == .refuted)
      #expect(firebase.steps.withLock { $0 } == ["simCheck"])
    }
  }

  @Test("A wrong code is told as wrong and asked for again; from a pipe that ends it is a status of its own")
  func wrongCode() async throws {
    let firebase = Firebase()
    try await Self.run(firebase) { service in
      let words = ["sign-in", "+447700900123", "--code-from", "terminal"]
      let right = await Self.modemctl(service, words, codes: ["111111", Firebase.code])
      #expect(right.status == .done && right.messages == "modemctl: the code was wrong; 2 more can be tried\n")
      let piped = await Self.modemctl(service, words, codes: ["111111"])
      #expect(piped.status == .wrongCode)
      #expect(
        piped.messages
          == "modemctl: the code was wrong; 2 more can be tried\nmodemctl: the code was wrong, and no other was given\n"
      )
      let all = await Self.modemctl(service, words, codes: ["111111", "222222", "333333"])
      #expect(all.status == .wrongCode && all.messages.contains("no more are tried"))
      #expect(await Self.modemctl(service, words).status == .usage)
    }
  }

  @Test("The session is kept as soon as the message was sent, before its code has come")
  func sent() async throws {
    let path = "/tmp/modemctl-sign-in-sent-\(getpid())"
    defer { unlink(path) }
    let firebase = Firebase()
    try await Self.run(firebase) { service in
      let recorder = RecordingConsole()
      let console = recorder.console(variables: ["MODEMD_SOCKET": service.path])
      let words = ["sign-in", "+447700900123", "--session", path, "--json", "--reveal"]
      let pieces = recorder.pieces()
      let run = Task { await Modemctl.run(words, on: console) }
      // No message ever comes, and the person leaves once it is said that it was sent.
      var sent: JSONValue?
      for await piece in pieces {
        sent = JSONValue(parsing: Array(piece.utf8))
        if sent?["event"]?.string == "messageSent" { break }
      }
      #expect(sent?["verificationID"]?.string == "session-1" && sent?["outcome"] == nil)
      run.cancel()
      _ = await run.value
      let saved = FileManager.default.contents(atPath: path).flatMap { JSONValue(parsing: Array($0)) }
      #expect(saved?["verificationID"]?.string == "session-1", "\(recorder.messages)")
      #expect(firebase.steps.withLock { $0 } == ["simCheck", "sendVerificationCode"])
    }
  }

  @Test("A sign-in goes on with the session that was kept, asks the SIM check again, and sends no other message")
  func resumption() async throws {
    let path = "/tmp/modemctl-sign-in-session-\(getpid())"
    defer { unlink(path) }
    let firebase = Firebase()
    try await Self.run(firebase) { service in
      let words = ["sign-in", "+447700900123", "--code-from", "terminal", "--session", path]
      // The prompt is left, as by Ctrl-C.
      #expect(await Self.modemctl(service, words).status == .usage)
      var facts = stat()
      #expect(stat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
      let other = await Self.modemctl(service, ["sign-in", "+447700900124", "--session", path])
      #expect(other.status == .usage && other.messages.contains("another number"))
      firebase.steps.withLock { $0 = [] }
      let run = await Self.modemctl(service, words, codes: [Firebase.code])
      #expect(run.status == .done, "\(run.messages)")
      #expect(firebase.steps.withLock { $0 } == ["simCheck", "signInWithPhoneNumber"])
      #expect(stat(path, &facts) != 0)
      for secret in Self.secrets { #expect(!run.output.contains(secret) && !run.messages.contains(secret)) }
      // Programs get the id with the question, and with an end without the right code.
      let json = await Self.modemctl(
        service, ["sign-in", "+447700900123", "--code-from", "terminal", "--json", "--reveal"],
        codes: ["111111", "222222", "333333"])
      #expect(json.status == .wrongCode)
      let last = try #require(json.output.split(separator: "\n").last.flatMap { JSONValue(parsing: Array($0.utf8)) })
      #expect(last["verificationID"]?.string == "session-1" && (last["user"] ?? .null) == .null)
    }
  }

  @Test(
    "A SIM that was changed, or that nobody knows of, ends it before a message is sent",
    arguments: [
      (#"{"no_sim_change":false}"#, Ending.refuted, "simSwapped"), ("{}", .refuted, "simUnknown"),
      ("<html>", .flowFailed, "badAnswer"),
    ])
  func gate(simCheck: String, ending: Ending, word: String) async throws {
    let firebase = Firebase(simCheck: simCheck)
    try await Self.run(firebase) { service in
      let run = await Self.modemctl(service, ["sign-in", "+447700900123"], codes: [Firebase.code])
      #expect(run.status == ending)
      #expect((run.output + run.messages).contains(word))
      #expect((run.output + run.messages).contains("no message was sent"))
      #expect(firebase.steps.withLock { $0 } == ["simCheck"])
    }
  }

  @Test(
    "What is wrong with a call is said before anything is asked",
    arguments: [
      (["sign-in", "0770"], "country's code"), (["sign-in", "+447700900123", "--operation", "x"], "operation"),
      (["sign-in", "+447700900123", "--token-file", "/nonexistent"], "cannot be read"),
      (["sign-in", "+447700900123", "--token-file", "/dev/null"], "holds no JSON"),
    ])
  func mistakes(arguments: [String], text: String) async throws {
    let firebase = Firebase()
    try await Self.run(firebase) { service in
      let run = await Self.modemctl(service, arguments)
      #expect(run.status == .usage && run.messages.contains(text), "\(run.messages)")
      #expect(firebase.steps.withLock { $0.isEmpty })
    }
  }

  @Test("Who may sign in is an entry of the table alone, and no group of other interfaces is enough")
  func access() {
    let name = "org.modemd.PhoneSignIn"
    var policy = AccessPolicy(
      groupIDs: [10], revealGroupIDs: [10], messageGroupIDs: [11], ownUserID: 900,
      defaults: AccessDefaults(AccessDefaults.ownRights + FirebaseMethods.rights))
    let peer = { (group: UInt32) in Peer(processID: 1, userID: 1000, groupIDs: [group]) }
    for group: UInt32 in [10, 11] { #expect(!policy.allows(peer(group), "\(name).SignIn")) }
    #expect(policy.allows(Peer(processID: 1, userID: 0, groupIDs: []), "\(name).SignIn"))
    policy.table[name] = [12]
    for method in ["SignIn", "GiveCode", "Refresh"] {
      #expect(policy.allows(peer(12), "\(name).\(method)") && !policy.allows(peer(10), "\(name).\(method)"))
    }
    #expect(!policy.allows(peer(12), "org.modemd.Messages.List"))
  }
}
