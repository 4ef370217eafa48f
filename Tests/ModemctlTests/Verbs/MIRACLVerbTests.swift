import AuthCore
import AuthFlows
import Glibc
import JSONTree
import MIRACLTestSupport
import ModemAPI
import ModemAPIServer
import ModemService
import Synchronization
import Testing
@_spi(Exchange) import Web
import MIRACLFlows

@testable import ModemctlCommands
@testable import ModemctlCore

@Suite("miracl", .timeLimit(.minutes(2)))
struct MIRACLVerbTests {
  private static let user = "u@shop.example"
  private static let link = "https://mcl.mpin.example/mobile-login/#\(MIRACLPlatform.accessID)"
  /// What nobody may see unless it is asked for.
  private static let secrets = [user, "1234", "4321", "j.w.t", "activation-1", "quick-1", "client-secret-1"]

  private struct Bench {
    let service: MemoryService
    let platform: Mutexed
    let store: MemoryIdentities

    /// Runs modemctl; each time it asks for a secret the next one is given.
    func modemctl(_ arguments: [String], _ secrets: [String] = []) async -> Run {
      let recorder = RecordingConsole()
      let rest = Mutex(secrets)
      let prompts = Mutex<[String]>([])
      var console = recorder.console(variables: ["MODEMD_SOCKET": service.path])
      console.readSecret = { prompt in
        prompts.withLock { $0.append(prompt) }
        return rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      }
      let status = await Modemctl.run(["miracl"] + arguments, on: console)
      let asked = prompts.withLock { $0 }.map { "[\($0)]" }.joined()
      return Run(status: Ending(rawValue: status), output: recorder.output, messages: asked + recorder.messages)
    }
  }

  /// The platform, behind a lock.
  private final class Mutexed: Sendable {
    let platform = Mutex(MIRACLPlatform())
    func answer(_ call: BackendCall) -> Result<BackendReply, BackendFailure> {
      .success(platform.withLock { $0.answer(call) })
    }
  }

  private static func run(_ body: (Bench) async throws -> Void) async throws {
    var settings = MIRACLSettings(api: try Endpoint("https://api.mpin.example"), project: MIRACLPlatform.project)
    settings.trustedDomains = ["mpin.example"]
    settings.client = .init(id: "client-1", secret: Secret("client-secret-1"))
    var providers = ProviderSet()
    providers.add(NamedProvider(name: "shop", settings: settings))
    let (platform, store) = (Mutexed(), MemoryIdentities())
    try await MemoryService.run(
      authentication: (providers, { call, _ in platform.answer(call) }), identities: store
    ) { service in try await body(Bench(service: service, platform: platform, store: store)) }
  }

