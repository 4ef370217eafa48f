// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import AuthFlows
import CryptoExtras
import FoundationEssentials
import JSONTree
import ModemModel
import NetworkAddress
import RedirectChain
import SettingsFile
import SystemdSupport
import Testing
import MobileConnectFlows

@testable import ProviderSettings

@Suite("A provider's file of the kind mobileConnect")
struct MobileConnectDocumentTests {
  static let kind = #""kind": "mobileConnect""#
  static let issuer =
    kind + #", "issuer": "https://op.example", "clientID": "app", "redirectURI": "https://app.example/back""#
  static let discovery =
    kind
    + #", "redirectURI": "https://app.example/back", "discovery": { "url": "https://d.example/v2/discovery", "clientID": "disco" }"#
  static let endpoints =
    kind
      + #"""
      , "clientID": "app", "redirectURI": "app:/back", "endpoints": { "authorization": "https://op.example/a",
      "token": "https://op.example/t", "jwks": "https://op.example/k", "issuer": "https://op.example" }
      """#
  static let secrets = ["client-secret": "s3cret\n", "discovery-secret": "d1sco"]
  /// Of 2048 bits, made for one run.
  static let key = try! _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation

  /// Reads a file of a provider named `mc`, with these credentials.
  static func read(
    _ members: String, _ credentials: [String: String] = secrets, for home: String? = nil
  ) throws -> MobileConnectSettings {
    let folder = FileManager.default.temporaryDirectory.path + "/mobile-connect-\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (name, text) in credentials {
      try Data(text.utf8).write(to: URL(filePath: "\(folder)/mc.\(name)"))
    }
    let directory = CredentialsDirectory(ServiceEnvironment(["CREDENTIALS_DIRECTORY": folder], process: 1))
    var providers = ProviderSet()
    let tree = try #require(JSONValue(parsing: Array("{\(members)}".utf8)))
    try ProviderFolder.add(tree, ProviderSecrets(name: "mc", credentials: directory), to: &providers)
    let network = home.flatMap { PLMN($0) }
    return try providers.find(MobileConnectSettings.self, named: "mc", for: network).settings(for: network)
  }

  @Test("The least that a file may hold for an issuer, and what it means")
  func least() throws {
    let settings = try Self.read(Self.issuer)
    guard case .issuer(let issuer)? = settings.source else {
      Issue.record("no issuer")
      return
    }
    #expect(issuer.host == "op.example" && settings.client == MobileConnectClient(id: "app", secret: Secret("s3cret")))
    #expect(settings.redirect?.text == "https://app.example/back" && settings.version == nil)
    #expect(settings.defaults.scope == ["openid"] && settings.defaults.acr == ["2"] && settings.route == .host)
    #expect(
      settings.defaults.maximumAge == 3600 && settings.defaults.sendsCorrelationID && !settings.defaults.sendsNumber)
    #expect(settings.maximumRedirects == 24 && settings.authorizationTime == .seconds(120) && settings.clockSkew == 60)
    #expect(settings.validation == .plus && settings.requiresSeamless && settings.appServer == nil)
    #expect(settings.serverInitiated == nil && settings.numberVerifier(named: "mc") != nil)
  }

  @Test("A discovery service with all that its part may hold")
  func discoveryService() throws {
    let settings = try Self.read(
      Self.kind
        + #"""
        , "redirectURI": "app:/back", "discovery": { "url": "https://d.example/v2/discovery", "clientID": "disco",
        "redirectURL": "https://app.example/found", "ways": ["number", "page"], "networkForm": "selected",
        "addressForm": "header", "usingMobileData": "word", "xRedirect": false, "html": true, "localAddress": true,
        "sourceAddress": "203.0.113.9", "sdkVersion": "a", "clientVersion": "b", "serverVersion": "c", "cookies": false }
        """#)
    guard case .discovery(let discovery)? = settings.source else {
      Issue.record("no discovery")
      return
    }
    #expect(discovery.url.text == "https://d.example/v2/discovery" && discovery.client.secret == Secret("d1sco"))
    #expect(discovery.redirectURL == "https://app.example/found" && discovery.ways == [.number, .page])
    #expect(
      discovery.networkForm == .selected && discovery.addressForm == .header && discovery.usingMobileData == .word)
    #expect(!discovery.suppressesPage && discovery.asksForHTML && discovery.sendsLocalAddress)
    #expect(discovery.sourceAddress == IPAddress("203.0.113.9") && discovery.libraryVersion == "a")
    #expect(discovery.clientVersion == "b" && discovery.serverVersion == "c" && !discovery.keepsCookies)
    // The operator's client comes with the operator.
    #expect(settings.client == nil)
    guard case .discovery(let plain)? = try Self.read(Self.discovery).source else { return }
    #expect(plain.redirectURL == "https://app.example/back" && plain.ways == [.network, .number, .address, .page])
  }

  @Test("Endpoints by hand, the app's server, the server-initiated mode, and the rest")
  func all() throws {
    let settings = try Self.read(
      Self.endpoints
        + #"""
        , "scope": ["openid", "mc_authn"], "acr": ["3", "2"], "version": "mc_di_r2_v2.3", "display": "touch",
        "maxAgeSeconds": 60, "uiLocales": ["en"], "claimsLocales": ["de"], "clientName": "shop", "sendsCorrelationID": false,
        "sendsNumber": true, "network": "serving", "validation": "plain", "requiresSeamless": false, "route": "bearer",
        "authorizationSeconds": 9, "maximumRedirects": 5, "clockSkewSeconds": 0, "cacheEntries": 3,
        "appServer": { "url": "https://shop.example", "manual": true, "sourceAddress": "203.0.113.9", "sendsNumber": false,
          "clientVersion": "Android-4.1.2" },
        "serverInitiated": { "keyID": "k", "endpoint": "https://op.example/si", "pollingEndpoint": "https://op.example/p",
          "version": "mc_si_r2.0", "audience": "aud", "grantType": "g", "notificationURI": "https://app.example/n",
          "patienceSeconds": 7, "intervalSeconds": 1 }
        """#, ["client-secret": "s3cret", "request-key": Self.key])
    guard case .endpoints(let found)? = settings.source else {
      Issue.record("no endpoints")
      return
    }
    #expect(found.issuer == "https://op.example" && found.endpoints[.keys]?.path == "/k")
    #expect(settings.defaults.scope == ["openid", "mc_authn"] && settings.defaults.acr == ["3", "2"])
    #expect(settings.version?.isSame(as: .v2_3) == true && settings.defaults.display == .touch)
    #expect(settings.defaults.maximumAge == 60 && settings.defaults.uiLocales == ["en"])
    #expect(settings.defaults.claimsLocales == ["de"] && settings.defaults.clientName == "shop")
    #expect(!settings.defaults.sendsCorrelationID && settings.defaults.sendsNumber && settings.usesServingNetwork)
    #expect(settings.validation == .plain && !settings.requiresSeamless && settings.route == .bearer)
    #expect(settings.authorizationTime == .seconds(9) && settings.maximumRedirects == 5 && settings.clockSkew == 0)
    let server = try #require(settings.appServer)
    #expect(server.root.appending("/x").text == "https://shop.example/mobile-connect/server_side_api/x")
    #expect(server.isManual && server.sendsAddress && !server.sendsNumber && server.clientVersion == "Android-4.1.2")
    let mode = try #require(settings.serverInitiated)
    #expect(mode.endpoint?.path == "/si" && mode.pollingEndpoint?.path == "/p" && mode.version == "mc_si_r2.0")
    #expect(mode.audience == "aud" && mode.grantType == "g" && mode.notificationURI == "https://app.example/n")
    #expect(mode.patience == .seconds(7) && mode.interval == .seconds(1))
  }

  @Test("An app's server alone is enough, and verifies no numbers")
  func appServer() throws {
    let settings = try Self.read(
      Self.kind + #", "appServer": { "url": "https://shop.example/base", "path": "/api" }"#, [:])
    #expect(settings.appServer?.root.appending("/x").text == "https://shop.example/base/api/x")
    #expect(settings.source == nil && settings.appServer?.clientVersion == "modemd-\(Product.version)")
    #expect(settings.numberVerifier(named: "mc") == nil)
  }

  @Test("Operators by network, each with its endpoints and its secret")
  func overrides() throws {
    let text =
      Self.issuer
        + #"""
        , "overrides": { "26201": { "issuer": "https://id.other.example", "clientID": "there",
          "clientCredential": "client-secret-26201" },
          "262": { "issuer": null, "endpoints": { "metadata": "https://third.example/meta" } } }
        """#
    let secrets = ["client-secret": "here", "client-secret-26201": "there"]
    #expect(try Self.read(text, secrets, for: "23410").client?.secret == Secret("here"))
    let other = try Self.read(text, secrets, for: "26201")
    #expect(other.client == MobileConnectClient(id: "there", secret: Secret("there")))
    guard case .issuer(let endpoint)? = other.source else {
      Issue.record("no issuer")
      return
    }
    #expect(endpoint.host == "id.other.example")
    guard case .endpoints(let found)? = try Self.read(text, secrets, for: "26202").source else {
      Issue.record("no endpoints")
      return
    }
    #expect(found.endpoints[.metadata]?.host == "third.example")
  }

  static let faults: [(String, String)] = [
    (kind, "discovery"), (kind + #", "redirectURI": "app:/b""#, "discovery"),
    (kind + #", "issuer": "https://op.example", "redirectURI": "app:/b""#, "clientID"),
    (kind + #", "issuer": "https://op.example", "clientID": "app""#, "redirectURI"),
    (issuer + #", "endpoints": {}"#, "exclude each other"),
    (issuer.replacing("https://op", with: "http://op"), "issuer"),
    (issuer.replacing("https://app.example/back", with: "no-scheme"), "redirectURI"),
    (issuer + #", "version": "2.3""#, "version"),
    (issuer + #", "scope": ["two words"]"#, "scope"), (issuer + #", "acr": ["9"]"#, "acr"),
    (issuer + #", "maxAgeSeconds": -1"#, "maximumAgeSeconds"), (issuer + #", "display": "paper""#, "display"),
    (issuer + #", "network": "any""#, "network"), (issuer + #", "validation": "best""#, "validation"),
    (issuer + #", "route": "air""#, "route"), (issuer + #", "maximumRedirects": 0"#, "maximumRedirects"),
    (issuer + #", "clockSkewSeconds": 601"#, "clockSkewSeconds"), (issuer + #", "cacheEntries": 0"#, "cacheEntries"),
    (issuer + #", "authorizationSeconds": 301"#, "authorizationSeconds"),
    (issuer + #", "clientCredential": "a\nb""#, "the name of a credential"),
    (issuer + #", "clientCredential": "other""#, "mc.other"), (issuer + #", "colour": 1"#, "colour"),
    (issuer + #", "appServer": { "url": "http://shop.example" }"#, "appServer.url"),
    (issuer + #", "appServer": { "url": "https://shop.example", "sourceAddress": "x" }"#, "appServer.sourceAddress"),
    (issuer + #", "serverInitiated": {}"#, "serverInitiated.keyID"),
    (issuer + #", "serverInitiated": { "keyID": "k" }"#, "mc.request-key"),
    (discovery.replacing("https://d", with: "http://d"), "discovery.url"),
    (discovery.replacing("/v2/discovery", with: "/v2/discovery?x=1"), "discovery.url"),
    (discovery.replacing(#""disco""#, with: #""disco", "ways": []"#), "discovery.ways"),
    (discovery.replacing(#""disco""#, with: #""disco", "ways": ["page", "page"]"#), "discovery.ways"),
    (discovery.replacing(#""disco""#, with: #""disco", "sourceAddress": "x""#), "discovery.sourceAddress"),
    (endpoints.replacing(#""jwks": "https://op.example/k", "#, with: ""), "endpoints.jwks"),
    (endpoints.replacing(#", "issuer": "https://op.example""#, with: ""), "endpoints.issuer"),
    (endpoints.replacing("https://op.example/t", with: "http://op.example/t"), "endpoints.token"),
  ]

  @Test("What is missing or wrong is named, and no secret is told", arguments: faults)
  func wrong(members: String, word: String) {
    let error = #expect(throws: SettingsError.self) { try Self.read(members) }
    #expect(error?.description.contains(word) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("s3cret") == false && error?.description.contains("d1sco") == false)
  }

  @Test(
    "Secrets that are missing are named", arguments: [(issuer, "mc.client-secret"), (discovery, "mc.discovery-secret")])
  func noSecret(members: String, word: String) {
    let error = #expect(throws: SettingsError.self) { try Self.read(members, [:]) }
    #expect(error?.description.contains(word) == true)
  }

  @Test("A key that is none is refused without telling it")
  func wrongKey() {
    let error = #expect(throws: SettingsError.self) {
      try Self.read(
        Self.issuer + #", "serverInitiated": { "keyID": "k" }"#, Self.secrets.merging(["request-key": "hunter2"]) { $1 }
      )
    }
    #expect(error?.description.contains("request-key") == true && error?.description.contains("hunter2") == false)
  }

  @Test("The examples can be used as they are", arguments: ["mobile-connect", "mobile-connect-without-discovery"])
  func examples(name: String) throws {
    let path = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let text = try String(contentsOfFile: "/\(path)/Examples/providers/\(name).json", encoding: .utf8)
    let members = String(text.drop { $0 != "{" }.dropFirst().reversed().drop { $0 != "}" }.dropFirst().reversed())
    let secrets = ["client-secret": "a", "client-secret-26201": "b", "discovery-secret": "c"]
    for home in ["00101", "26201"] { #expect(try Self.read(members, secrets, for: home).redirect != nil) }
  }
}
