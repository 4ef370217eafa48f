import AuthCore
import AuthFlows
import Glibc
import JSONTree
import ModemModel
import SettingsFile
import SystemdSupport
import Testing
import FirebaseFlows

@testable import ProviderSettings

@Suite("The file of a Firebase project")
struct FirebaseDocumentTests {
  private static func read(_ text: String, secrets: [String: String] = [:]) throws -> FirebaseSettings {
    // Without a key, or the emulator, nothing can be done.
    let secrets = ["project.api-key": "key-1"].merging(secrets) { _, given in given }
    return try CredentialFolder.with(secrets) { credentials in
      var providers = ProviderSet()
      let tree = try #require(JSONValue(parsing: Array(text.utf8)))
      try ProviderFolder.add(tree, ProviderSecrets(name: "project", credentials: credentials), to: &providers)
      return try providers.find(FirebaseSettings.self, named: "project", for: nil).settings(for: PLMN("26201"))
    }
  }

  @Test("Every key has its place")
  func whole() throws {
    let settings = try Self.read(
      #"""
      { "kind": "firebase", "hosts": { "identity": "https://i.example/x/", "tokens": "https://t.example" },
        "version": "v3", "locale": "de", "tenant": "t 1", "iosBundle": "com.example", "route": "bearer",
        "testNumbers": ["+44 7700 900000"],
        "code": { "sender": "Google", "pattern": "{digits:6} is", "seconds": 30, "attempts": 5 },
        "simCheck": { "backend": "https://app.example/api", "user": "u", "route": "bearer", "unknown": "proceed", "days": 2 },
        "overrides": { "262": { "locale": "at" } } }
      """#,
      secrets: [
        "project.api-key": "key-1\n", "project.test-code.447700900000": "123456", "project.backend-password": "pw",
      ])
    #expect(settings.hosts.identity.appending("/v1").text == "https://i.example/x/v1")
    #expect(settings.hosts.legacy == FirebaseHosts.production.legacy && settings.hosts.tokens.host == "t.example")
    #expect(settings.version == .v3 && settings.locale == "at" && settings.tenant == "t 1")
    #expect(settings.iosBundle == "com.example" && settings.route == .bearer)
    #expect(settings.apiKey?.revealed == "key-1")
    #expect(settings.testNumbers == [try SubscriberNumber("+447700900000"): Secret("123456")])
    #expect(
      settings.code == .init(sender: "Google", pattern: "{digits:6} is", time: .seconds(30), attempts: 5))
    let backend = SIMCheckBackend(
      try Endpoint("https://app.example/api"), user: "u", password: Secret("pw"), route: .bearer)
    #expect(settings.gate == SIMGate(.backend(backend), unknown: .proceed, period: .seconds(172_800)))
  }

  @Test("What is left out has its default; without simCheck there is no gate, and nobody passes")
  func defaults() throws {
    #expect(try Self.read(#"{ "kind": "firebase" }"#) == FirebaseSettings(apiKey: Secret("key-1")))
    let any = try Self.read(#"{ "kind": "firebase", "emulator": "localhost:9099", "simCheck": {} }"#)
    #expect(any.hosts.isEmulator && any.gate == SIMGate(.provider(name: nil)))
    let named = try Self.read(#"{ "kind": "firebase", "simCheck": { "provider": "operator" } }"#)
    #expect(named.gate?.source == .provider(name: "operator") && named.gate?.unknown == .stop)
  }

  @Test("The example can be read")
  func example() throws {
    let path = String(#filePath).split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    let file = try #require(fopen("\(path)/Examples/providers/firebase.json", "re"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&bytes, 1, bytes.count, file)
    let settings = try Self.read(String(decoding: bytes[..<count], as: UTF8.self))
    #expect(settings.hosts == .production && settings.gate != nil)
  }

  @Test(
    "A mistake is named by its key",
    arguments: [
      (#""emulator": "http://localhost:9099""#, "emulator is not host:port"),
      (#""emulator": "h:1", "hosts": {}"#, "hosts is not left out beside emulator"),
      (#""emulator": "h:1", "route": "bearer""#, "route is not host"),
      (#""hosts": { "identity": "http://i.example" }"#, "hosts.identity is not an https URL"),
      (#""hosts": { "tokens": "x" }"#, "hosts.tokens is not an http or https URL"),
      (#""version": "v2""#, "version is not one of v1, v3"), (#""route": "air""#, "route is not one of host, bearer"),
      (#""locale": "a b""#, "locale is not a word without blanks"),
      (#""iosBundle": "a\nb""#, "iosBundle is not a word without blanks"),
      (#""testNumbers": ["0770"]"#, "testNumbers is not numbers in international form"),
      (#""testNumbers": ["+447700900000"]"#, "testNumbers is not numbers whose codes are credentials"),
      (#""code": { "pattern": "no place" }"#, "code.pattern cannot be used"),
      (#""code": { "sender": "" }"#, "code.sender is not"),
      (#""code": { "seconds": 0 }"#, "code.seconds is not 1 to 600"),
      (#""code": { "attempts": 11 }"#, "code.attempts is not 1 to 10"),
      (#""simCheck": { "backend": "https://a.example", "provider": "b" }"#, "simCheck is not a backend or a provider"),
      (#""simCheck": { "unknown": "maybe" }"#, "simCheck.unknown is not one of stop, proceed"),
      (#""simCheck": { "days": 0 }"#, "simCheck.days is not 1 to 100"), (#""key": "x""#, "there is no key key"),
    ])
  func mistakes(members: String, message: String) {
    let error = #expect(throws: SettingsError.self) { try Self.read("{ \"kind\": \"firebase\", \(members) }") }
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "no error")")
    #expect(error?.message.contains("447700900000") != true)
  }
}
