import AuthCore
import AuthFlows
import Testing
import IPificationFlows

@Suite("IPification: arguments that are refused before anything is sent")
struct IPificationArgumentTests {

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var task = IPificationQuestion.Task.authorize
    var settings: @Sendable (inout IPificationSettings) -> Void = { _ in }
    var question: @Sendable (inout IPificationQuestion) -> Void = { _ in }
    /// The argument that is named; nil for none, since it is good.
    let refused: String?
    var testDescription: String { name }
  }

  static func request(_ claims: String) -> @Sendable (inout IPificationQuestion) -> Void {
    { $0.requestObject = Secret(IPificationSession.token(claims)) }
  }

  static let cases: [Case] = [
    .init(name: "empty client id", settings: { $0.clientID = "" }, refused: "client id"),
    .init(name: "client id for coverage too", task: .coverage, settings: { $0.clientID = "a b" }, refused: "client id"),
    .init(name: "client id with a line's end", settings: { $0.clientID = "a\r\nb" }, refused: "client id"),
    .init(name: "empty redirect URI", settings: { $0.redirectURI = "" }, refused: "redirect URI"),
    .init(name: "no scheme", settings: { $0.redirectURI = "callback" }, refused: "redirect URI"),
    .init(name: "scheme in capitals", settings: { $0.redirectURI = "MyApp://cb" }, refused: "redirect URI"),
    .init(name: "in clear", settings: { $0.redirectURI = "http://app.example/cb" }, refused: "redirect URI"),
    .init(name: "with a fragment", settings: { $0.redirectURI = "https://app.example/cb#x" }, refused: "redirect URI"),
    .init(name: "with a blank", settings: { $0.redirectURI = "app://c b" }, refused: "redirect URI"),
    .init(name: "https", settings: { $0.redirectURI = "https://app.example/cb" }, refused: nil),
    .init(name: "empty scope", question: { $0.scope = [] }, refused: "scope"),
    .init(name: "scope with a blank", question: { $0.scope = ["openid ip:phone"] }, refused: "scope"),
    .init(name: "scope without openid", question: { $0.scope = ["ip:phone"] }, refused: "scope"),
    .init(name: "no number for phone_verify", question: { $0.number = nil }, refused: "number"),
    .init(
      name: "no number for openid alone",
      question: {
        $0.number = nil
        $0.scope = ["openid"]
      }, refused: "number"),
    .init(
      name: "no number for the profile",
      question: {
        $0.number = nil
        $0.scope = ["openid", "ip:profile"]
      }, refused: "number"),
    .init(
      name: "no number for mobile_id",
      question: {
        $0.number = nil
        $0.scope = ["openid", "ip:mobile_id"]
      }, refused: nil),
    .init(name: "no number for coverage", task: .coverage, question: { $0.number = nil }, refused: nil),
    .init(name: "empty state", question: { $0.state = Secret("") }, refused: "state"),
    .init(name: "state with a blank", question: { $0.state = Secret("a b") }, refused: "state"),
    .init(name: "endless nonce", question: { $0.nonce = Secret(String(repeating: "n", count: 257)) }, refused: "nonce"),
    .init(name: "unknown channel", question: { $0.channels = ["pigeon"] }, refused: "channel"),
    .init(name: "locale with a blank", question: { $0.locales = ["en de"] }, refused: "ui locales"),
    .init(name: "empty consent", settings: { $0.consentID = "" }, refused: "consent id"),
    .init(name: "no JWT", question: { $0.requestObject = Secret("abc") }, refused: "request object"),
    .init(name: "JWT of no JSON", question: { $0.requestObject = Secret("a.b.c") }, refused: "request object"),
    .init(
      name: "JWT with a line's end", question: { $0.requestObject = Secret("a.e30.c\r\n") }, refused: "request object"),
    .init(name: "JWT without a state", question: request("{}"), refused: "state"),
    .init(
      name: "JWT without a state, with the caller's",
      question: {
        $0.requestObject = Secret(IPificationSession.token("{}"))
        $0.state = Secret("s")
      }, refused: nil),
    .init(
      name: "JWT with another state than the caller's",
      question: {
        $0.requestObject = Secret(IPificationSession.token(#"{"state":"a"}"#))
        $0.state = Secret("s")
      }, refused: "request object"),
    .init(
      name: "JWT of another client", question: request(#"{"state":"a","client_id":"x"}"#), refused: "request object"),
    .init(
      name: "JWT with another redirect URI", question: request(#"{"state":"a","redirect_uri":"x:/"}"#),
      refused: "request object"),
    .init(
      name: "JWT of another flow", question: request(#"{"state":"a","response_type":"token"}"#),
      refused: "request object"),
    .init(
      name: "JWT about another number", question: request(#"{"state":"a","login_hint":"4915112345678"}"#),
      refused: "request object"),
    .init(
      name: "a JWT stands for scope and number",
      question: {
        $0.requestObject = Secret(IPificationSession.token(#"{"state":"a"}"#))
        $0.scope = []
        $0.number = nil
      }, refused: nil),
    .init(name: "nobody to complete", task: .verify, refused: "provider"),
    .init(
      name: "a backend behind an app's scheme", task: .verify, settings: { $0.completion = .redirectURI },
      refused: "redirect URI"),
    .init(
      name: "a backend behind https", task: .verify,
      settings: {
        $0.completion = .redirectURI
        $0.redirectURI = "https://app.example/cb"
      }, refused: nil),
  ]

  @Test("A bad argument is named, and its value is not", arguments: cases)
  func refused(_ test: Case) throws {
    var session = IPificationSession()
    session.question.task = test.task
    test.settings(&session.settings)
    test.question(&session.question)
    do throws(AuthError) {
      _ = try session.machine()
      #expect(test.refused == nil)
    } catch {
      let refused = try #require(test.refused)
      #expect(error.message.contains(refused), "\(error)")
      if refused == "provider" { #expect(error.code == .notConfigured) }
      for secret in [session.question.state, session.question.requestObject] {
        if let text = secret?.revealed, text.count > 1 { #expect(!error.message.contains(text)) }
      }
    }
  }
}