  private static func expectNoSecret(_ run: Run) {
    for secret in secrets { #expect(!run.output.contains(secret) && !run.messages.contains(secret), "\(secret)") }
  }

  @Test("A user registers by mail with a PIN that is typed twice, and logs in at a website")
  func website() async throws {
    try await Self.run { bench in
      let registered = await bench.modemctl(
        ["register", Self.user], ["wrong", "right", "12", "12", "1234", "1243", "1234", "1234"])
      #expect(registered.status == .done, "\(registered.messages)")
      #expect(registered.output.contains("registered by shop") && registered.output.contains("4 digits"))
      #expect(registered.messages.contains("[Choose a PIN of 4 to 6 digits: ][The same PIN again: ]"))
      #expect(registered.messages.contains("a PIN has 4 to 6 digits here"))
      #expect(registered.messages.contains("the two PINs differ"))
      let login = await bench.modemctl(["login", Self.link], ["1234"])
      #expect(login.status == .done, "\(login.messages)")
      #expect(login.output.contains("signedIn by shop") && login.output.contains("Shop"))
      #expect(login.messages.contains("for: Shop\n"))
      #expect(login.output.contains("u••••@shop.example"))
      let wrong = await bench.modemctl(["login", Self.link], ["4321"])
      #expect(wrong.status == .refuted && wrong.output.contains("pinWrong"))
      for run in [registered, login, wrong] { Self.expectNoSecret(run) }
      let session = await bench.modemctl(["session", Self.link])
      #expect(session.status == .done && session.output.contains("standardEmail"))
      #expect(await bench.modemctl(["abort", Self.link]).status == .done)
      let over = await bench.modemctl(["session", "https://mcl.mpin.example/#other"])
      #expect(over.status == .flowFailed && over.messages.contains("expired"))
    }
  }

  @Test("After Ctrl-C a registration goes on where it stopped, and only for the same user name; --anew begins again")
  func interrupted() async throws {
    try await Self.run { bench in
      let mail = "requestMail"
      let first = await bench.modemctl(["register", Self.user])
      #expect(first.status == .usage && first.output.contains(mail), "\(first.output)")
      // The mail's code is asked for again, and no other mail is sent.
      let second = await bench.modemctl(["register", Self.user], ["right"])
      #expect(second.status == .usage && !second.output.contains(mail), "\(second.output)")
      #expect(second.messages.contains("from the mail") && second.messages.contains("Choose a PIN"))
      // Only the PIN is missing.
      let third = await bench.modemctl(["register", Self.user], ["1234", "1234"])
      #expect(third.status == .done, "\(third.messages)")
      #expect(!third.output.contains(mail) && !third.messages.contains("from the mail"))
      #expect(await bench.modemctl(["login", Self.link], ["1234"]).status == .done)
      // It is over now, and the next one begins with a mail.
      let next = await bench.modemctl(["register", Self.user])
      #expect(next.output.contains(mail))
      #expect(await bench.modemctl(["register", Self.user, "--anew"]).output.contains(mail))
      #expect(await bench.modemctl(["register", "other@shop.example"]).output.contains(mail))
      for run in [first, second, third, next] { Self.expectNoSecret(run) }
    }
  }

  @Test("A token for a backend is masked, shown on demand and saved for its owner alone")
  func token() async throws {
    try await Self.run { bench in
      _ = await bench.modemctl(["register", Self.user, "--by", "backend"], ["1234"])
      let path = "/tmp/modemctl-miracl-\(getpid())"
      defer { unlink(path) }
      let login = await bench.modemctl(["login", "--save-token", path], ["1234"])
      #expect(login.status == .done, "\(login.messages)")
      Self.expectNoSecret(login)
      let saved = String(decoding: try ArgumentFile.read(path, for: "the token"), as: UTF8.self)
      #expect(saved.hasPrefix("j.w.t") && saved.hasSuffix("\n"))
      var facts = stat()
      #expect(stat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
      let shown = await bench.modemctl(["login", "--reveal", "--json"], ["1234"])
      #expect(shown.output.contains(#""token":"j.w.t"#) && shown.output.contains(Self.user))
      let code = await bench.modemctl(["quick-code", "--reveal"], ["1234"])
      #expect(code.output.contains("quick-1") && code.output.contains("300 s"))
      // It works once, so hiding it would lose it.
      #expect(await bench.modemctl(["quick-code"], ["1234"]).output.contains("quick-1"))
    }
  }

  @Test("A quick code or a link is read from a file, and what does not go together is said before anything is sent")
  func proofs() async throws {
    try await Self.run { bench in
      let path = "/tmp/modemctl-miracl-proof-\(getpid())"
      defer { unlink(path) }
      for (way, proof) in [("code", "quick-1\n"), ("link", "https://x.example/?user_id=u%40shop.example&code=right")] {
        try ArgumentFile.write(proof, to: path)
        let run = await bench.modemctl(["register", Self.user, "--by", way, "--proof-file", path], ["1234"])
        #expect(run.status == .done, "\(run.messages)")
      }
      for arguments in [
        ["register", Self.user, "--by", "code"], ["register", Self.user, "--proof-file", path], ["session"], ["abort"],
        ["abort", Self.link, "--signing-session", "s"], ["sign"], ["sign", Self.link, "--hash", "00"],
        ["sign", "--hash", "00"], ["login", "https://evil.example/#a"], ["login", "http://mcl.mpin.example/#a"],
        ["register", " "],
      ] {
        let run = await bench.modemctl(arguments)
        #expect(run.status == .usage, "\(arguments): \(run.messages)")
        #expect(run.output.isEmpty)
      }
      let none = await bench.modemctl(["login", Self.link])
      #expect(none.status == .usage && none.messages.contains("a PIN is required"))
    }
  }

  @Test("A hash is signed and verified; the signature is masked and saved")
  func signing() async throws {
    try await Self.run { bench in
      _ = await bench.modemctl(["register", Self.user, "--by", "backend"], ["1234"])
      let path = "/tmp/modemctl-miracl-signature-\(getpid())"
      defer { unlink(path) }
      let signed = await bench.modemctl(["sign", "--hash", MIRACLPlatform.hash, "--save", path], ["1234"])
      #expect(signed.status == .done && signed.output.contains("signed by shop"), "\(signed.messages)")
      Self.expectNoSecret(signed)
      let document = try #require(JSONValue(parsing: try ArgumentFile.read(path, for: "the signature")))
      #expect(bench.platform.platform.withLock { $0.accepts(document) })
      let verified = await bench.modemctl(["verify-signature", path])
      #expect(verified.status == .done && verified.output.contains("verified by shop"), "\(verified.messages)")
      let old = await bench.modemctl(["sign", "--signing-session", "s-1"], ["1234"])
      #expect(old.status == .done && old.output.contains("a contract"), "\(old.messages)")
      #expect(await bench.modemctl(["abort", "--signing-session", "s-1"]).status == .done)
    }
  }

  @Test("Identities are listed with their users masked, and forgotten")
  func identities() async throws {
    try await Self.run { bench in
      #expect(await bench.modemctl(["identities"]).output == "no user is registered\n")
      _ = await bench.modemctl(["register", Self.user, "--by", "backend"], ["1234"])
      let list = await bench.modemctl(["identities"])
      #expect(list.output.contains("u••••@shop.example") && list.output.contains("active"))
      Self.expectNoSecret(list)
      #expect(await bench.modemctl(["identities", "--reveal", "--json"]).output.contains(Self.user))
      await bench.store.damage(["/var/lib/modemd/miracl/00.json is damaged"])
      let damaged = await bench.modemctl(["identities"])
      #expect(damaged.status == .failed && damaged.messages.contains("00.json is damaged"))
      await bench.store.fail(AuthError(.storeFailed, "the disk is full"))
      let full = await bench.modemctl(["register", Self.user, "--by", "backend"], ["1234"])
      #expect(full.status == .failed && full.messages.contains("the disk is full"))
      #expect(await bench.modemctl(["forget", Self.user, "--project", "other"]).status == .usage)
      #expect(await bench.modemctl(["forget", Self.user]).status == .done)
      let gone = await bench.modemctl(["forget", Self.user])
      #expect(gone.status == .usage && gone.messages.contains("not registered on this machine"))
      let login = await bench.modemctl(["login"])
      #expect(login.status == .misconfigured && login.messages.contains("notConfigured"))
    }
  }

  @Test("A PIN comes from a unit's credential, once")
  func credential() async throws {
    try await Self.run { bench in
      _ = await bench.modemctl(["register", Self.user, "--by", "backend"], ["1234"])
      var template = Array("/tmp/modemctl-miracl-credentials-XXXXXX".utf8CString)
      let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } }
      let folder = String(cString: try #require(made))
      defer {
        unlink("\(folder)/pin")
        rmdir(folder)
      }
      for (text, status) in [("1234\n", Ending.done), ("12345", .usage)] {
        try ArgumentFile.write(text, to: "\(folder)/pin")
        let recorder = RecordingConsole()
        let variables = ["MODEMD_SOCKET": bench.service.path, "CREDENTIALS_DIRECTORY": folder]
        let ended = await Modemctl.run(
          ["miracl", "login", "--pin-from", "pin"], on: recorder.console(variables: variables))
        #expect(Ending(rawValue: ended) == status, "\(recorder.messages)")
        #expect(!recorder.messages.contains(text))
      }
    }
  }
}
