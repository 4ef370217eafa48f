import AuthCore
import RedirectChain
import Testing

@testable import AuthFlows
@testable import MobileConnectFlows

@Suite("Mobile Connect: how an authorization ends")
struct MobileConnectCallbackTests {
  typealias Stage = MobileConnectStage

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let reaction: Reaction
    let result: FlowResult
    var code: String?
    var testDescription: String { name }
  }

  static func back(_ query: String) -> Reaction { .redirected("\(Stage.back)?\(query)") }

  static let rows = [
    Row(name: "another state", reaction: back("code=c&state=other"), result: .stateMismatch),
    Row(name: "no state", reaction: back("code=c"), result: .stateMismatch),
    Row(name: "two states", reaction: back("code=c&state=the-state&state=other"), result: .stateMismatch),
    Row(
      name: "an error with another state: the state is first", reaction: back("error=access_denied&state=other"),
      result: .stateMismatch),
    Row(name: "two codes", reaction: back("code=c&code=d&state=the-state"), result: .badAnswer),
    Row(name: "no code", reaction: back("state=the-state"), result: .badAnswer),
    Row(
      name: "another correlation id", reaction: back("code=c&state=the-state&correlation_id=other"),
      result: .stateMismatch),
    Row(
      name: "the user said no", reaction: back("error=access_denied&state=the-state"), result: .userRefused,
      code: "access_denied"),
    Row(
      name: "another number", reaction: back("error=access_denied&error_description=MSISDN_mismatch&state=the-state"),
      result: .notVerified, code: "MSISDN_mismatch"),
    Row(
      name: "the user is busy", reaction: back("error=temporarily_unavailable&state=the-state"),
      result: .providerUnavailable, code: "temporarily_unavailable"),
    Row(
      name: "an error without state", reaction: back("error=invalid_request"), result: .badRequest,
      code: "invalid_request"),
    Row(
      name: "invalid_scope", reaction: back("error=invalid_scope&state=the-state"), result: .badRequest,
      code: "invalid_scope"),
    Row(
      name: "unauthorized_client", reaction: back("error=unauthorized_client&state=the-state"), result: .clientRefused,
      code: "unauthorized_client"),
    Row(
      name: "server_error", reaction: back("error=server_error&state=the-state"), result: .operatorError,
      code: "server_error"),
    Row(
      name: "an unknown user",
      reaction: back("error=server_error&error_description=Unknown%20Mobile%20Connect%20user&state=the-state"),
      result: .subscriberUnknown, code: "server_error"),
    Row(
      name: "login_required", reaction: back("error=login_required&state=the-state"), result: .interactionRequired,
      code: "login_required"),
    Row(
      name: "a redirect URI that is not registered: 400", reaction: .end(400, #"{"error":"invalid_request"}"#),
      result: .badRequest, code: "invalid_request"),
    Row(name: "an answer in place of a redirect", reaction: .end(200, "{}"), result: .badAnswer),
    Row(name: "500", reaction: .end(500, ""), result: .providerUnavailable),
    Row(name: "too many hops", reaction: .broken(.tooManyRedirects), result: .redirectError),
    Row(name: "too long", reaction: .broken(.timeout), result: .timeout),
    Row(name: "the bearer is lost", reaction: .broken(.bearerLost), result: .noDataPath),
    Row(name: "TLS", reaction: .broken(.tlsFailed), result: .tlsError),
    Row(name: "a portal", reaction: .broken(.possibleCaptivePortal), result: .captivePortal),
  ]

  @Test("Every end of the chain has its meaning, and no code is exchanged", arguments: rows)
  func ends(row: Row) async throws {
    let stage = Stage(["authorize": [row.reaction]])
    let end = try await stage.flow(Stage.settings()).login(Stage.request(), OperatorQuery())
    #expect(end.outcome.result == row.result, "\(end.outcome)")
    #expect(end.outcome.code == row.code && end.answer?.tokens == nil && stage.asked == ["authorize"])
    #expect(end.outcome.number == (row.result == .notVerified ? .differs : nil))
    for secret in Stage.secrets { #expect(!end.outcome.text.contains(secret)) }
  }

  @Test("A page for people is told with its URL, and in no sentence")
  func page() async throws {
    let stage = Stage(
      ["authorize": [.broken(.interactionRequired)]], visited: ["https://op.example/consent?session=x1"])
    let end = try await stage.flow(Stage.settings()).authorize(Stage.request(), OperatorQuery())
    #expect(
      end.outcome.result == .interactionRequired && end.answer?.page == Secret("https://op.example/consent?session=x1"))
    #expect(!end.outcome.text.contains("x1"))
  }

  @Test("A code for the own backend comes with what ties it to the request")
  func code() async throws {
    let stage = Stage(["authorize": [Self.back("code=the-code&state=the-state&correlation_id=\(Stage.uuid)")]])
    let end = try await stage.flow(Stage.settings()).authorize(Stage.request(), OperatorQuery())
    let code = try #require(end.answer?.code)
    #expect(end.outcome.result == .authorized && code.code == Secret("the-code") && code.version == .v2_3)
    #expect(code.state == Secret("the-state") && code.nonce == Secret("the-nonce"))
    #expect(code.redirect.revealed.hasPrefix(Stage.back + "?code=") && stage.asked == ["authorize"])
  }

  @Test(
    "The chain is the bearer's: 24 redirects, 120 s, cleartext hops behind a secure start, stopped at the redirect URI")
  func policy() async throws {
    let stage = Stage(["authorize": [Stage.code]])
    _ = try await stage.flow(Stage.settings()).authorize(Stage.request(), OperatorQuery())
    let request = try #require(stage.chain("authorize")?.request)
    #expect(request.policy.maximumRedirects == 24 && request.policy.totalTime == .seconds(120))
    #expect(request.policy.requiresSecureStart && request.policy.cleartextDomains == nil && request.policy.keepsCookies)
    #expect(request.redirectURI == (try RedirectURI(Stage.back)) && request.headers.isEmpty && request.method == .get)
  }

  @Test("Without a bearer nobody is asked")
  func noBearer() async throws {
    let stage = Stage(Stage.login(), noBearer: ChainFailure(.notRegistered, "no network"))
    let end = try await stage.flow(Stage.discovery()).login(Stage.request(), OperatorQuery())
    #expect(end.outcome.result == .noDataPath && end.outcome.cause == .notRegistered && stage.asked.isEmpty)
  }

  @Test("State and nonce are made where the caller gives none")
  func made() async throws {
    let stage = Stage(["authorize": [.broken(.timeout)]])
    _ = try await stage.flow(Stage.settings()).authorize(MobileConnectRequest(), OperatorQuery())
    let query = Stage.query(stage.chain("authorize"))
    #expect(query["state"]?.utf8.count == 43 && query["nonce"]?.utf8.count == 43)
  }
}
