import AuthCore
import AuthFlows
import Crypto
import FoundationEssentials
import JSONTree
import ModemModel
import RedirectChain
import SettingsFile
import SystemdSupport
import Testing
import Web
import CAMARAFlows

@testable import ProviderSettings

@Suite("A provider's file of the kind camara")
struct CAMARADocumentTests {
  static let least =
    #""kind": "camara", "root": "https://api.example", "tokenEndpoint": "https://auth.example/token", "clientID": "app""#
  /// Made for one run.
  static let key = P256.Signing.PrivateKey().pemRepresentation

  /// Reads a file of a provider named `op`, with these credentials.
  static func read(_ members: String, _ credentials: [String: String] = [:]) throws -> CAMARASettings {
    let folder = FileManager.default.temporaryDirectory.path + "/camara-\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (name, text) in credentials {
      try Data(text.utf8).write(to: URL(filePath: "\(folder)/op.\(name)"))
    }
    let directory = CredentialsDirectory(ServiceEnvironment(["CREDENTIALS_DIRECTORY": folder], process: 1))
    var providers = ProviderSet()
    let tree = try #require(JSONValue(parsing: Array("{\(members)}".utf8)))
    try ProviderFolder.add(tree, ProviderSecrets(name: "op", credentials: directory), to: &providers)
    return try providers.find(CAMARASettings.self, named: nil, for: nil).settings(for: nil)
  }

  @Test("The least that a file may hold, and what it means")
  func least() throws {
    let settings = try Self.read(Self.least, ["client-secret": "s3cret"])
    #expect(
      settings.server.root.host == "api.example" && settings.server.tokenEndpoint.text == "https://auth.example/token")
    #expect(settings.numberVerification == .v2 && settings.simSwap == .v2 && settings.simSwapToken == .byNumber)
    #expect(
      settings.server.usesPKCE && settings.server.promptsNone && !settings.hashesNumber
        && settings.server.route == .host)
    #expect(settings.server.redirect == nil && settings.numberVerifier(named: "op") == nil)
    #expect(settings.simChangeChecker(named: "op")?.name == "op")
    guard case .basic = settings.server.client.authentication else {
      Issue.record("a client with a secret does not use it")
      return
    }
  }

  @Test("All that a file may hold")
  func all() throws {
    let settings = try Self.read(
      Self.least
        + #"""
        , "authorizationEndpoint": "https://auth.example/authorize", "redirectURI": "app:/back", "assertionSeconds": 60,
        "numberVerificationVersion": "v1", "simSwapVersion": "v0", "paths": { "numberVerification": "/nv/v031" },
        "purpose": "ServiceProvision", "scopes": { "verify": "one two" }, "pkce": false, "promptNone": false,
        "loginHint": true, "hashNumber": true, "route": "bearer", "authorizationSeconds": 9
        """#)
    #expect(settings.server.redirect == .intercepted(try RedirectURI("app:/back"), text: "app:/back"))
    #expect(settings.numberVerification == .v1 && settings.simSwap == .v0 && settings.simSwapToken == .subscriber)
    #expect(settings.numberVerificationPath == "/nv/v031" && settings.scopes == [.verify: "one two"])
    #expect(settings.server.purpose == "ServiceProvision" && settings.server.assertionTime == 60)
    #expect(
      !settings.server.usesPKCE && !settings.server.promptsNone && settings.sendsLoginHint && settings.hashesNumber)
    #expect(settings.server.route == .bearer && settings.server.authorizationTime == .seconds(9))
    #expect(settings.numberVerifier(named: "op") != nil)
  }

  static let signed = least + #", "keyAlgorithm": "ES256""#

  @Test("An operator token stands for the bearer, by either grant")
  func operatorTokens() throws {
    let key = ["client-key": Self.key]
    let bearer = try Self.read(Self.signed + #", "authorization": "bearer""#, key)
    #expect(bearer.operatorTokens == nil && bearer.operatorTokensFrom == nil)
    let assertion = try Self.read(Self.signed + #", "authorization": "jwtBearer", "operatorTokensFrom": "ts""#, key)
    #expect(assertion.operatorTokens == .init(.jwtBearer, from: "ts") && assertion.operatorTokensFrom == "ts")
    #expect(assertion.otherAbilities == [.readNumber])
    let endpoint = try WebURL("https://auth.example/bc")
    let ciba = try Self.read(
      Self.least
        + #", "authorization": "ciba", "operatorTokensFrom": "ts", "backchannelEndpoint": "https://auth.example/bc""#,
      ["client-secret": "s3cret"])
    #expect(ciba.operatorTokens == .init(.backchannel(endpoint), from: "ts"))
    #expect(ciba.configuredURLs.contains(endpoint))
  }

  /// What is wrong, the credentials, and the words that name it.
  static let wrongTokens: [(String, [String: String], String)] = [
    (#""authorization": "jwt", "operatorTokensFrom": "ts""#, ["client-key": key], "authorization"),
    (#""authorization": "jwtBearer""#, ["client-key": key], "operatorTokensFrom"),
    (#""authorization": "jwtBearer", "operatorTokensFrom": """#, ["client-key": key], "operatorTokensFrom"),
    (#""authorization": "jwtBearer", "operatorTokensFrom": "op""#, ["client-key": key], "operatorTokensFrom"),
    (#""operatorTokensFrom": "ts""#, ["client-key": key], "operatorTokensFrom"),
    (#""authorization": "jwtBearer", "operatorTokensFrom": "ts""#, ["client-secret": "x"], "client-key"),
    (#""authorization": "jwtBearer", "operatorTokensFrom": "ts""#, [:], "client-key"),
    (#""authorization": "ciba", "operatorTokensFrom": "ts""#, ["client-key": key], "backchannelEndpoint"),
    (
      #""authorization": "ciba", "operatorTokensFrom": "ts", "backchannelEndpoint": "http://a.example/b""#,
      ["client-key": key], "backchannelEndpoint"
    ),
    (
      #""authorization": "ciba", "operatorTokensFrom": "ts", "backchannelEndpoint": "https://a.example/b""#, [:],
      "client-secret"
    ),
    (
      #""authorization": "jwtBearer", "operatorTokensFrom": "ts", "route": "bearer""#, ["client-key": key], "route"
    ),
    (
      #""authorization": "jwtBearer", "operatorTokensFrom": "ts", "redirectURI": "https://a.example/b", "redirectIsBackend": true"#,
      ["client-key": key], "redirectIsBackend"
    ),
  ]

  @Test("A file that cannot spend operator tokens is refused, and the error names the key", arguments: wrongTokens)
  func unfit(members: String, credentials: [String: String], words: String) {
    let error = #expect(throws: SettingsError.self) {
      try Self.read(Self.signed + ", " + members, credentials)
    }
    #expect(error?.sentence.contains(words) == true)
  }

  @Test("A front end brings its hosts and its ways, and a file may say otherwise")
  func frontEnd() throws {
    let settings = try Self.read(
      #""kind": "camara", "frontEnd": "telefonica", "clientID": "app", "redirectURI": "https://app.example/back""#)
    #expect(settings.server.tokenEndpoint.host == settings.server.root.host && settings.scopeForm == .purposeAndName)
    #expect(settings.server.redirect == .fetched(try WebURL("https://app.example/back")))
    let own = try Self.read(
      #"""
      "kind": "camara", "frontEnd": "telefonica", "clientID": "app", "redirectURI": "https://app.example/back",
      "redirectIsBackend": false, "root": "https://other.example"
      """#)
    #expect(own.server.root.host == "other.example" && own.server.redirect?.isFetched == false)
  }

  @Test("The client proves itself by the credential that is there")
  func proof() async throws {
    let secret = ["client-secret": "s3cret\n"]
    let endpoint = try WebURL("https://auth.example/token")
    func proof(_ more: String, _ credentials: [String: String]) async throws -> ClientProof {
      let settings = try Self.read(Self.least + more, credentials)
      return try await settings.server.client.proof(
        for: endpoint, settings.server.tools, at: Timestamp(milliseconds: 0))
    }
    #expect(try await proof("", secret) == .basic(Secret("s3cret")))
    #expect(try await proof(#", "clientAuthentication": "secretPost""#, secret) == .post(Secret("s3cret")))
    let codes = #", "authorizationEndpoint": "https://auth.example/authorize", "redirectURI": "app:/back""#
    #expect(try await proof(codes + #", "clientAuthentication": "none""#, secret) == .none)
    let signed = try await proof(#", "keyAlgorithm": "ES256", "keyID": "k1""#, ["client-key": Self.key])
    guard case .assertion(let token) = signed else {
      Issue.record("a key signs nothing")
      return
    }
    #expect(token.revealed.split(separator: ".").count == 3)
  }

  static let tooLittle: [(String, String)] = [
    (#""kind": "camara""#, "clientID"), (#""kind": "camara", "clientID": "a""#, "root"),
    (#""kind": "camara", "clientID": "a", "root": "https://a.example""#, "tokenEndpoint"),
    (#""kind": "camara", "clientID": "a", "root": "http://a.example", "tokenEndpoint": "https://a.example/t""#, "root"),
    (
      #""kind": "camara", "clientID": "a", "root": "https://a.example", "tokenEndpoint": "http://a.example/t""#,
      "tokenEndpoint"
    ),
    (least, "neither a secret nor authorizationEndpoint"),
    (least + #", "authorizationEndpoint": "https://a.example/authorize""#, "neither a secret"),
    (least + #", "redirectURI": "app:/x""#, "neither a secret"),
  ]
  static let tooMuch = [
    (#""authorizationEndpoint": "no url""#, "authorizationEndpoint"), (#""redirectURI": "no-scheme""#, "redirectURI"),
    (#""redirectURI": "app:/x", "redirectIsBackend": true"#, "redirectURI"),
    (#""numberVerificationVersion": "v3""#, "numberVerificationVersion"), (#""simSwapVersion": "2""#, "simSwapVersion"),
    (#""paths": { "simSwap": "x" }"#, "paths.simSwap"), (#""purpose": "Fraud Prevention""#, "purpose"),
    (#""scopes": { "all": "x" }"#, "scopes.all"), (#""assertionSeconds": 301"#, "assertionSeconds"),
    (#""route": "air""#, "route"), (#""clientAuthentication": "secretBasic""#, "client-secret"),
    (#""clientAuthentication": "privateKey""#, "client-key"), (#""frontEnd": "none""#, "frontEnd"),
    (#""authorizationSeconds": 0"#, "authorizationSeconds"), (#""colour": 1"#, "colour"),
  ]

  @Test("What is missing is named", arguments: tooLittle)
  func missing(members: String, word: String) {
    let error = #expect(throws: SettingsError.self) { try Self.read(members) }
    #expect(error?.description.contains(word) == true, "\(error?.description ?? "")")
  }

  @Test("What is wrong is named", arguments: tooMuch)
  func wrong(member: String, word: String) {
    let error = #expect(throws: SettingsError.self) { try Self.read("\(Self.least), \(member)") }
    #expect(error?.description.contains(word) == true, "\(error?.description ?? "")")
  }

  @Test("A key that is none is refused without telling it")
  func wrongKey() {
    let error = #expect(throws: SettingsError.self) { try Self.read(Self.least, ["client-key": "hunter2hunter2"]) }
    #expect(error?.description.contains("client-key") == true && error?.description.contains("hunter2") == false)
  }
}
