import AuthCore
import AuthFlows
import FoundationEssentials
import Glibc
import JSONTree
import ModemAPI
import ModemModel
import ModemService
@_spi(Exchange) import RedirectChain
import Synchronization
import Testing
@_spi(Exchange) import Web
import MobileConnectFlows

@testable import MobileConnectCommands
@testable import ModemctlCommands
@testable import ModemctlCore

@Suite("Verbs of Mobile Connect", .timeLimit(.minutes(1)))
struct MobileConnectVerbTests {
  // MARK: Arguments

  static func file(_ text: String) throws -> String {
    let path = "/tmp/modemctl-mobile-connect-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    try ArgumentFile.write(text, to: path)
    return path
  }

  @Test("Options and the request's file become one request, the options first")
  func request() throws {
    let path = try Self.file(
      #"{"scope":["openid"],"hintEncrypted":"ab12","claims":{"userinfo":{}},"kyc":{"name":"A","address":"B"},"acr":["3"]}"#
    )
    defer { unlink(path) }
    let verb = try #require(
      Modemctl.parseAsRoot([
        "mobile-connect", "authorize", "--scope", "openid,mc_authz", "--prompt", "login,no_seam", "--max-age", "5",
        "--client-name", "shop", "--context", "Pay 5", "--binding-message", "AB", "--protocol", "mc_v2.0", "--request",
        path,
        "--provider", "p", "--modem", "m", "--way", "number", "--network", "26201", "--number", "+447700900123",
      ]) as? MobileConnectAuthorize)
    let parameters = try verb.parameters()
    #expect(
      parameters.request
        == .init(
          scope: ["openid", "mc_authz"], acr: ["3"], hintEncrypted: "ab12", prompt: [.login, .no_seam],
          maximumAgeSeconds: 5, claims: .object(["userinfo": .object([:])]), kyc: ["name": "A", "address": "B"],
          clientName: "shop", context: "Pay 5", bindingMessage: "AB", version: "mc_v2.0"))
    #expect(parameters.whose == .init(way: .number, number: "+447700900123", network: "26201"))
    #expect(parameters.provider == "p" && parameters.modem == "m")
  }

  @Test("What is left out is not sent")
  func nothing() throws {
    let login = try #require(Modemctl.parseAsRoot(["mobile-connect", "login"]) as? MobileConnectLogin)
    #expect(try login.parameters() == .init())
    let local = try #require(
      Modemctl.parseAsRoot(["mobile-connect", "login", "--local", "--information", "premiuminfo"])
        as? MobileConnectLogin)
    #expect(try local.parameters() == .init(information: .premiuminfo, appServer: false))
    let validate = try #require(
      Modemctl.parseAsRoot(["mobile-connect", "validate", "+447700900123", "--form", "plain"]) as? MobileConnectValidate
    )
    #expect(try validate.parameters() == .init(number: "+447700900123", form: .plain))
  }

  @Test(
    "A file that is no request is refused by what is wrong with it",
    arguments: [
      ("no JSON", "holds no request"), ("[]", "holds no request"), (#"{"colour":1}"#, "colour"),
      (#"{"acr":"2"}"#, "holds no request"),
    ])
  func wrongRequest(text: String, word: String) throws {
    let path = try Self.file(text)
    defer { unlink(path) }
    let verb = try #require(Modemctl.parseAsRoot(["mobile-connect", "ask", "--request", path]) as? MobileConnectAsk)
    let error = #expect(throws: ModemctlError.self) { try verb.parameters() }
    #expect(error?.status == .usage && error?.message.contains(word) == true)
  }

  @Test("A prompt that is none, and a way that is none, are refused")
  func wrongWords() throws {
    let verb = try #require(
      Modemctl.parseAsRoot(["mobile-connect", "login", "--prompt", "maybe"]) as? MobileConnectLogin)
    #expect(throws: ModemctlError.self) { try verb.parameters() }
    #expect(throws: (any Error).self) { try Modemctl.parseAsRoot(["mobile-connect", "discover", "--way", "luck"]) }
    #expect(throws: (any Error).self) { try Modemctl.parseAsRoot(["mobile-connect", "validate"]) }
  }

  @Test("Tokens come from the file that login wrote")
  func tokens() throws {
    let path = try Self.file(#"{"accessToken":"a-1","refreshToken":"r-1","subject":"pcr-1"}"#)
    defer { unlink(path) }
    let info = try #require(Modemctl.parseAsRoot(["mobile-connect", "userinfo", path]) as? MobileConnectUserInfo)
    #expect(try info.parameters() == .init(accessToken: "a-1", subject: "pcr-1"))
    let identity = try #require(Modemctl.parseAsRoot(["mobile-connect", "identity", path]) as? MobileConnectIdentity)
    #expect(try identity.parameters() == .init(accessToken: "a-1", subject: "pcr-1"))
    let refresh = try #require(
      Modemctl.parseAsRoot(["mobile-connect", "refresh", path, "--scope", "openid"]) as? MobileConnectRefresh)
    #expect(try refresh.parameters() == .init(refreshToken: "r-1", scope: ["openid"], subject: "pcr-1"))
    let revoke = try #require(
      Modemctl.parseAsRoot(["mobile-connect", "revoke", path, "--kind", "access"]) as? MobileConnectRevoke)
    #expect(try revoke.parameters() == .init(token: "a-1", kind: .access))
    let empty = try Self.file("{}")
    defer { unlink(empty) }
    let none = try #require(Modemctl.parseAsRoot(["mobile-connect", "revoke", empty]) as? MobileConnectRevoke)
    let error = #expect(throws: ModemctlError.self) { try none.parameters() }
    #expect(error?.message.contains("refreshToken") == true)
  }

  // MARK: Against the service

  static let secrets = ["447700900123", "access-1", "refresh-1", "the-code", "s3cret", "pcr-1"]

  /// An operator that answers by step. Its ID tokens are made for the nonce that it saw.
  private final class Operator: Sendable {
    let nonce = Mutex("")
    let steps = Mutex<[String]>([])
    static let redirect = "https://app.example/back"

    func open(_ request: ChainRequest) -> ChainResult {
      let query = RedirectURI.parameters(of: request.url.text)
      nonce.withLock { $0 = query["nonce"] ?? "" }
      steps.withLock { $0.append("authorize") }
      let uri = "\(Self.redirect)?code=the-code&state=\(query["state"] ?? "")"
      return .redirectReached(
        uri: uri, parameters: RedirectURI.parameters(of: uri), by: AnswerSource(asked: request.url))
    }

    func send(_ call: BackendCall) -> Result<BackendReply, BackendFailure> {
      steps.withLock { $0.append(call.step) }
      switch call.step {
      case "exchangeCode", "refreshTokens":
        return Self.reply(
          #"{"access_token":"access-1","token_type":"Bearer","refresh_token":"refresh-1","id_token":"\#(token)"}"#)
      case "readKeys": return Self.reply(#"{"keys":[]}"#)
      case "readUserInfo":
        return Self.reply(#"{"sub":"pcr-1","phone_number":"+447700900123","email":"a@b.example"}"#)
      case "revokeToken": return Self.reply("")
      default: return .failure(BackendFailure(.refused, "there is no \(call.step)"))
      }
    }

    private var token: String {
      // Of the service's clock, which is a second later with each look.
      let claims = JSONValue.object([
        "iss": .string("https://op.example"), "aud": .string("app-1"), "sub": .string("pcr-1"), "acr": .string("2"),
        "nonce": .string(nonce.withLock { $0 }), "iat": .int(1_700_000_000), "exp": .int(1_700_000_900),
      ])
      return ["{\"alg\":\"RS256\"}", claims.text].map { Base64.encodeURL(Array($0.utf8)) }.joined(separator: ".") + ".x"
    }

    private static func reply(_ json: String) -> Result<BackendReply, BackendFailure> {
      .success(BackendReply(status: 200, body: Array(json.utf8)))
    }
  }

  private static func run(_ verdict: SignatureVerdict = .good, _ body: (MemoryService, Operator) async throws -> Void)
    async throws
  {
    var found = MobileConnectOperator()
    for (relation, path) in [
      (MobileConnectOperator.Relation.authorization, "a"), (.token, "t"), (.userinfo, "u"), (.revocation, "r"),
      (.keys, "k"),
    ] { found.endpoints[relation] = try WebURL("https://op.example/\(path)") }
    found.issuer = "https://op.example"
    var settings = MobileConnectSettings(
      .endpoints(found), OpenIDTools(sha256: { _ in Array(repeating: 1, count: 32) })
    ) {
      _, _ in verdict
    }
    settings.client = MobileConnectClient(id: "app-1", secret: Secret("s3cret"))
    settings.redirect = try MobileConnectRedirect(Operator.redirect)
    settings.clockSkew = 600
    var providers = ProviderSet()
    providers.add(NamedProvider(name: "operator", settings: settings))
    let peer = Operator()
    try await MemoryService.run(
      chain: { request, _, _ in peer.open(request) }, authentication: (providers, { call, _ in peer.send(call) })
    ) { try await body($0, peer) }
  }

  @Test("login signs in, saves tokens for the owner alone, and shows nothing secret; the others use them")
  func login() async throws {
    let path = "/tmp/modemctl-mobile-connect-tokens-\(getpid())"
    defer { unlink(path) }
    try await Self.run { service, peer in
      let login = await service.modemctl("mobile-connect", "login", "--save-tokens", path)
      #expect(login.status == .done && login.output.contains("signedIn by operator"), "\(login.messages)")
      for secret in Self.secrets { #expect(!login.output.contains(secret) && !login.messages.contains(secret)) }
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
      let shown = await service.modemctl("mobile-connect", "userinfo", path, "--reveal")
      #expect(shown.status == .done && shown.output.contains("+447700900123"), "\(shown.messages)")
      let masked = await service.modemctl("mobile-connect", "userinfo", path, "--json")
      #expect(masked.status == .done && !masked.output.contains("a@b.example"))
      let fresh = await service.modemctl("mobile-connect", "refresh", path)
      #expect(fresh.status == .done, "\(fresh.messages)")
      #expect((await service.modemctl("mobile-connect", "revoke", path)).status == .done)
      #expect(
        // The keys are read beside the chain.
        peer.steps.withLock { $0.filter { $0 != "readKeys" } } == [
          "authorize", "exchangeCode", "readUserInfo", "readUserInfo", "refreshTokens", "revokeToken",
        ])
      #expect(peer.steps.withLock { $0.filter { $0 == "readKeys" }.count } == 1)
    }
  }

  @Test("A refused token is an error that names the check, and saves nothing")
  func refused() async throws {
    let path = "/tmp/modemctl-mobile-connect-none-\(getpid())"
    try await Self.run(.forged) { service, _ in
      let login = await service.modemctl("mobile-connect", "login", "--save-tokens", path)
      #expect(login.status == .flowFailed && login.messages.contains("tokenRefused, signature"))
      #expect(access(path, F_OK) != 0)
    }
  }

  @Test("What cannot work is told before anything is sent")
  func wrong() async throws {
    try await Self.run { service, peer in
      for arguments in [
        ["login", "--network", "1"], ["login", "--acr", "9"], ["login", "--hint-number", "123"],
        ["validate", "0770"], ["login", "--number", "x"],
      ] {
        let recorder = RecordingConsole()
        let status = await Modemctl.run(
          ["mobile-connect"] + arguments, on: recorder.console(variables: ["MODEMD_SOCKET": service.path]))
        #expect(status == ExitStatus.usage.rawValue, "\(arguments) \(recorder.messages)")
      }
      #expect(peer.steps.withLock { $0.isEmpty })
    }
  }

  @Test("login at an app's server tells it of the SIM, and performs the redirects to their end")
  func appServer() async throws {
    var settings = MobileConnectSettings(nil, OpenIDTools(sha256: { _ in [] })) { _, _ in .forged }
    settings.appServer = MobileConnectAppServer(
      root: try Endpoint("https://shop.example/mobile-connect/server_side_api"), clientVersion: "modemd-1")
    settings.appServer?.sendsAddress = true
    var providers = ProviderSet()
    providers.add(NamedProvider(name: "shop", settings: settings))
    let asked = Mutex<[WebURL]>([])
    let callback = try WebURL("https://shop.example/back?code=the-code&state=s1")
    try await MemoryService.run(
      chain: { request, _, onHop in
        asked.withLock { $0.append(request.url) }
        for (index, url) in [request.url, callback].enumerated() {
          onHop(ChainHop(ChainMachine.Hop(index: index + 1, url: url)))
        }
        return .answer(
          ChainAnswer(
            status: 200, contentType: "text/html", body: Array("<p>Welcome".utf8),
            from: AnswerSource(asked: callback)))
      }, authentication: (providers, { _, _ in .failure(BackendFailure(.refused, "no backend is asked")) })
    ) { service in
      let run = await service.modemctl("mobile-connect", "login")
      #expect(run.status == .done && run.output.contains("signedIn by shop"), "\(run.messages)")
      // The SIM's number is known, and the bearer's address is private.
      let url = try #require(asked.withLock { $0.first })
      #expect(url.path == "/mobile-connect/server_side_api/start_discovery")
      #expect(RedirectURI.parameters(of: url.text) == ["msisdn": "447700900123"])
      for secret in Self.secrets { #expect(!run.output.contains(secret) && !run.messages.contains(secret)) }
      let options = await service.modemctl("mobile-connect", "login", "--scope", "openid")
      #expect(options.status == .usage && options.messages.contains("app's server"))
      let local = await service.modemctl("mobile-connect", "login", "--local")
      #expect(local.status == .misconfigured && local.messages.contains("notConfigured"))
    }
  }

  @Test(
    "Whose operator is meant is obeyed: a number alone is asked by number, in any form, and a network by network",
    arguments: [
      (["--number", "0044 (0)7700-900999"], "discoverByNumber", "MSISDN=447700900999"),
      (["--number", "+44 7700 900 999", "--network", "26201"], "discoverByNetwork", "Identified-MCC=262"),
      (["--network", "26201"], "discoverByNetwork", "Identified-MCC=262"),
      ([], "discoverByNetwork", "Identified-MCC=001"),
    ])
  func whose(options: [String], step: String, parameter: String) async throws {
    var discovery = MobileConnectDiscovery(
      url: try WebURL("https://exchange.example/v2/discovery"),
      client: MobileConnectClient(id: "disco", secret: Secret("d1sco")), redirectURL: "https://app.example/found")
    discovery.ways = [.network, .number]
    let settings = MobileConnectSettings(.discovery(discovery), OpenIDTools(sha256: { _ in [] })) { _, _ in .forged }
    var providers = ProviderSet()
    providers.add(NamedProvider(name: "exchange", settings: settings))
    let asked = Mutex<[(step: String, text: String)]>([])
    let send: AuthenticationService.HostSend = { call, _ in
      let body = String(decoding: call.body?.bytes ?? [], as: UTF8.self)
      asked.withLock { $0.append((call.step, call.url.text + " " + body)) }
      let link = #"{"rel":"authorization","href":"https://op.example/a"}"#
      return .success(
        BackendReply(
          status: 200,
          body: Array(#"{"response":{"serving_operator":"Example","apis":{"operatorid":{"link":[\#(link)]}}}}"#.utf8)))
    }
    try await MemoryService.run(authentication: (providers, send)) { service in
      let recorder = RecordingConsole()
      let status = await Modemctl.run(
        ["mobile-connect", "discover"] + options, on: recorder.console(variables: ["MODEMD_SOCKET": service.path]))
      #expect(Ending(rawValue: status) == .done, "\(recorder.messages)")
    }
    let calls = asked.withLock { $0 }
    #expect(calls.map(\.step) == [step] && calls[0].text.contains(parameter), "\(calls)")
  }

  @Test("A page for selecting the operator is shown, and the call goes on with the URL of the browser")
  func page() async throws {
    var discovery = MobileConnectDiscovery(
      url: try WebURL("https://exchange.example/v2/discovery"),
      client: MobileConnectClient(id: "disco", secret: Secret("d1sco")), redirectURL: "https://app.example/found")
    discovery.ways = [.page]
    let settings = MobileConnectSettings(.discovery(discovery), OpenIDTools(sha256: { _ in [] })) { _, _ in .forged }
    var providers = ProviderSet()
    providers.add(NamedProvider(name: "exchange", settings: settings))
    let callback = try Self.file("https://app.example/found?mcc_mnc=901_01&subscriber_id=cafe01\n")
    defer { unlink(callback) }
    let send: AuthenticationService.HostSend = { call, _ in
      guard call.step == "askForPage" else {
        let link = #"{"rel":"authorization","href":"https://op.example/a"}"#
        return .success(
          BackendReply(
            status: 200,
            body: Array(
              #"{"response":{"serving_operator":"Example","apis":{"operatorid":{"link":[\#(link)]}}}}"#.utf8)))
      }
      let links = #"{"links":[{"rel":"operatorSelection","href":"https://exchange.example/select?s=1"}]}"#
      return .success(BackendReply(status: 202, body: Array(links.utf8)))
    }
    try await MemoryService.run(authentication: (providers, send)) { service in
      let page = await service.modemctl("mobile-connect", "discover")
      #expect(page.status == .flowFailed && page.output.contains("https://exchange.example/select?s=1"))
      #expect(page.messages.contains("interactionRequired"))
      let found = await service.modemctl("mobile-connect", "discover", "--callback", callback)
      #expect(found.status == .done && found.output.contains("Example"), "\(found.messages)")
      #expect(found.output.contains("https://op.example/a") && !found.output.contains("cafe01"))
      let shown = await service.modemctl("mobile-connect", "discover", "--callback", callback, "--reveal")
      #expect(shown.output.contains("cafe01"))
    }
  }
}
