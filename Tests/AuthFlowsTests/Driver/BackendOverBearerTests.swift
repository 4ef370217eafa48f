import AuthCore
@_spi(Exchange) import RedirectChain
import Testing
@_spi(Exchange) import Web

@testable import AuthFlows

@Suite("Backends over the bearer")
struct BackendOverBearerTests {
  @Test("A redirect is an answer, with its Location, as it is over the host's network")
  func redirect() throws {
    let fields = [WebHeader(name: "Location", value: "https://page.example/")]
    let call = BackendCall("ask", .get, try WebURL("https://api.example/x"), route: .bearer)
    let request = try #require(call.overBearer)
    #expect(request.policy.stopFields == ["location"] && request.policy.maximumRedirects == 0)
    // An entitlement server's word for a token that it does not accept.
    #expect(request.policy.answersWith511)
    let reply = BearerReply(
      .answer(ChainAnswer(status: 302, contentType: nil, body: [], fields: fields, from: AnswerSource(asked: call.url)))
    )
    let answer = try reply.asBackend(of: call.url).get()
    #expect(answer.status == 302 && answer.header("location") == "https://page.example/")
  }

  @Test("A call prints its step and its host, and nothing else of it")
  func printed() throws {
    let call = BackendCall(
      "ask", .post, try WebURL("https://api.example/secret-1?token=secret-2"),
      headers: [WebHeader(name: "Authorization", value: "Bearer secret-3")], body: .text("secret-4"), route: .bearer)
    var dumped = ""
    dump(call, to: &dumped)
    for text in ["\(call)", String(reflecting: call), dumped, "\(call.request)"] {
      #expect(!text.contains("secret"), "\(text)")
    }
    #expect("\(call)" == "(ask: POST to api.example)")
  }

  @Test("An answer's fields stay, those of a challenge among them; the wait that was understood counts")
  func fields() throws {
    let fields = [
      WebHeader(name: "WWW-Authenticate", value: #"Bearer error="invalid_token""#),
      WebHeader(name: "Retry-After", value: "Sun, 22 Nov 2026 06:00:09 GMT"),
    ]
    let url = try WebURL("https://api.example/x")
    let source = AnswerSource(asked: url)
    let answer = ChainAnswer(status: 429, contentType: "text/plain", body: [], fields: fields, from: source)
    let failure = ChainFailure(.rateLimited, retryAfter: 9, answer: answer, "too many")
    let reply = try BearerReply(.failed(failure)).asBackend(of: url).get()
    #expect(reply.header("www-authenticate")?.contains("invalid_token") == true && reply.retryAfter == 9)
    let bare = ChainAnswer(status: 200, contentType: "application/json", body: Array("{}".utf8), from: source)
    #expect(try BearerReply(.answer(bare)).asBackend(of: url).get().header("content-type") == "application/json")
  }

  @Test(
    "What another origin answers is no answer of the backend's",
    arguments: [
      "http://api.example/x", "https://api.example:8443/x", "https://evil-api.example/x", "https://api.example.evil/x",
      "https://sub.api.example/x",
    ])
  func strangers(place: String) throws {
    let source = AnswerSource(asked: try WebURL(place))
    let answer = ChainAnswer(status: 200, contentType: "application/json", body: Array("{}".utf8), from: source)
    let failure = ChainFailure(.rateLimited, answer: answer, "too many")
    for reply in [BearerReply(.answer(answer)), BearerReply(.failed(failure))] {
      #expect(throws: BackendFailure.self) { try reply.asBackend(of: WebURL("https://api.example/x")).get() }
    }
  }

  @Test("Nothing of a backend's goes over a bearer in clear")
  func clear() throws {
    #expect(BackendCall("ask", .get, try WebURL("http://api.example/x"), route: .bearer).overBearer == nil)
  }
}
