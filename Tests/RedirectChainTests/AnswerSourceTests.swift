@_spi(Exchange) import RedirectChain
import Testing
@_spi(Exchange) import Web

@Suite("Whose an answer is")
struct AnswerSourceTests {
  private static func start(_ state: String? = nil) throws -> ChainMachine {
    var machine = ChainMachine(
      ChainRequest(
        url: try WebURL("https://a.example/start"), redirectURI: try RedirectURI("app://back"), state: state))
    _ = machine.start(now: 0)
    return machine
  }

  private static func redirect(_ location: String) -> ChainMachine.Response {
    .init(status: 302, headers: [.init(name: "Location", value: location)], body: [])
  }

  @Test("An answer, a refusal and a redirect are of the hop that said them, not of the first one")
  func hops() throws {
    let clear = try WebURL("http://He.A.Example./x")
    for last in [
      ChainMachine.Response(status: 200, headers: [], body: []), .init(status: 429, headers: [], body: []),
      Self.redirect("app://back?code=c"), Self.redirect("other://x"),
    ] {
      var machine = try Self.start()
      _ = machine.received(Self.redirect("http://He.A.Example./x"), now: 0)
      guard case .finish(let result) = machine.received(last, now: 0) else {
        Issue.record("the chain goes on")
        continue
      }
      let source: AnswerSource? =
        switch result {
        case .answer(let answer): answer.source
        case .redirectReached(_, _, let source): source
        case .failed(let failure): failure.answer?.source
        }
      #expect(source?.origin == clear.origin && source?.origin.host == "he.a.example" && source?.isProven == false)
    }
    var machine = try Self.start()
    guard case .finish(.answer(let answer)) = machine.received(.init(status: 200, headers: [], body: []), now: 0) else {
      Issue.record("the chain goes on")
      return
    }
    #expect(answer.source?.isProven == true)
  }

  @Test(
    "A state that stands twice is refused, also with the right value",
    arguments: [
      ("app://back?state=s1&code=c", true), ("app://back?state=s1&state=s1", false),
      ("app://back?state=s1#state=s1", false),
      ("app://back?state=s1&st%61te=s2", false), ("app://back?State=s1", false), ("app://back?state=s1%00", false),
    ])
  func state(location: String, isReached: Bool) throws {
    var machine = try Self.start("s1")
    guard case .finish(let result) = machine.received(Self.redirect(location), now: 0) else {
      Issue.record("the chain goes on")
      return
    }
    if case .redirectReached = result { #expect(isReached) } else { #expect(!isReached) }
  }

  @Test(
    "Parameters that stand twice are found, however they are written",
    arguments: [
      ("app:/x?code=a&state=b", nil), ("app:/x?code=a&code=a", "code"), ("app:/x?c%6fde=a&code=b", "code"),
      ("app:/x?code=a#code=b", "code"), ("app:/x?Code=a&code=b", nil), ("app:/x?code&code", "code"),
    ] as [(String, String?)])
  func doubled(uri: String, name: String?) {
    #expect(RedirectURI.doubled(["code", "state"], in: uri) == name)
  }
}
