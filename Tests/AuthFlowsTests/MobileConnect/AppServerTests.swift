// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import ModemModel
import NetworkAddress
import RedirectChain
import Testing

@testable import AuthFlows
@testable import MobileConnectFlows

@Suite("Mobile Connect: an app's server")
struct AppServerTests {
  typealias Stage = MobileConnectStage

  static let root = "https://shop.example/mobile-connect/server_side_api"
  static let callback = root + "/discovery_callback"

  static func server(_ change: (inout MobileConnectAppServer) -> Void = { _ in }) -> MobileConnectAppServer {
    var server = MobileConnectAppServer(root: try! Endpoint(root), clientVersion: "modemd-1")
    change(&server)
    return server
  }

  static func press(
    _ server: MobileConnectAppServer = server(), _ reaction: Reaction = .end(200, "<html>", type: "text/html"),
    visited: [String] = [], of subscriber: Subscriber = Stage.subscriber, _ query: OperatorQuery = OperatorQuery(),
    address: String = "198.51.100.7"
  ) async throws -> (FlowEnd<MobileConnectAnswer>, MobileConnectStage) {
    let stage = Stage(["performRedirects": [reaction]], visited: visited, addresses: [IPAddress(address)!])
    let end = try await stage.flow(Stage.settings { $0.source = nil }, of: subscriber).press(server, query)
    return (end, stage)
  }

