import NetworkAddress
@_spi(Exchange) import RedirectChain
import Testing
@_spi(Exchange) import Web

/// A chain as answers in a row, and what it comes to. Times stand still at 0.
struct MachineCase: Sendable, CustomTestStringConvertible {
  struct Answer: Sendable {
    var status = 302
    var location: String?
    var fields: [(String, String)] = []
    var body = ""
  }

  let name: String
  var start = "https://a.example/"
  var redirectURI: String?
  var state: String?
  var headers: [String: String] = [:]
  var change: @Sendable (inout ChainPolicy) -> Void = { _ in }
  let answers: [Answer]
  /// The URLs that were asked for, the first one left out.
  var fetched: [String] = []
  let end: String
  var testDescription: String { name }

  static func to(_ location: String, _ status: Int = 302, _ fields: (String, String)...) -> Answer {
    Answer(status: status, location: location, fields: fields)
  }
  static func ok(_ body: String = "", type: String = "application/json", _ status: Int = 200) -> Answer {
    Answer(status: status, fields: [("Content-Type", type)], body: body)
  }

  static let all: [MachineCase] = [
    .init(name: "an answer at once", answers: [ok("{}")], end: "answer 200 {}"),
    .init(name: "an empty answer", answers: [ok("", 204)], end: "answer 204 "),
    .init(name: "a problem", answers: [ok("{}", 409)], end: "answer 409 {}"),
    .init(name: "301", answers: [to("/x", 301), ok()], fetched: ["https://a.example/x"], end: "answer 200 "),
    .init(name: "303", answers: [to("/x", 303), ok()], fetched: ["https://a.example/x"], end: "answer 200 "),
    .init(name: "307", answers: [to("/x", 307), ok()], fetched: ["https://a.example/x"], end: "answer 200 "),
    .init(name: "308", answers: [to("/x", 308), ok()], fetched: ["https://a.example/x"], end: "answer 200 "),
    .init(name: "300 is no redirect", answers: [to("/x", 300)], end: "answer 300 "),
    .init(name: "304 is no redirect", answers: [to("/x", 304)], end: "answer 304 "),
    .init(name: "305 is no redirect", answers: [to("/x", 305)], end: "answer 305 "),
    .init(name: "306 is no redirect", answers: [to("/x", 306)], end: "answer 306 "),
    .init(name: "201 with a Location", answers: [to("/x", 201)], end: "answer 201 "),
    .init(
      name: "https, http, https", answers: [to("http://b.example/"), to("https://c.example/"), ok()],
      fetched: ["http://b.example/", "https://c.example/"], end: "answer 200 "),
    .init(name: "cleartext first", start: "http://a.example/", answers: [], end: "refusedByPolicy nil"),
    .init(
      name: "cleartext first where it may be", start: "http://a.example/", change: { $0.requiresSecureStart = false },
      answers: [ok()], end: "answer 200 "),
    .init(
      name: "Location in another case", answers: [.init(fields: [("LOCATION", "/x")]), ok()],
      fetched: ["https://a.example/x"], end: "answer 200 "),
    .init(name: "no Location", answers: [.init()], end: "badRedirect 1"),
    .init(name: "an empty Location", answers: [to("")], end: "badRedirect 1"),
    .init(
      name: "the same Location twice", answers: [to("/x", 302, ("Location", "/x")), ok()],
      fetched: ["https://a.example/x"], end: "answer 200 "),
    .init(name: "two Locations", answers: [to("/x", 302, ("Location", "/y"))], end: "badRedirect 1"),
    .init(name: "a scheme of its own", answers: [to("app://cb")], end: "badRedirect 1"),
    .init(
      name: "a file", answers: [to("/x"), to("file:///etc/passwd")], fetched: ["https://a.example/x"],
      end: "badRedirect 2"),
    .init(name: "a user in the URL", answers: [to("https://u@b.example/")], end: "badRedirect 1"),
    .init(
      name: "in clear within a cleartext domain", change: { $0.cleartextDomains = ["B.example"] },
      answers: [to("http://x.b.example/"), to("https://c.example/"), ok()],
      fetched: ["http://x.b.example/", "https://c.example/"], end: "answer 200 "),
    .init(
      name: "in clear outside of them", change: { $0.cleartextDomains = ["b.example"] },
      answers: [to("http://evilb.example/")], end: "refusedByPolicy 1"),
    .init(
      name: "in clear where nothing may be", change: { $0.cleartextDomains = [] }, answers: [to("http://b.example/")],
      end: "refusedByPolicy 1"),
    // Loops.
    .init(name: "to itself", answers: [to("/")], end: "redirectLoop 2"),
    .init(name: "to itself with a fragment", answers: [to("#x")], end: "redirectLoop 2"),
    .init(
      name: "to itself where somebody is waited for", change: { $0.returnPause = .seconds(5) },
      answers: [to("/wait"), to("/wait"), to("/wait"), ok()],
      fetched: ["https://a.example/wait", "https://a.example/wait", "https://a.example/wait"], end: "answer 200 "),
    .init(
      name: "back over another host is a loop all the same", change: { $0.returnPause = .seconds(5) },
      answers: [to("https://b.example/"), to("https://a.example/")], fetched: ["https://b.example/"],
      end: "redirectLoop 3"),
    .init(
      name: "to itself with a cookie", answers: [to("/", 302, ("Set-Cookie", "a=1")), ok()],
      fetched: ["https://a.example/"], end: "answer 200 "),
    .init(
      name: "to itself with the same cookie again",
      answers: [to("/", 302, ("Set-Cookie", "a=1")), to("/", 302, ("Set-Cookie", "a=1"))],
      fetched: ["https://a.example/"], end: "redirectLoop 3"),
    .init(
      name: "there and back", answers: [to("http://b.example/"), to("https://a.example/")],
      fetched: ["http://b.example/"], end: "redirectLoop 3"),
    .init(
      name: "there and back with another query", answers: [to("http://b.example/"), to("https://a.example/?n"), ok()],
      fetched: ["http://b.example/", "https://a.example/?n"], end: "answer 200 "),
    .init(
      name: "to itself with a cookie that is not kept", change: { $0.keepsCookies = false },
      answers: [to("/", 302, ("Set-Cookie", "a=1"))], end: "redirectLoop 2"),
    // Fields at which a chain stops.
    .init(
      name: "a redirect with a field that stops", change: { $0.stopFields = ["x-stop"] },
      answers: [to("/x", 302, ("X-Stop", "1"))], end: "answer 302 "),
    .init(
      name: "the redirect URI with a field that stops", redirectURI: "app://cb", change: { $0.stopFields = ["x-stop"] },
      answers: [to("app://cb?code=1", 302, ("x-stop", ""))], end: "answer 302 "),
    .init(
      name: "a page with a field that stops", redirectURI: "app://cb", change: { $0.stopFields = ["x-stop"] },
      answers: [.init(status: 200, fields: [("Content-Type", "text/html"), ("x-stop", "1")], body: "<p>")],
      end: "answer 200 <p>"),
    .init(
      name: "a field that does not stop", change: { $0.stopFields = ["x-stop"] },
      answers: [to("/x", 302, ("x-stops", "1")), ok()], fetched: ["https://a.example/x"], end: "answer 200 "),
    // Limits.
    .init(
      name: "as many redirects as allowed", change: { $0.maximumRedirects = 1 }, answers: [to("/x"), ok()],
      fetched: ["https://a.example/x"], end: "answer 200 "),
    .init(
      name: "one redirect too many", change: { $0.maximumRedirects = 1 }, answers: [to("/x"), to("/y")],
      fetched: ["https://a.example/x"], end: "tooManyRedirects 2"),
    .init(
      name: "no redirect allowed", change: { $0.maximumRedirects = 0 }, answers: [to("/x")], end: "tooManyRedirects 1"),
    .init(
      name: "the redirect URI behind the last redirect", redirectURI: "app://cb", change: { $0.maximumRedirects = 0 },
      answers: [to("app://cb?code=1")], end: "reached app://cb?code=1"),
    .init(
      name: "ten redirects", answers: (1...10).map { to("/\($0)") } + [ok()],
      fetched: (1...10).map { "https://a.example/\($0)" }, end: "answer 200 "),
    .init(
      name: "eleven redirects", answers: (1...11).map { to("/\($0)") },
      fetched: (1...10).map { "https://a.example/\($0)" }, end: "tooManyRedirects 11"),
    // The redirect URI.
    .init(
      name: "reached", redirectURI: "app://cb", answers: [to("app://cb?code=1&x=2")], end: "reached app://cb?code=1&x=2"
    ),
    .init(
      name: "reached with an error", redirectURI: "app://cb", answers: [to("app://cb?error=access_denied")],
      end: "reached app://cb?error=access_denied"),
    .init(
      name: "https, reached and not fetched", redirectURI: "https://app.example/cb",
      answers: [to("https://app.example/cb?code=1")], end: "reached https://app.example/cb?code=1"),
    .init(
      name: "https by a relative Location", redirectURI: "https://a.example/cb", answers: [to("cb?code=1#f")],
      end: "reached https://a.example/cb?code=1#f"),
    .init(
      name: "an http one is a hop", redirectURI: "https://app.example/cb",
      answers: [to("http://app.example/cb"), ok()], fetched: ["http://app.example/cb"], end: "answer 200 "),
    .init(name: "a longer one is none", redirectURI: "app://cb", answers: [to("app://cbx")], end: "badRedirect 1"),
    .init(
      name: "in the body of a 200", redirectURI: "app://cb", answers: [ok(" app://cb?code=1\r\n", type: "text/plain")],
      end: "reached app://cb?code=1"),
    .init(
      name: "in the body of a 400", redirectURI: "app://cb", answers: [ok("app://cb?code=1", type: "text/plain", 400)],
      end: "answer 400 app://cb?code=1"),
    .init(
      name: "another URI in the body", redirectURI: "app://cb", answers: [ok("app://other", type: "text/plain")],
      end: "answer 200 app://other"),
    .init(
      name: "a relative URI in the body", redirectURI: "https://a.example/cb", answers: [ok("/cb", type: "text/plain")],
      end: "answer 200 /cb"),
    .init(
      name: "in the body when nobody waits for it", answers: [ok("app://cb?code=1", type: "text/plain")],
      end: "answer 200 app://cb?code=1"),
    .init(
      name: "a page for a person", redirectURI: "app://cb", answers: [ok("<html>", type: "Text/HTML; charset=utf-8")],
      end: "interactionRequired 1"),
    .init(
      name: "a page when no redirect URI is awaited", answers: [ok("<html>", type: "text/html")],
      end: "answer 200 <html>"),
    .init(
      name: "a page of an error", redirectURI: "app://cb", answers: [ok("<html>", type: "text/html", 500)],
      end: "answer 500 <html>"),
    .init(name: "JSON where a redirect is awaited", redirectURI: "app://cb", answers: [ok("{}")], end: "answer 200 {}"),
    .init(
      name: "a page on a cleartext hop when no redirect URI is awaited",
      answers: [to("http://b.example/"), ok("<html>", type: "text/html")], fetched: ["http://b.example/"],
      end: "interactionRequired 2"),
    // Portals and rate limits.
    .init(
      name: "a login of the network", answers: [ok("<html>", type: "text/html", 511)], end: "possibleCaptivePortal 1"),
    .init(
      name: "the same status of a server that gives it itself", change: { $0.answersWith511 = true },
      answers: [ok("", type: "text/plain", 511)], end: "answer 511 "),
    .init(
      name: "the same status in clear, where it may be anybody's", change: { $0.answersWith511 = true },
      answers: [to("http://b.example/"), ok("", type: "text/plain", 511)], fetched: ["http://b.example/"],
      end: "possibleCaptivePortal 2"),
    .init(
      name: "a stranger where the site must not be left", change: { $0.staysOnFirstSite = true },
      answers: [to("https://b.example/")], end: "possibleCaptivePortal 1"),
    .init(
      name: "a stranger behind a hop on the site", change: { $0.staysOnFirstSite = true },
      answers: [to("/x"), to("https://b.example/"), ok()], fetched: ["https://a.example/x", "https://b.example/"],
      end: "answer 200 "),
    .init(
      name: "a stranger where no redirect may be", change: { $0.maximumRedirects = 0 },
      answers: [to("https://b.example/")], end: "possibleCaptivePortal 1"),
    .init(
      name: "a stranger behind a start in clear", start: "http://a.example/",
      change: { $0.requiresSecureStart = false },
      answers: [to("https://b.example/")], end: "possibleCaptivePortal 1"),
    .init(
      name: "the redirect URI where the site must not be left", redirectURI: "https://b.example/cb",
      change: { $0.staysOnFirstSite = true }, answers: [to("https://b.example/cb?code=1")],
      end: "reached https://b.example/cb?code=1"),
    .init(name: "too many requests", answers: [ok("{}", 429)], end: "rateLimited 1"),
    .init(
      name: "too much to do", answers: [.init(status: 503, fields: [("Retry-After", "5")])], end: "rateLimited 1"),
    // State.
    .init(
      name: "the state given", redirectURI: "app://cb", state: "s /", answers: [to("app://cb?state=s+%2F")],
      end: "reached app://cb?state=s+%2F"),
    .init(
      name: "the state in the fragment", redirectURI: "app://cb", state: "s", answers: [to("app://cb#state=s")],
      end: "reached app://cb#state=s"),
    .init(
      name: "the state twice", redirectURI: "app://cb", state: "s", answers: [to("app://cb?state=s&state=s")],
      end: "stateMismatch 1"),
    .init(
      name: "another state", redirectURI: "app://cb", state: "s", answers: [to("app://cb?state=t")],
      end: "stateMismatch 1"),
    .init(
      name: "another case of the state", redirectURI: "app://cb", state: "s", answers: [to("app://cb?state=S")],
      end: "stateMismatch 1"),
    .init(
      name: "a second state", redirectURI: "app://cb", state: "s", answers: [to("app://cb?state=s&state=t")],
      end: "stateMismatch 1"),
    .init(
      name: "a second state in the fragment", redirectURI: "app://cb", state: "s",
      answers: [to("app://cb?state=s#state=t")], end: "stateMismatch 1"),
    .init(
      name: "no state", redirectURI: "app://cb", state: "s", answers: [to("app://cb?code=1")], end: "stateMismatch 1"),
    .init(
      name: "an error without state", redirectURI: "app://cb", state: "s", answers: [to("app://cb?error=x")],
      end: "stateMismatch 1"),
    .init(
      name: "an answer needs no state", redirectURI: "app://cb", state: "s", answers: [ok("{}")], end: "answer 200 {}"),
  ]
}

