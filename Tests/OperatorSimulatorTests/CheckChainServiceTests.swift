import NetworkAddress
import Testing

@testable import OperatorSimulator

/// The chain, hop by hop, without a socket.
@Suite struct CheckChainServiceTests {
  private let service = CheckChainService(
    hosts: ChainHosts(aggregator: "a.example", signOn: "b.example", enrichment: "c.example"),
    subscribers: SubscriberDirectory([IPAddress("10.64.0.2")!: "+4915112345678"]), makeID: { "s1" })

  private func ask(
    _ scheme: String, _ host: String, _ path: String, _ query: [String: String] = [:], cookies: String? = nil,
    from source: String = "10.64.0.2"
  ) async -> SimulatedResponse? {
    await service.answer(
      SimulatedRequest(
        isSecure: scheme == "https", host: host, path: path, query: query,
        headers: cookies.map { ["cookie": $0] } ?? [:], source: IPAddress(source)!))
  }

  private func location(_ response: SimulatedResponse?) -> String? {
    response?.headers.first { $0.name == "Location" }?.value
  }

  /// Walks to the hop before `hop`, as a right client does.
  private func walk(before hop: Int, number: String = "4915112345678", _ query: [String: String] = [:]) async {
    if hop > 1 { _ = await ask("https", "a.example", "/checks/\(number)", query) }
    if hop > 2 { _ = await ask("https", "b.example", "/authorize", ["session": "s1"]) }
    if hop > 3 { _ = await ask("http", "c.example", "/he/start", ["session": "s1"]) }
    if hop > 4 { _ = await ask("http", "c.example", "/he/confirm", ["session": "s1"], cookies: "he=s1") }
    if hop > 5 { _ = await ask("https", "b.example", "/resume", ["session": "s1"], cookies: "sso=s1") }
  }

  @Test func `six hops lead from the check to its answer`() async {
    let first = await ask("https", "a.example", "/checks/4915112345678")
    #expect(location(first) == "https://b.example/authorize?session=s1")
    #expect(first?.headers.contains { $0.name == "Set-Cookie" && $0.value.contains("Secure") } == true)
    let second = await ask("https", "b.example", "/authorize", ["session": "s1"])
    #expect(location(second) == "http://c.example/he/start?session=s1")
    let third = await ask("http", "c.example", "/he/start", ["session": "s1"])
    #expect(location(third) == "confirm?session=s1")
    let fourth = await ask("http", "c.example", "/he/confirm", ["session": "s1"], cookies: "he=s1")
    #expect(location(fourth) == "https://b.example/resume?session=s1")
    let fifth = await ask("https", "b.example", "/resume", ["session": "s1"], cookies: "sso=s1")
    #expect(location(fifth) == "https://a.example/callback?session=s1")
    let sixth = await ask("https", "a.example", "/callback", ["session": "s1"], cookies: "check=s1")
    #expect(sixth?.status == 200)
    #expect(sixth?.body == #"{"check_id":"s1","status":"COMPLETED","match":true}"#)
  }

  @Test func `another number does not match`() async {
    await walk(before: 6, number: "4915199999999")
    let answer = await ask("https", "a.example", "/callback", ["session": "s1"], cookies: "check=s1")
    #expect(answer?.body.contains(#""match":false"#) == true)
  }

  @Test(arguments: [
    ("com.example.app://callback", "com.example.app://callback?code=s1&state=x"),
    ("https://app.example/back?a=1", "https://app.example/back?a=1&code=s1&state=x"),
  ])
  func `a redirect URI gets code and state`(uri: String, expected: String) async {
    await walk(before: 6, ["redirect_uri": uri, "state": "x"])
    let answer = await ask("https", "a.example", "/callback", ["session": "s1"], cookies: "check=s1")
    #expect(location(answer) == expected)
  }

  @Test func `a session is over after its answer`() async {
    await walk(before: 6)
    _ = await ask("https", "a.example", "/callback", ["session": "s1"], cookies: "check=s1")
    let again = await ask("https", "a.example", "/callback", ["session": "s1"], cookies: "check=s1")
    #expect(again?.status == 404)
  }

  @Test func `header enrichment knows bearers by their address alone`() async {
    await walk(before: 3)
    #expect(await ask("http", "c.example", "/he/start", ["session": "s1"], from: "192.0.2.2")?.status == 403)
  }

  @Test(arguments: ["sso=s1", "a=b; check=s1"])
  func `a Secure cookie over cleartext is refused`(cookies: String) async {
    await walk(before: 3)
    #expect(await ask("http", "c.example", "/he/start", ["session": "s1"], cookies: cookies)?.status == 400)
  }

  @Test(arguments: [
    (4, "http", "c.example", "/he/confirm"), (5, "https", "b.example", "/resume"),
    (6, "https", "a.example", "/callback"),
  ])
  func `a hop without its cookie is refused`(hop: Int, scheme: String, host: String, path: String) async {
    await walk(before: hop)
    #expect(await ask(scheme, host, path, ["session": "s1"])?.status == 400)
  }

  @Test(arguments: [
    ("https", "c.example", "/he/start"), ("http", "a.example", "/checks/4915112345678"), ("https", "x.example", "/"),
  ])
  func `what is not its own it leaves to others`(scheme: String, host: String, path: String) async {
    #expect(await ask(scheme, host, path) == nil)
  }

  @Test(arguments: ["/checks/", "/checks/12", "/checks/49abc1234567", "/checks/1234567890123456"])
  func `a check needs a number`(path: String) async {
    #expect(await ask("https", "a.example", path)?.status == 400)
  }

  @Test func `the slow hop is the one that was asked for`() async {
    await walk(before: 2, ["slow_hop": "3", "slow_ms": "250"])
    #expect(await ask("https", "b.example", "/authorize", ["session": "s1"])?.delivery == .atOnce)
    #expect(await ask("http", "c.example", "/he/start", ["session": "s1"])?.delivery == .after(milliseconds: 250))
  }
}
