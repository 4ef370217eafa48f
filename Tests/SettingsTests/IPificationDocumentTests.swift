import AuthCore
import AuthFlows
import FoundationEssentials
import JSONTree
import ModemModel
import SettingsFile
import Testing
import IPificationFlows

@testable import ProviderSettings

@Suite("The file of an IPification provider")
struct IPificationDocumentTests {
  static func read(_ members: String, for home: PLMN? = nil) throws -> IPificationSettings {
    var providers = ProviderSet()
    var tree: [String: JSONValue] = [
      "kind": .string("ipification"), "clientID": .string("c"), "redirectURI": .string("app://cb"),
    ]
    if case .object(let more)? = JSONValue(parsing: Array("{\(members.drop { $0 == "," })}".utf8)) {
      tree.merge(more) { $1 }
    } else {
      Issue.record("the members are no JSON")
    }
    try ProviderFolder.add(.object(tree), ProviderSecrets(name: "ip", credentials: nil), to: &providers)
    return try providers.find(IPificationSettings.self, named: nil, for: home).settings(for: home)
  }

  @Test("What is left out is as the SDK has it, and nobody completes a verification")
  func plain() throws {
    let settings = try Self.read("")
    #expect(settings.host == (try Endpoint("https://api.ipification.com")) && settings.tokenHost == settings.host)
    #expect(settings.paths == IPificationSettings.Paths() && settings.scope == ["openid", "ip:phone_verify"])
    #expect(settings.consentID == "ipconsent001eng" && settings.keepsCookies && settings.cleartext == .any)
    #expect(settings.completion == .none && settings.numberVerifier(named: "ip") == nil)
    #expect(settings.backendRoute == .host && settings.sendsNetwork && settings.checksCoverage)
  }

  @Test("Every key is read, and a network may have its own")
  func all() throws {
    let text = #"""
      , "host": "stage", "tokenHost": "id", "realm": "r1", "paths": { "coverage": "/c", "userinfo": "/u" },
        "backend": "https://app.example/done", "claims": "idToken", "route": "bearer",
        "scope": ["openid", "ip:phone"], "consentID": "mine", "locales": ["de"], "channels": ["ip"],
        "statePrefix": "x-", "sendsNetwork": false, "checksCoverage": false, "assumesCoverage": true,
        "cookies": false, "cleartextDomains": ["Op.Example"], "family": "ipv4", "authorizationSeconds": 40,
        "coverageSeconds": 9, "overrides": { "262": { "clientID": "d", "sendsConsent": false } }
      """#
    let settings = try Self.read(text)
    #expect(settings.host.host == "api.stage.ipification.com" && settings.tokenHost.host == "api.id.ipification.com")
    #expect(settings.paths.coverage == "/c" && settings.paths.userinfo == "/u")
    #expect(settings.paths.token == "/auth/realms/r1/protocol/openid-connect/token")
    #expect(settings.completion == .backend(try .init("https://app.example/done")))
    #expect(settings.numberVerifier(named: "ip")?.name == "ip")
    #expect(settings.claimsSource == .idToken && settings.backendRoute == .bearer)
    #expect(settings.scope == ["openid", "ip:phone"] && settings.consentID == "mine" && settings.statePrefix == "x-")
    #expect(settings.locales == ["de"] && settings.channels == ["ip"])
    #expect(!settings.sendsNetwork && !settings.checksCoverage && settings.assumesCoverage && !settings.keepsCookies)
    #expect(settings.cleartext == .only(["op.example"]) && settings.family == .ipv4)
    #expect(settings.authorizationTime == .seconds(40) && settings.coverageTime == .seconds(9))
    let german = try Self.read(text, for: PLMN("26201"))
    #expect(german.clientID == "d" && german.consentID == nil && german.locales == ["de"])
  }

  @Test("The example is one that modemd takes")
  func example() throws {
    let path = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let text = try String(contentsOfFile: "/\(path)/Examples/providers/ipification.json", encoding: .utf8)
    var providers = ProviderSet()
    try ProviderFolder.add(
      try #require(JSONValue(parsing: Array(text.utf8))), ProviderSecrets(name: "ip", credentials: nil), to: &providers)
    let provider = try providers.find(IPificationSettings.self, named: nil, for: PLMN("51010"))
    #expect(provider.settings(for: PLMN("51010")).host.host == "api.id.ipification.com")
    #expect(provider.settings(for: PLMN("23410")).cleartext == .known && !provider.isMeant(for: PLMN("26201")))
  }

  @Test(
    "A mistake is named by its key, with what was expected",
    arguments: [
      (#", "host": "staging""#, "host is not production, stage, a region"),
      (#", "tokenHost": "http://a.example""#, "tokenHost is not production"),
      (#", "clientID": """#, "client id: expected "), (#", "redirectURI": "http://a.example/""#, "redirect URI: "),
      (#", "redirectIsBackend": true"#, "redirect URI: expected https"),
      (#", "backend": "app://x""#, "backend is not an http or https URL"),
      (
        #", "backend": "https://a.example/", "redirectIsBackend": true"#,
        "backend, redirectIsBackend and the credential client-secret exclude each other"
      ),
      (#", "paths": { "token": "token" }"#, "paths.token is not a path that begins with /"),
      (#", "claims": "jwt""#, "claims is not one of userinfo, idToken"), (#", "route": "wifi""#, "route is not one of"),
      (#", "scope": ["ip:phone"]"#, "scope: expected "), (#", "channels": ["sms"]"#, "channel: expected "),
      (#", "cleartext": "some""#, "cleartext is not any or known"),
      (#", "cleartext": "any", "cleartextDomains": []"#, "cleartext and cleartextDomains exclude"),
      (#", "family": "ipv5""#, "family is not one of ipv4, ipv6"),
      (#", "coverageSeconds": 0"#, "coverageSeconds is not 1 to 300"), (#", "secret": "x""#, "there is no key secret"),
    ])
  func mistakes(members: String, message: String) {
    let error = #expect(throws: SettingsError.self) { try Self.read(members) }
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "no error")")
  }
}