@Suite("The chain's decisions")
struct ChainMachineTests {
  @Test("An answer and a redirect that leads nowhere are told with their fields")
  func fields() throws {
    let fields = [WebHeader(name: "Location", value: "other://cb?error=x")]
    var machine = ChainMachine(ChainRequest(url: try WebURL("https://a.example/")))
    _ = machine.start(now: 0)
    guard case .finish(.failed(let failure)) = machine.received(.init(status: 302, headers: fields, body: []), now: 0)
    else {
      Issue.record("a scheme of its own is followed")
      return
    }
    #expect(failure.cause == .badRedirect && failure.answer?.status == 302)
    #expect(failure.answer?.values("location") == ["other://cb?error=x"] && failure.answer?.fields == fields)
  }

  @Test("Answers in a row come to their end", arguments: MachineCase.all)
  func decides(_ test: MachineCase) throws {
    var policy = ChainPolicy()
    test.change(&policy)
    var machine = ChainMachine(
      ChainRequest(
        url: try WebURL(test.start), redirectURI: try test.redirectURI.map { try RedirectURI($0) }, state: test.state,
        policy: policy))
    var action = machine.start(now: 0)
    var fetched: [String] = []
    var answers = test.answers[...]
    while case .fetch(let hop) = action {
      #expect(hop.index == fetched.count + 1)
      fetched.append(hop.url.text)
      guard let answer = answers.popFirst() else {
        Issue.record("the chain went on to \(hop.url.text)")
        return
      }
      action = machine.received(Self.response(answer), now: 0)
    }
    #expect(answers.isEmpty, "the chain ended too early")
    #expect(fetched.dropFirst() == test.fetched[...])
    guard case .finish(let result) = action else { return }
    #expect(Self.text(result) == test.end)
    if case .failed(let failure) = result { #expect(!failure.text.contains("?") && !failure.text.contains("state=")) }
  }

  static func response(_ answer: MachineCase.Answer) -> ChainMachine.Response {
    var fields = answer.fields
    if let location = answer.location { fields.insert(("Location", location), at: 0) }
    return ChainMachine.Response(
      status: answer.status, headers: fields.map { .init(name: $0.0, value: $0.1) }, body: Array(answer.body.utf8))
  }

  static func text(_ result: ChainResult) -> String {
    switch result {
    case .answer(let answer): "answer \(answer.status) \(String(decoding: answer.body, as: UTF8.self))"
    case .redirectReached(let uri, _, _): "reached \(uri)"
    case .failed(let failure): "\(failure.cause) \(failure.hop.map(String.init) ?? "nil")"
    }
  }

  @Test("Only before it goes back to a page of the same host does a chain wait, and only where it may")
  func waits() throws {
    var policy = ChainPolicy()
    policy.returnPause = .seconds(5)
    var machine = ChainMachine(ChainRequest(url: try WebURL("https://a.example/"), policy: policy))
    var pauses: [Duration] = []
    var action = machine.start(now: 0)
    for location in ["/wait?n=1", "/wait?n=2", "http://b.example/wait", "https://a.example/wait?n=3", "/done"] {
      guard case .fetch(let hop) = action else { break }
      pauses.append(hop.pause)
      action = machine.received(Self.response(MachineCase.to(location)), now: 0)
    }
    if case .fetch(let hop) = action { pauses.append(hop.pause) }
    #expect(pauses == [.zero, .zero, .seconds(5), .zero, .zero, .zero])
  }

  @Test("The caller's headers go with the first request, never with a later one or in clear")
  func headers() throws {
    let secret = WebHeader(name: "Authorization", value: "Bearer x")
    var machine = ChainMachine(ChainRequest(url: try WebURL("https://a.example/"), headers: [secret]))
    guard case .fetch(let first) = machine.start(now: 0) else { return }
    #expect(first.headers == [secret])
    let answer = MachineCase.to("/again", 307, ("Set-Cookie", "a=1"))
    guard case .fetch(let second) = machine.received(Self.response(answer), now: 0) else { return }
    #expect(second.headers == [.init(name: "Cookie", value: "a=1")] && second.cookieNames == ["a"])
    var policy = ChainPolicy()
    policy.requiresSecureStart = false
    var clear = ChainMachine(ChainRequest(url: try WebURL("http://a.example/"), headers: [secret], policy: policy))
    guard case .fetch(let hop) = clear.start(now: 0) else { return }
    #expect(hop.headers.isEmpty)
  }
}

@Suite("What a hop may reach")
struct ChainPolicyTests {
  @Test(
    "This machine, its links and groups are refused, the operator's private ranges are not",
    arguments: [
      ("127.0.0.1", false), ("127.255.255.255", false), ("0.0.0.0", false), ("0.1.2.3", false), ("169.254.0.1", false),
      ("169.254.169.254", false), ("224.0.0.1", false), ("239.255.255.255", false), ("255.255.255.255", false),
      ("::", false),
      ("::1", false), ("fe80::1", false), ("febf::1", false), ("ff02::1", false), ("::ffff:127.0.0.1", false),
      ("::ffff:169.254.1.1", false), ("::ffff:0.0.0.0", false), ("::ffff:224.0.0.1", false), ("64:ff9b::7f00:1", false),
      ("64:ff9b::a9fe:a9fe", false), ("::127.0.0.1", false), ("10.0.0.1", true), ("172.16.0.1", true),
      ("192.168.0.1", true),
      ("100.64.0.1", true), ("192.0.2.1", true), ("8.8.8.8", true), ("128.0.0.1", true), ("fd00::1", true),
      ("2001:db8::1", true),
      ("64:ff9b::808:808", true), ("::ffff:10.0.0.1", true),
    ])
  func addresses(text: String, isAllowed: Bool) throws {
    let address = try #require(IPAddress(text))
    #expect((ChainPolicy().refusal(of: address) == nil) == isAllowed)
    var simulation = ChainPolicy()
    simulation.allowedAddresses = [address]
    #expect(simulation.refusal(of: address) == nil && simulation.refusal(of: address, isOwn: true) == nil)
    #expect(ChainPolicy().refusal(of: address, isOwn: true) != nil)
  }
}
