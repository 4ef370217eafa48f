import FoundationEssentials
import Glibc
import JSONTree
import Subprocess
import Testing

@testable import ModemctlCommands
@testable import ModemctlCore

/// The verbs of `modemctl provider` with a real modemd and its files.
@Suite("Providers are configured", .timeLimit(.minutes(3)))
struct ProviderVerbTests {
  private static let good = #"{ "kind": "truID", "backend": { "url": "https://app.invalid" }, "networks": ["262"] }"#
  private static let typo = "{ \"kind\": \"truID\",\n\n  \"clientid\": \"x\" }"

  private static func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func names(in folder: String) -> [String]? {
    try? FileManager.default.contentsOfDirectory(atPath: folder)
  }

  private static func mode(_ path: String) -> mode_t? {
    var information = stat()
    return stat(path, &information) == 0 ? information.st_mode & 0o777 : nil
  }

  @Test("One bad file disables its own provider, and each list says which, where and why")
  func disabled() async throws {
    try await ModemdProcess.with(["good.json": Self.good, "typo.json": Self.typo]) { modemd in
      let checked = try await modemd.check()
      #expect(checked.status == .exited(1))
      #expect(
        checked.output == """
          \(modemd.providers)/good.json: good: truID, for 262
          \(modemd.providers)/typo.json:3: there is no key clientid; did you mean clientID?

          """)
      try await modemd.run {
        let reason = "\(modemd.providers)/typo.json:3: there is no key clientid; did you mean clientID?"
        for verb in [["providers"], ["provider", "list"]] {
          let list = await RecordingConsole.run(verb + ["--socket", modemd.socket])
          #expect(list.status == .done && list.output.contains("typo is disabled: \(reason)\n"), "\(list)")
          #expect(
            list.output.contains("good  truID  262       verify numbers, SIM changes, coverage  ready"), "\(list)")
        }
        let status = await RecordingConsole.run(["status", "--socket", modemd.socket])
        #expect(status.output.contains("Providers  good (truID)") && status.output.contains(reason), "\(status)")
        let json = await RecordingConsole.run(["providers", "--json", "--socket", modemd.socket])
        let tree = JSONValue(parsing: Array(json.output.utf8))
        #expect(tree?["providers"]?.items.first?["kind"]?.string == "truID" && tree?["providers"]?.items.count == 1)
        #expect(tree?["faults"]?.items.first?["line"] == .int(3))
        let check = await RecordingConsole.run(["provider", "check", "--socket", modemd.socket])
        #expect(check.status == .misconfigured && check.output.contains("disabled: \(reason)"), "\(check)")
        #expect(check.output.contains("not asked: there is no modem"), "\(check)")
        let unknown = await RecordingConsole.run(["provider", "check", "nobody", "--socket", modemd.socket])
        #expect(unknown.status == .usage && unknown.messages.contains("there are: good, typo"), "\(unknown)")
      }
    }
  }

  @Test("modemd --check ends with 0 where every file is good")
  func good() async throws {
    try await ModemdProcess.with(["good.json": Self.good]) { modemd in
      let checked = try await modemd.check()
      #expect(checked.status == .exited(0) && checked.output == "\(modemd.providers)/good.json: good: truID, for 262\n")
    }
  }

  @Test("add writes file and secret for their owner alone, and writes nothing that modemd could not use")
  func add() async throws {
    try await ModemdProcess.with { modemd in
      let secret = "\(modemd.folder)/secret"
      try Data("s3cret-of-two\n".utf8).write(to: URL(filePath: secret))
      let places = ["--folder", modemd.providers, "--credentials", modemd.credentials, "--socket", modemd.socket]
      try await modemd.run {
        let lacking = await RecordingConsole.run(
          ["provider", "add", "truID", "--name", "two", "--set", "clientID=0123"] + places)
        #expect(lacking.status == .usage, "\(lacking)")
        #expect(lacking.messages.contains("two.json:2: clientID has no secret; give the credential two.client-secret"))
        let misspelt = await RecordingConsole.run(
          ["provider", "add", "truID", "--name", "two", "--set", "backend.ulr=https://a.example"] + places)
        #expect(misspelt.status == .usage && misspelt.messages.contains("did you mean url?"), "\(misspelt)")
        let kind = await RecordingConsole.run(["provider", "add", "trueid"] + places)
        #expect(kind.status == .usage && kind.messages.contains("did you mean truID?"), "\(kind)")
        let name = await RecordingConsole.run(
          ["provider", "add", "truID", "--name", "../two", "--set", "clientID=1"] + places)
        #expect(name.status == .usage && name.messages.contains("small letters"), "\(name)")
        #expect(Self.names(in: modemd.providers) == [])
        #expect(Self.names(in: modemd.credentials) == [])

        let added = await RecordingConsole.run(
          ["provider", "add", "truID", "--name", "two", "--set", "clientID=0123", "--set", "networks=234,26201"]
            + ["--set", "patienceSeconds=5", "--set", "backend.url=https://app.invalid", "--set", "way=api"]
            + ["--secret", "client-secret=\(secret)"] + places)
        #expect(added.status == .done, "\(added)")
        #expect(added.messages.contains("send modemd SIGHUP") && !added.messages.contains("s3cret"), "\(added)")
        let again = await RecordingConsole.run(
          ["provider", "add", "truID", "--name", "two", "--set", "clientID=1"] + places)
        #expect(again.status == .usage && again.messages.contains("provider edit two"), "\(again)")
      }
      let tree = JSONValue(parsing: Array((Self.text("\(modemd.providers)/two.json") ?? "").utf8))
      #expect(
        tree
          == .object([
            "kind": .string("truID"), "clientID": .string("0123"), "way": .string("api"),
            "networks": .array([.string("234"), .string("26201")]), "patienceSeconds": .int(5),
            "backend": .object(["url": .string("https://app.invalid")]),
          ]))
      #expect(Self.text("\(modemd.credentials)/two.client-secret") == "s3cret-of-two\n")
      #expect(Self.mode("\(modemd.credentials)/two.client-secret") == 0o600)
      #expect(Self.mode("\(modemd.providers)/two.json").map { $0 & 0o007 } == 0)
      #expect(Self.names(in: modemd.providers) == ["two.json"])
      #expect(try await modemd.check().status == .exited(0))
      try await modemd.run {
        let list = await RecordingConsole.run(["provider", "list", "--socket", modemd.socket])
        #expect(list.output.contains("two   truID  234,26201"), "\(list)")
      }
    }
  }

  @Test("add asks a person for what the kind needs, and asks again for a value that does not fit")
  func asked() async throws {
    try await ModemdProcess.with { modemd in
      let places = ["--folder", modemd.providers, "--credentials", modemd.credentials, "--socket", modemd.socket]
      try await modemd.run {
        // Kind, name, project (an empty line is not enough), api, domains, device, client id, its
        // secret, networks.
        let run = await RecordingConsole.run(
          ["provider", "add"] + places,
          answers: [
            "miracl", "login", "", "the-project", "", "mpin.io, shop.example", "gate 7", "backend", "s3cret-of-login",
            "262",
          ])
        #expect(run.status == .done, "\(run)")
        #expect(run.messages.contains("Kinds: ") && run.messages.contains("project is needed"), "\(run)")
        #expect(!run.messages.contains("s3cret") && !run.output.contains("s3cret"))
        let ended = await RecordingConsole.run(
          ["provider", "add", "miracl", "--name", "other"] + places, answers: ["the-project"])
        #expect(ended.status == .usage && ended.messages.contains("standard input ended"), "\(ended)")
      }
      let tree = JSONValue(parsing: Array((Self.text("\(modemd.providers)/login.json") ?? "").utf8))
      #expect(tree?["trustedDomains"] == .array([.string("mpin.io"), .string("shop.example")]))
      #expect(tree?["deviceName"]?.string == "gate 7" && tree?["project"]?.string == "the-project")
      #expect(tree?["api"] == nil && tree?["networks"] == .array([.string("262")]))
      #expect(Self.text("\(modemd.credentials)/login.client-secret") == "s3cret-of-login")
      #expect(Self.names(in: modemd.providers) == ["login.json"])
      #expect(try await modemd.check().status == .exited(0))
    }
  }

  @Test("edit replaces a file by what modemd can read, and by nothing else; remove takes file and secrets")
  func edited() async throws {
    try await ModemdProcess.with(["good.json": Self.good]) { modemd in
      let places = ["--folder", modemd.providers, "--credentials", modemd.credentials, "--socket", modemd.socket]
      let file = "\(modemd.providers)/good.json"
      for name in ["good.client-secret", "goodbye.client-secret"] {
        try Data("s".utf8).write(to: URL(filePath: "\(modemd.credentials)/\(name)"))
      }
      try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: file)
      @Sendable func run(_ verb: String, editor: String = "false") async throws -> Run {
        let result = try await Subprocess.run(
          .path(.init(ModemdProcess.program("modemctl"))), arguments: .init(["provider", verb, "good"] + places),
          environment: .inherit.updating(["EDITOR": editor, "VISUAL": ""]), output: .string(limit: 65_536),
          error: .string(limit: 65_536))
        guard case .exited(let status) = result.terminationStatus else { throw CancellationError() }
        return Run(
          status: Ending(rawValue: status), output: result.standardOutput, messages: result.standardError)
      }
      try await modemd.run {
        let broken = try await run("edit", editor: "sed -i s/backend/bakcend/")
        #expect(broken.status == .usage && broken.messages.contains("did you mean backend?"), "\(broken)")
        #expect(broken.messages.contains("good.json stays as it was") && Self.text(file) == Self.good)
        let failed = try await run("edit")
        #expect(failed.status == .failed && failed.messages.contains("nothing was changed"), "\(failed)")
        let same = try await run("edit", editor: "true")
        #expect(same.status == .done && same.messages.contains("is unchanged"), "\(same)")
        let changed = try await run("edit", editor: "sed -i s/262/26201/")
        #expect(changed.status == .done && changed.messages.contains("is replaced"), "\(changed)")
        #expect(Self.text(file) == Self.good.replacing("262", with: "26201"))
        #expect(Self.mode(file) == 0o604)

        let removed = try await run("remove")
        #expect(removed.status == .done, "\(removed)")
        #expect(Self.names(in: modemd.providers) == [])
        #expect(Self.names(in: modemd.credentials) == ["goodbye.client-secret"])
        let again = try await run("remove")
        #expect(again.status == .usage && again.messages.contains("there is no provider good"), "\(again)")
      }
    }
  }

  @Test("A drop-in names the provider's own credentials, and lines of others are not taken for them")
  func dropIn() {
    let own = CredentialDropIn(
      provider: "truid", credentials: ["truid.client-secret": true, "truid.backend-password": false])
    #expect(
      own.text.hasSuffix(
        "[Service]\nLoadCredential=truid.backend-password:truid.backend-password\n"
          + "LoadCredentialEncrypted=truid.client-secret:truid.client-secret\n"))
    #expect(CredentialDropIn(provider: "truid", text: own.text) == own)
    let odd = """
      LoadCredential=other.x:other.x
      LoadCredential=truid.x:/etc/shadow
      LoadCredential=truid./../x:truid./../x
      LoadCredentialEncrypted=truid.y
      """
    #expect(CredentialDropIn(provider: "truid", text: odd).credentials == [:])
  }

  @Test(
    "A secret is encrypted by systemd-creds under its name, and is not in what is kept",
    .enabled(if: BoundedCommand.find("systemd-creds", in: ["/usr/bin"]) != nil, "needs systemd-creds"))
  func encrypted() throws {
    let program = try #require(BoundedCommand.find("systemd-creds", in: ["/usr/bin"]))
    // The key that needs neither this machine's TPM nor its host key.
    let sealed = try CredentialStore.encrypt(
      Array("s3cret-of-two".utf8), as: "two.client-secret", program, options: ["--with-key=auto-initrd"])
    #expect(!String(decoding: sealed, as: UTF8.self).contains("s3cret") && sealed.count > 50)
    let file = FileManager.default.temporaryDirectory.path + "/sealed-\(UInt64.random(in: 0 ... .max))"
    try Data(sealed).write(to: URL(filePath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    for (name, isRight) in [("two.client-secret", true), ("three.client-secret", false)] {
      let (bytes, end) = try BoundedCommand(
        program, ["decrypt", "--name=\(name)", file, "-"], seconds: 30, maximumOutput: 4096
      ).output()
      #expect((end == .exited(0)) == isRight)
      if isRight { #expect(String(decoding: bytes, as: UTF8.self) == "s3cret-of-two") }
    }
  }
}
