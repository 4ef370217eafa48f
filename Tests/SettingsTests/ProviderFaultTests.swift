import AuthCore
import AuthFlows
import FoundationEssentials
import ModemModel
import SettingsFile
import Testing

@testable import ProviderSettings
@testable import modemd

/// One file that cannot be used disables its own provider, and says why.
@Suite("Providers' files that cannot be used")
struct ProviderFaultTests {
  private static func read(
    _ files: [String: String], secrets: [String: String] = [:]
  ) throws -> (set: ProviderSet, folder: String, check: FileCheck) {
    let folder = FileManager.default.temporaryDirectory.path + "/providers-\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (name, text) in files { try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)")) }
    return try CredentialFolder.with(secrets) { credentials in
      (
        try ProviderFolder.read(folder, kinds: KnownProviders.documents, credentials: credentials), folder,
        FileCheck(configuration: nil, folder: folder, credentials: credentials)
      )
    }
  }

  @Test("The others serve, and the fault names file, line and the nearest word")
  func disabled() throws {
    let found = try Self.read([
      "good.json": #"{ "kind": "truID", "backend": { "url": "https://app.example" } }"#,
      "typo.json": "{ \"kind\": \"truID\",\n\n  \"clientid\": \"x\" }", "kind.json": "{\n  \"kind\": \"truid\" }",
      "Wrong Name.json": "{}", ".hidden.json": "{", "other.txt": "{",
    ])
    #expect(found.set.names.map(\.name) == ["good"])
    let faults = Dictionary(uniqueKeysWithValues: found.set.faults.map { ($0.name, $0) })
    #expect(Set(faults.keys) == ["typo", "kind", "Wrong Name"])
    #expect(
      faults["typo"]?.description
        == "\(found.folder)/typo.json:3: there is no key clientid; did you mean clientID?")
    #expect(
      faults["kind"]?.description == "\(found.folder)/kind.json:2: kind: there is no truid; did you mean truID?")
    #expect(faults["Wrong Name"]?.line == nil)
    #expect(!found.check.isGood && found.check.lines.count == 4)
    #expect(found.check.lines.contains("\(found.folder)/good.json: good: truID, for all networks"))
    #expect(found.check.lines.contains("\(faults["typo"]?.description ?? "")"))
  }

  @Test(
    "What is wrong is told at its line, without a value and without a list of all keys",
    arguments: [
      ("{ \"kind\": \"truID\" }", nil, "there is neither clientID nor backend"),
      (#"{"kind":"firebase"}"#, nil, "the project has no API key; give the credential one.api-key"),
      ("{ \"kind\": \"truID\",\n\"clientID\": \"hunter2\" }", 2, "clientID has no secret"),
      (
        "{ \"kind\": \"truID\",\n\"backend\": {\n \"url\": \"hunter2\" } }", 3,
        "backend.url is not an http or https URL"
      ),
      ("{ \"kind\": \"truID\",\n\"patienceSeconds\": \"hunter2\" }", 2, "patienceSeconds is not a whole number"),
      ("{ \"kind\": \"truID\",\n\"zzzzzz\": \"hunter2\" }", 2, "there is no key zzzzzz; modemd.providers(5)"),
      ("{ \"kind\": \"hunter2\" }", 1, "kind is not one of firebase, ipification"),
      ("{ \"kind\": \"truID\",\n\n \"region\" \"hunter2\" }", 3, "it is no JSON object"),
      ("", 1, "it is no JSON object"),
      (
        "{ \"kind\": \"truID\", \"backend\": { \"url\": \"https://a.example\" },\n\"overrides\": {\n\"262\": {\n\"regoin\": \"us\" } } }",
        4, "there is no key overrides.262.regoin; did you mean region?"
      ),
      (
        "{ \"kind\": \"truID\", \"backend\": { \"url\": \"https://a.example\" },\n\"overrides\": {\n\"262\": {\n\"region\": \"mars\" } } }",
        4, "overrides.262.region is not one of eu, in, us"
      ),
    ] as [(String, Int?, String)])
  func faults(text: String, line: Int?, message: String) throws {
    let found = try Self.read(["one.json": text])
    let fault = try #require(found.set.faults.first)
    #expect(fault.line == line, "\(fault)")
    #expect(fault.text.hasPrefix(message), "\(fault)")
    #expect(!fault.text.contains("hunter2") && fault.text.utf8.count < 250, "\(fault)")
    #expect(found.set.names.isEmpty && !found.check.isGood)
  }

  @Test("A text is read with credentials that the service does not have yet, and nothing is kept of it")
  func test() {
    let files = ProviderFiles(folder: "/etc/modemd/providers", kinds: KnownProviders.documents, credentials: nil)
    let text = #"{ "kind": "truID", "clientID": "c" }"#
    #expect(files.fault(in: text, named: "one", given: ["client-secret": Secret("s")]) == nil)
    #expect(files.fault(in: text, named: "one", given: [:])?.file == "/etc/modemd/providers/one.json")
    #expect(files.fault(in: text, named: "../one", given: ["client-secret": Secret("s")]) != nil)
    #expect(files.fault(in: text + String(repeating: " ", count: 262_144), named: "one", given: [:]) != nil)
  }

  @Test("If nobody verifies numbers of the SIM's network, the error says of each provider why it does not")
  func reasons() throws {
    let found = try Self.read(
      [
        "british.json": #"{ "kind": "truID", "networks": ["234"], "backend": { "url": "https://a.example" } }"#,
        "app.json": #"{ "kind": "firebase" }"#, "typo.json": #"{ "kind": "camra" }"#,
      ], secrets: ["app.api-key": "k"])
    let none = #expect(throws: AuthError.self) {
      try found.set.numberVerifiers(named: nil, for: PLMN("26201"))
    }
    let text = try #require(none?.message)
    #expect(text.contains("(26201)") && text.contains("british (truID) is for SIMs of 234"), "\(text)")
    #expect(text.contains("app (firebase) does not verify numbers"), "\(text)")
    #expect(text.contains("typo is disabled: ") && text.contains("did you mean camara?"), "\(text)")
    let unknown = #expect(throws: AuthError.self) { try found.set.numberVerifiers(named: nil, for: nil) }
    #expect(unknown?.message.contains("the SIM's network is not known") == true)
    let change = #expect(throws: AuthError.self) { try found.set.simChangeChecker(named: nil, for: PLMN("26201")) }
    #expect(change?.message.contains("app (firebase) does not tell of SIM changes") == true)
    let disabled = #expect(throws: AuthError.self) { try found.set.numberVerifiers(named: "typo", for: nil) }
    #expect(disabled?.message.hasPrefix("the provider typo is disabled: ") == true)
    #expect(try found.set.numberVerifiers(named: nil, for: PLMN("23410")).map(\.verifier.name) == ["british"])
  }
}