  @Test(
    "The server's own answer reaches the caller, and nobody else's",
    arguments: [
      ([callback + "?code=c&state=s1"], #"{"session":"s-1","id":7}"#, true),
      ([callback + "?code=c&state=s1"], "<html>", false), ([callback + "?code=c&state=s1"], "[1]", false),
      ([callback + "?code=c&state=s1", "https://other.example/"], #"{"session":"s-1"}"#, false),
      (["https://op.example/?code=c&state=s1"], #"{"session":"s-1"}"#, false),
    ])
  func serverAnswer(visited: [String], body: String, isGiven: Bool) async throws {
    let (end, _) = try await Self.press(Self.server(), .end(200, body, type: "application/json"), visited: visited)
    #expect((end.answer?.serverAnswer != nil) == isGiven, "\(end.outcome)")
    if isGiven {
      #expect(end.outcome.result == .signedIn)
      #expect(end.answer?.serverAnswer?["session"]?.string == "s-1" && end.answer?.serverAnswer?["id"]?.integer == 7)
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    var server = AppServerTests.server()
    var subscriber = MobileConnectStage.subscriber
    var query = OperatorQuery()
    var address = "198.51.100.7"
    let path: String
    let expected: [String: String]
    var testDescription: String { name }
  }

  static let rows = [
    Row(name: "the number where it is known", path: "start_discovery", expected: ["msisdn": "447700900123"]),
    Row(
      name: "else the network", subscriber: Subscriber(modem: "m0", home: PLMN("23410")), path: "start_discovery",
      expected: ["mcc": "234", "mnc": "10"]),
    Row(
      name: "the network too where no number is sent", server: server { $0.sendsNumber = false },
      path: "start_discovery",
      expected: ["mcc": "234", "mnc": "10"]),
    Row(
      name: "nothing is known: the server's page", subscriber: Subscriber(modem: "m0"), path: "start_discovery",
      expected: [:]),
    Row(
      name: "a public address where it is asked for", server: server { $0.sendsAddress = true },
      path: "start_discovery",
      expected: ["msisdn": "447700900123", "sourceIp": "198.51.100.7"]),
    Row(
      name: "a private address tells nothing", server: server { $0.sendsAddress = true }, address: "10.64.0.2",
      path: "start_discovery", expected: ["msisdn": "447700900123"]),
    Row(
      name: "a configured address in its place",
      server: server {
        $0.sendsAddress = true
        $0.sourceAddress = IPAddress("203.0.113.9")
      }, address: "10.64.0.2", path: "start_discovery", expected: ["msisdn": "447700900123", "sourceIp": "203.0.113.9"]),
    Row(
      name: "an IPv6 address is encoded", server: server { $0.sendsAddress = true }, address: "2001:db8::7",
      path: "start_discovery", expected: ["msisdn": "447700900123", "sourceIp": "2001:db8::7"]),
    Row(
      name: "without discovery the number alone",
      server: server {
        $0.isManual = true; $0.sendsAddress = true
      },
      path: "start_discovery_manually", expected: ["msisdn": "447700900123"]),
    Row(
      name: "a number that is given", query: OperatorQuery(number: try! SubscriberNumber("+447700900999")),
      path: "start_discovery", expected: ["msisdn": "447700900999"]),
    Row(
      name: "an encrypted number of the page",
      query: OperatorQuery(selection: OperatorSelection(network: PLMN("23410")!, subscriberID: Secret("ab12"))),
      path: "start_discovery", expected: ["msisdn": "447700900123", "subscriberId": "ab12"]),
  ]

  @Test("What is told of the device, over the bearer, with the library's header", arguments: rows)
  func told(row: Row) async throws {
    let (_, stage) = try await Self.press(row.server, of: row.subscriber, row.query, address: row.address)
    let request = try #require(stage.chain("performRedirects")?.request)
    #expect(request.url.path == "/mobile-connect/server_side_api/\(row.path)")
    #expect(RedirectURI.parameters(of: request.url.text) == row.expected)
    #expect(Stage.header("Client-Side-Version", request.headers) == "modemd-1")
    // The redirects are performed to their end: the server itself has to get the code.
    #expect(request.redirectURI == nil && request.policy.maximumRedirects == 24)
    #expect(stage.calls.withLock { $0.isEmpty })
  }

  @Test("Values are encoded in the URL that is sent")
  func encoded() async throws {
    let (_, stage) = try await Self.press(Self.server { $0.sendsAddress = true }, address: "2001:db8::7")
    #expect(stage.chain("performRedirects")?.request.url.query?.contains("sourceIp=2001%3Adb8%3A%3A7") == true)
  }

  @Test("Without discovery and without a number nobody is asked")
  func noNumber() async throws {
    let (end, stage) = try await Self.press(
      Self.server { $0.isManual = true }, of: Subscriber(modem: "m0", home: PLMN("23410")))
    #expect(end.outcome.result == .badRequest && stage.asked.isEmpty)
  }

  struct Ending: Sendable, CustomTestStringConvertible {
    let name: String
    var reaction = Reaction.end(200, "<html>", type: "text/html")
    let visited: [String]
    let result: FlowResult
    var code: String?
    var page: String?
    var testDescription: String { name }
  }

  static let operatorPage = "https://op.example/authorize?response_type=code&state=s1&client_id=app"
  static let endings = [
    Ending(name: "the server got a code", visited: [operatorPage, callback + "?code=c1&state=s1"], result: .signedIn),
    Ending(
      name: "and shows its page elsewhere",
      visited: [operatorPage, callback + "?code=c1&state=s1", "https://shop.example/success.html"],
      result: .signedIn),
    Ending(
      name: "its page for failures", visited: [callback + "?code=c1&state=s1", "https://shop.example/fail.html"],
      result: .operatorError),
    Ending(
      name: "an error", visited: [callback + "?error=access_denied&error_description=no&state=s1"],
      result: .userRefused,
      code: "access_denied"),
    Ending(
      name: "an error in the other form", visited: [callback + "?error=invalid_scope&description=no"],
      result: .badRequest,
      code: "invalid_scope"),
    Ending(
      name: "another number", visited: [callback + "?error=access_denied&error_description=MSISDN_mismatch"],
      result: .notVerified, code: "MSISDN_mismatch"),
    Ending(
      name: "a code of the operator's own, on the operator's own page",
      visited: ["https://op.example/inner?code=x&state=y"], result: .interactionRequired,
      page: "https://op.example/inner?code=x&state=y"),
    Ending(
      name: "code= within another name", visited: [callback + "?barcode=c1&mystate=s1"], result: .interactionRequired,
      page: callback + "?barcode=c1&mystate=s1"),
    Ending(
      name: "a code without state", visited: [callback + "?code=c1"], result: .interactionRequired,
      page: callback + "?code=c1"),
    Ending(
      name: "a message waits at the handset", visited: ["https://op.example/sms-wait?s=1"],
      result: .interactionRequired,
      page: "https://op.example/sms-wait?s=1"),
    Ending(
      name: "a page of a cleartext hop", reaction: .broken(.interactionRequired), visited: ["http://he.example/page"],
      result: .interactionRequired, page: "http://he.example/page"),
    Ending(name: "discovery failed: 404", reaction: .end(404, ""), visited: [], result: .notConfigured),
    Ending(
      name: "tokens were refused: 502", reaction: .end(502, ""), visited: [callback + "?code=c1&state=s1"],
      result: .providerUnavailable),
    Ending(
      name: "an error in JSON", reaction: .end(200, #"{"status":"failure","error":"invalid_client"}"#),
      visited: [callback + "?code=c1&state=s1"], result: .clientRefused, code: "invalid_client"),
    Ending(
      name: "the chain broke", reaction: .broken(.tooManyRedirects), visited: [operatorPage], result: .redirectError),
    Ending(
      name: "an error, and then the chain broke", reaction: .broken(.dnsFailed),
      visited: [callback + "?error=server_error"], result: .operatorError, code: "server_error"),
  ]

  @Test("What became of it is told by the URLs at the server, and the last status", arguments: endings)
  func ends(row: Ending) async throws {
    let (end, _) = try await Self.press(Self.server(), row.reaction, visited: row.visited)
    #expect(end.outcome.result == row.result && end.outcome.code == row.code, "\(end.outcome)")
    #expect(end.answer?.page?.revealed == row.page && end.answer?.tokens == nil)
    for secret in ["c1", "s1"] { #expect(!end.outcome.text.contains(secret)) }
  }

  @Test("Without a bearer nobody is asked")
  func noBearer() async throws {
    let stage = Stage([:], noBearer: ChainFailure(.simAbsent, "no SIM"))
    let end = try await stage.flow(Stage.settings()).press(Self.server(), OperatorQuery())
    #expect(end.outcome.result == .noDataPath && stage.asked.isEmpty)
  }
}
