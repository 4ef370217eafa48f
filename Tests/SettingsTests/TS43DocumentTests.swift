import AuthCore
import AuthFlows
import FoundationEssentials
import JSONTree
import ModemModel
import SettingsFile
import TS43Flows
import Testing

@testable import ProviderSettings

@Suite("The file of an operator's entitlement server")
struct TS43DocumentTests {
  private static func read(_ text: String, for home: String = "26201") throws -> TS43Settings {
    var providers = ProviderSet()
    let tree = try #require(JSONValue(parsing: Array(text.utf8)))
    try ProviderFolder.add(tree, ProviderSecrets(name: "operator", credentials: nil), to: &providers)
    return try providers.find(TS43Settings.self, named: "operator", for: nil).settings(for: PLMN(home))
  }

  @Test("Every key has its place")
  func whole() throws {
    let settings = try Self.read(
      #"""
      { "kind": "ts43", "server": "https://entitlement.operator.example/ts43", "realm": "nai.Virtual.example",
        "versions": ["13.0", "8.0"], "appName": "gate app", "appVersion": "1.2",
        "terminalID": "0B0A3F5E-0d6c-4a0e-9a2c-5f1f3a0c7d11", "terminalVendor": "Acme", "terminalModel": "gateway-77",
        "terminalSoftware": "2026.11", "userAgent": "PRD-TS43 term-Acme/gateway-7", "method": "post",
        "eap": "akaPrime", "networkName": "WLAN", "reauthenticate": true, "sendGroupID": true,
        "verification": "number", "route": "bearer", "overrides": { "262": { "appName": "other" } } }
      """#)
    #expect(settings.server == (try Endpoint("https://entitlement.operator.example/ts43")))
    #expect(settings.realm == "nai.Virtual.example" && settings.versions == ["13.0", "8.0"])
    #expect(settings.appName == "other" && settings.appVersion == "1.2")
    #expect(settings.terminalID == .uuid("0b0a3f5e-0d6c-4a0e-9a2c-5f1f3a0c7d11"))
    #expect(settings.terminalVendor == "Acme" && settings.terminalModel == "gateway-77")
    #expect(settings.terminalSoftware == "2026.11" && settings.userAgent == "PRD-TS43 term-Acme/gateway-7")
    #expect(settings.method == .post && settings.eap == .akaPrime && settings.networkName == "WLAN")
    #expect(settings.reauthenticates && settings.sendsGroupID)
    #expect(settings.verification == .number && settings.route == .bearer)
    #expect(settings.configuredURLs.map(\.host) == ["entitlement.operator.example"])
  }

  @Test("Nothing is needed: the server and the realm are those of the SIM's network, and the SIM logs in")
  func defaults() throws {
    let settings = try Self.read(#"{ "kind": "ts43" }"#)
    #expect(settings.server == nil && settings.realm == nil && settings.appName == nil && settings.userAgent == nil)
    #expect(settings.versions.first == "12.0" && settings.terminalID == .imei && settings.eap == .aka)
    #expect(settings.method == .get && settings.route == .host && settings.verification == .operation)
    #expect(!settings.reauthenticates && !settings.sendsGroupID && settings.networkName == nil)
    #expect(settings.configuredURLs.isEmpty)
  }

  @Test("The example can be used as it is, and differs by network")
  func example() throws {
    let path = String(#filePath).split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    let text = try String(contentsOfFile: "\(path)/Examples/providers/ts43.json", encoding: .utf8)
    let (one, other) = (try Self.read(text, for: "23415"), try Self.read(text, for: "26201"))
    #expect(one.server == nil && one.eap == .aka && one.appName == "example-gateway")
    #expect(other.server?.host == "entitlement.operator.example" && other.eap == .akaPrime)
    #expect(other.appName == "example-gateway")
  }

  @Test(
    "A mistake is named by its key, and the message says what to write",
    arguments: [
      (#""server": "http://entitlement.example""#, "server is not an https URL"),
      (#""server": "https://entitlement.example/?a=b""#, "server is not an http or https URL without query"),
      (#""server": "entitlement.example""#, "server is not an http or https URL"),
      (#""realm": "nai.example@x""#, "realm is not a domain name"), (#""realm": "nai""#, "realm is not a domain name"),
      (#""realm": "-a.example""#, "realm is not a domain name"), (#""realm": """#, "realm is not a domain name"),
      (#""versions": []"#, "versions is not 1 to 8 different versions"),
      (#""versions": ["12"]"#, "versions is not 1 to 8 different versions"),
      (#""versions": ["12.0", "12.0"]"#, "versions is not 1 to 8 different versions"),
      (#""versions": ["v12.0"]"#, "versions is not 1 to 8 different versions"),
      (#""versions": ["1.0","2.0","3.0","4.0","5.0","6.0","7.0","8.0","9.0"]"#, "1 to 8 different"),
      (#""appName": "Google-OGI""#, "appName is that of Google's own client"),
      (#""appName": "google-ogi""#, "agree on a name with the operator"),
      (#""appName": """#, "appName is not 1 to 100 printable ASCII characters"),
      (#""appName": " a""#, "appName is not 1 to 100 printable"), (#""appName": "ä""#, "appName is not 1 to 100"),
      (#""appVersion": "123456789012345678901234567890123""#, "appVersion is not 1 to 32"),
      (#""terminalID": "350077523237513""#, "terminalID is not imei, or a UUID"),
      (#""terminalID": "0b0a3f5e0d6c4a0e9a2c5f1f3a0c7d11""#, "terminalID is not imei, or a UUID"),
      (#""terminalID": "0b0a3f5e-0d6c-4a0e-9a2c-5f1f3a0c7d1g""#, "terminalID is not imei, or a UUID"),
      (#""terminalVendor": "Vendor""#, "terminalVendor is not 1 to 4"),
      (#""terminalModel": "gateway-seven""#, "terminalModel is not 1 to 10"),
      (#""terminalSoftware": "123456789012345678901""#, "terminalSoftware is not 1 to 20"),
      ("\"userAgent\": \"a\\r\\nHost: b\"", "userAgent is not 1 to 256 printable"),
      (#""method": "put""#, "method is not one of get, post"), (#""eap": "sim""#, "eap is not one of aka, akaPrime"),
      (#""networkName": "WLAN""#, "networkName is of EAP-AKA' alone"),
      (#""networkName": "ä", "eap": "akaPrime""#, "networkName is not 1 to 255"),
      (#""verification": "both""#, "verification is not one of operation, number"),
      (#""route": "air""#, "route is not one of host, bearer"), (#""client": "x""#, "there is no key client"),
      (#""overrides": { "262": { "eap": "x" } }"#, "overrides.262.eap is not one of aka, akaPrime"),
    ])
  func mistakes(text: String, words: String) throws {
    let error = #expect(throws: SettingsError.self) { try Self.read(#"{ "kind": "ts43", \#(text) }"#) }
    #expect(error?.sentence.contains(words) == true, "\(error.map { $0.sentence } ?? "none")")
  }

  @Test("What is used for a network alone is checked there: a network's name needs EAP-AKA' of the same network")
  func overrides() throws {
    let good = #"{ "kind": "ts43", "eap": "akaPrime", "overrides": { "26201": { "networkName": "WLAN" } } }"#
    #expect(try Self.read(good).networkName == "WLAN")
    let bad = #"{ "kind": "ts43", "eap": "akaPrime", "networkName": "a", "overrides": { "26201": { "eap": "aka" } } }"#
    #expect(throws: SettingsError.self) { try Self.read(bad) }
  }
}
