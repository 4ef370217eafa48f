import AuthCore
import AuthFlows
import JSONTree
import ModemModel
import RedirectChain
import SettingsFile
import Testing
import Web

@testable import ProviderSettings

@Suite("Providers' files")
struct ProviderFolderTests {
  struct Example: ProviderConfiguration, Hashable {
    static let kind = "example"
    var host: String
    var client: String?
    var limit: Int?
    var configuredURLs: [WebURL] { [] }
  }

  struct ExampleDocument: ProviderDocument {
    var host: String?
    var client: Client?

    struct Client: Decodable {
      var id: String?
      var limit: Int?
    }

    static let keys: [String: SettingsKeys] = ["host": .value, "client": .object(["id": .value, "limit": .value])]

    func settings(_ secrets: ProviderSecrets) throws(SettingsError) -> Example {
      guard let host else { throw SettingsError(key: "host", expected: "the host's name") }
      return Example(
        host: host, client: client?.id, limit: try SettingsError.number(client?.limit, "client.limit", 1...9))
    }
  }

  static func read(_ text: String, name: String = "one") throws -> ProviderSet {
    var providers = ProviderSet()
    let tree = try #require(JSONValue(parsing: Array(text.utf8)))
    try ProviderFolder.add(
      tree, ProviderSecrets(name: name, credentials: nil), to: &providers, kinds: [ExampleDocument.self])
    return providers
  }

  @Test("What is said for a network stands in place of what is said for all, member by member")
  func overrides() throws {
    let providers = try Self.read(
      #"""
      { "kind": "example", "networks": ["262", "23415"], "host": "a.example", "client": { "id": "x", "limit": 3 },
        "overrides": { "26201": { "client": { "limit": 5 } }, "234": { "host": "b.example" } } }
      """#)
    let one = try providers.find(Example.self, named: nil, for: PLMN("26202"))
    #expect(one.settings(for: PLMN("26202")) == Example(host: "a.example", client: "x", limit: 3))
    #expect(one.settings(for: PLMN("26201")) == Example(host: "a.example", client: "x", limit: 5))
    #expect(one.settings(for: PLMN("23415")) == Example(host: "b.example", client: "x", limit: 3))
    #expect(one.settings(for: nil) == Example(host: "a.example", client: "x", limit: 3))
    #expect(one.isMeant(for: PLMN("23415")) && !one.isMeant(for: PLMN("23410")) && !one.isMeant(for: nil))
  }

  @Test(
    "A mistake is named by its key, with what was expected",
    arguments: [
      (#"{ "host": "a" }"#, "kind is not one of example"), (#"{ "kind": "other" }"#, "kind is not one of example"),
      (#"{ "kind": "example" }"#, "host is not the host's name"),
      (#"{ "kind": "example", "hots": "a" }"#, "there is no key hots"),
      (#"{ "kind": "example", "host": "a", "networks": ["2620"] }"#, "networks is not MCCs of 3 digits"),
      (#"{ "kind": "example", "host": "a", "overrides": { "x": {} } }"#, "overrides is not named by MCCs"),
      (
        #"{ "kind": "example", "host": "a", "overrides": { "262": { "hots": "b" } } }"#,
        "there is no key overrides.262.hots"
      ),
      (
        #"{ "kind": "example", "host": "a", "overrides": { "262": { "client": { "limit": 10 } } } }"#,
        "overrides.262.client.limit is not 1 to 9"
      ),
      (#"{ "kind": "example", "host": 3 }"#, "host is not text"),
    ])
  func mistakes(text: String, message: String) {
    let error = #expect(throws: SettingsError.self) { try Self.read(text) }
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "no error")")
  }

  @Test("One is found by its name, or alone for the SIM's network; else the error says what there is")
  func finding() throws {
    var providers = ProviderSet()
    for (name, networks) in [("b", ["262"]), ("c", ["262"]), ("d", nil)] as [(String, Set<String>?)] {
      providers.add(NamedProvider(name: name, networks: networks, settings: Example(host: name)))
    }
    #expect(try providers.find(Example.self, named: "c", for: nil).name == "c")
    #expect(try providers.find(Example.self, named: nil, for: PLMN("23410")).name == "d")
    let several = #expect(throws: AuthError.self) { try providers.find(Example.self, named: nil, for: PLMN("26201")) }
    #expect(several?.code == .moreThanOneProvider(["b", "c", "d"]))
    let unknown = #expect(throws: AuthError.self) { try providers.find(Example.self, named: "x", for: nil) }
    #expect(unknown?.message.contains("b, c, d") == true)
    let none = #expect(throws: AuthError.self) { try ProviderSet().find(Example.self, named: nil, for: nil) }
    #expect(none?.message.contains("/etc/modemd/providers") == true)
  }
}
