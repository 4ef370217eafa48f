import AuthCore
import AuthFlows
import Glibc
import JSONTree
import ModemModel
import SettingsFile
import SystemdSupport
import Testing
import MIRACLFlows

@testable import ProviderSettings

@Suite("The file of a MIRACL project")
struct MIRACLDocumentTests {
  private static func read(_ text: String, secrets: [String: String] = [:]) throws -> MIRACLSettings {
    try CredentialFolder.with(secrets) { credentials in
      var providers = ProviderSet()
      let tree = try #require(JSONValue(parsing: Array(text.utf8)))
      try ProviderFolder.add(tree, ProviderSecrets(name: "login", credentials: credentials), to: &providers)
      return try providers.find(MIRACLSettings.self, named: "login", for: nil).settings(for: PLMN("26201"))
    }
  }

  @Test("Every key has its place")
  func whole() throws {
    let settings = try Self.read(
      #"""
      { "kind": "miracl", "api": "https://api.shop.example/x/", "project": "p-1", "generation": "rps", "route": "bearer",
        "deviceName": "gate 7", "deviceTag": "00112233445566778899aabbccddeeff", "trustedDomains": ["login.example"],
        "landing": true, "projectInQuery": true, "clientID": "c-1", "backend": "https://app.example",
        "pinSeconds": 30, "mailSeconds": 60, "overrides": { "262": { "deviceName": "gate 8" } } }
      """#, secrets: ["login.client-secret": "s-1\n"])
    var expected = MIRACLSettings(api: try Endpoint("https://api.shop.example/x/"), project: "p-1")
    expected.generation = .rps
    expected.route = .bearer
    expected.deviceName = "gate 8"
    expected.deviceTag = "00112233445566778899aabbccddeeff"
    expected.trustedDomains = ["login.example"]
    expected.asksLanding = true
    expected.sendsProjectInQuery = true
    expected.client = .init(id: "c-1", secret: Secret("s-1"))
    expected.backend = try Endpoint("https://app.example")
    expected.pinTime = .seconds(30)
    expected.mailTime = .seconds(60)
    #expect(settings == expected)
    #expect(!"\(settings)".contains("s-1"))
  }

  @Test("What is left out has its default; MIRACL's own domain is trusted with MIRACL's own API alone")
  func defaults() throws {
    let usual = try Self.read(#"{ "kind": "miracl", "project": "p-1" }"#)
    #expect(usual.api.host == "api.mpin.io" && usual.trustedDomains == ["mpin.io"] && usual.client == nil)
    #expect(usual.generation == .registration && usual.route == .host && !usual.asksLanding)
    #expect(usual.pinTime == .seconds(120) && usual.mailTime == .seconds(600) && usual.deviceTag == nil)
    let own = try Self.read(#"{ "kind": "miracl", "project": "p-1", "api": "https://id.shop.example" }"#)
    #expect(own.trustedDomains.isEmpty)
  }

  @Test("The example can be read")
  func example() throws {
    let path = String(#filePath).split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    let file = try #require(fopen("\(path)/Examples/providers/miracl.json", "re"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&bytes, 1, bytes.count, file)
    let settings = try Self.read(String(decoding: bytes[..<count], as: UTF8.self))
    #expect(settings.api.host == "api.mpin.io" && settings.client == nil)
  }

  @Test(
    "A mistake is named by its key",
    arguments: [
      ("", "project is not the project's id"), (#""project": "a b""#, "project is not the project's id"),
      (#""project": """#, "project is not the project's id"),
      (#""project": "p", "api": "http://api.example""#, "api is not an https URL"),
      (#""project": "p", "api": "x""#, "api is not an http or https URL"),
      (#""project": "p", "backend": "http://app.example""#, "backend is not an https URL"),
      (#""project": "p", "generation": "old""#, "generation is not one of registration, rps"),
      (#""project": "p", "route": "air""#, "route is not one of host, bearer"),
      (#""project": "p", "deviceName": """#, "deviceName is not text"),
      (#""project": "p", "deviceName": "a\nb""#, "deviceName is not text"),
      (#""project": "p", "deviceTag": "00""#, "deviceTag is not 32 hexadecimal digits"),
      (#""project": "p", "deviceTag": "00112233445566778899AABBCCDDEEFF""#, "deviceTag is not 32 hexadecimal digits"),
      (#""project": "p", "trustedDomains": ["https://a.example"]"#, "trustedDomains is not names of hosts"),
      (#""project": "p", "trustedDomains": ["a.example/x"]"#, "trustedDomains is not names of hosts"),
      (#""project": "p", "trustedDomains": [""]"#, "trustedDomains is not names of hosts"),
      (#""project": "p", "clientID": "c""#, "clientID has no secret; give the credential login.client-secret"),
      (#""project": "p", "clientID": "a:b""#, "clientID is not a word"),
      (#""project": "p", "pinSeconds": 9"#, "pinSeconds is not 10 to 600"),
      (#""project": "p", "mailSeconds": 3601"#, "mailSeconds is not 10 to 3600"),
      (#""project": "p", "landing": "yes""#, "landing is not true or false"), (#""key": "x""#, "there is no key key"),
    ])
  func mistakes(members: String, message: String) {
    let comma = members.isEmpty ? "" : ", "
    let error = #expect(throws: SettingsError.self) { try Self.read("{ \"kind\": \"miracl\"\(comma)\(members) }") }
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "no error")")
  }
}
