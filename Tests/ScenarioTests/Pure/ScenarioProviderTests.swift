import ModemModel
import NetworkAddress
import OperatorSimulator
import Testing

@testable import ScenarioRunner
import modem_simulator

@Suite struct ScenarioProviderTests {
  @Test func `a provider is as its kind says, but for what the scenario says`() throws {
    let scenario = try Scenario(
      text: """
        { "providers": [ { "kind": "sample" , "hosts": {
            "api": { "name": "api.other.example", "addresses": ["198.51.100.99"], "https": [443, 8443], "ways": "bearer" },
            "backend": { "http": [9099] } } } ] }
        """)
    let hosts = try #require(scenario.providers.first).hosts
    #expect(
      hosts["api"] == ProviderHost("api.other.example", ["198.51.100.99"], securePorts: [443, 8443], ways: .bearer))
    #expect(hosts["backend"]?.name == "backend.app.example")
    #expect(hosts["backend"]?.cleartextPorts == [9099])
    #expect(hosts["operator"] == SampleProvider.hosts["operator"])
    #expect(scenario.services.contains(IPAddress("198.51.100.99")!))
  }

  @Test(arguments: [
    (#"{"providers": [{}]}"#, "providers[0].kind is missing; one of "),
    (#"{"providers": [{"kind": "none"}]}"#, "providers[0].kind is text of 4 characters"),
    (#"{"providers": [{"kind": "sample", "colour": 1}]}"#, "providers[0].colour is not known"),
    (#"{"providers": [{"kind": "sample", "hosts": {"web": {}}}]}"#, "providers[0].hosts.web is not known"),
    (#"{"providers": [{"kind": "sample", "hosts": {"api": {"addresses": []}}}]}"#, "hosts.api.addresses is missing"),
    (#"{"providers": [{"kind": "sample", "hosts": {"api": {"http": [0]}}}]}"#, "a list of whole numbers from 1"),
    (#"{"providers": [{"kind": "sample"}, {"kind": "sample"}]}"#, "198.51.100.120 being two hosts'"),
    (#"{"providers": [{"kind": "miracl", "projects": [{}]}]}"#, "projects[0].id is missing; the project's id"),
    (#"{"providers": [{"kind": "miracl", "pins": ["123"]}]}"#, "pins[0] is text of 3 characters; 4 to 6 digits"),
    (
      #"{"providers": [{"kind": "miracl", "projects": [{"id": "a", "faults": [{"answer": "empty"}]}]}]}"#,
      "faults[0].at is missing; one of session, access"
    ),
    (
      #"{"providers": [{"kind": "miracl", "projects": [{"id": "a", "faults": [{"at": "pass2", "answer": "badShare"}]}]}]}"#,
      "faults[0].answer is text of 8 characters; the code of an error, or one of hangUp"
    ),
    (#"{"providers": {"kind": "sample"}}"#, "providers is an object"),
    (
      #"{"providers": [{"kind": "mobileConnect", "applications": [{}]}]}"#,
      "providers[0].applications[0].id is missing; the operator's client_id"
    ),
    (
      #"{"providers": [{"kind": "mobileConnect", "applications": [{"id": "a", "faults": ["expiry"]}]}]}"#,
      "providers[0].applications[0].faults[0] is text of 6 characters; one of discoveryCorrelation"
    ),
    (
      #"{"providers": [{"kind": "mobileConnect", "appServer": {}}]}"#,
      "providers[0].appServer.application is missing; the id of an application"
    ),
    (#"{"subscribers": [{}]}"#, "subscribers[0].number is missing"),
    (#"{"subscribers": [{"number": "4915112345678"}]}"#, "subscribers[0].number is text of 13 characters"),
    (#"{"modemdProviders": {"a/b": {}}}"#, "modemdProviders is missing; a name of letters"),
    (#"{"modemdProviders": {"a": "text"}}"#, "modemdProviders.a is text of 4 characters; an object"),
    (#"{"modemdCredentials": {"..": "x"}}"#, "modemdCredentials is missing; a name of letters"),
  ])
  func `what is wrong is named`(text: String, words: String) {
    let error = #expect(throws: WorldError.self) { try Scenario(text: text) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test func `a Mobile Connect's credentials are secrets, and an application has its callback at the app's server`()
    throws
  {
    let scenario = try Scenario(
      text: """
        { "providers": [ { "kind": "mobileConnect", "hosts": { "app": { "name": "app.other.example" } },
                           "applications": [ { "id": "shop", "secret": "of-the-operator", "faults": ["exp", "at_hash"] } ],
                           "appServer": { "application": "shop" } } ] }
        """)
    let secrets = scenario.secrets.map(\.value)
    #expect(secrets.contains("of-the-operator") && secrets.contains("mc-exchange-secret-shop"))
    let hosts = try #require(scenario.providers.first).hosts
    #expect(hosts["enrichment"]?.ways == .bearer && hosts["enrichment"]?.securePorts == [])
    #expect(hosts["exchange"]?.ways == .both && hosts["app"]?.name == "app.other.example")
  }

  @Test func `what a project of MIRACL and its users must keep is known`() throws {
    let scenario = try Scenario(
      text: """
        { "providers": [ { "kind": "miracl", "pins": ["4711"],
                           "projects": [ { "id": "a" }, { "id": "b", "secret": "own-secret", "verification": "link",
                             "faults": [ { "at": "pass1", "answer": "EXPIRED_MPINID", "status": 401 } ] } ] } ] }
        """)
    let secrets = try #require(scenario.providers.first).definition.secrets
    #expect(
      Set(secrets) == [
        .init(kind: "PIN", value: "4711"), .init(kind: "client secret", value: "miracl-client-secret-a"),
        .init(kind: "client secret", value: "own-secret"),
      ])
    #expect(scenario.providerHosts.map(\.name).contains("site.shop.example"))
  }

  @Test func `the operator's subscribers are those of the SIMs and of the scenario`() throws {
    let scenario = try Scenario(
      text: """
        { "subscribers": [ { "number": "+4915112345678", "simChangedMinutesAgo": 90, "operator": "26202" },
                           { "number": "+447700900000" } ] }
        """)
    let start = Timestamp(milliseconds: 10_000_000)
    let subscribers = scenario.simulatedSubscribers(since: start)
    let own = try #require(subscribers.subscriber(at: IPAddress("10.64.0.2")!))
    #expect(own.number == "+4915112345678" && own.network == PLMN("26202"))
    #expect(subscribers.simChange(of: own) == Timestamp(milliseconds: 10_000_000 - 90 * 60_000))
    let other = try #require(subscribers.subscriber("447700900000"))
    #expect(other.network == PLMN("26201") && subscribers.simChange(of: other) == nil)
    #expect(subscribers.subscriber("+4915100000000") == nil)
    #expect(subscribers.subscriber(at: IPAddress("192.0.2.2")!) == nil)
    #expect(!subscribers.isBearer(IPAddress("192.0.2.2")!))
    let nameless = try Scenario(text: #"{"sim": {"numbers": []}}"#).simulatedSubscribers(since: start)
    #expect(nameless.isBearer(IPAddress("10.64.0.2")!) && nameless.subscriber(at: IPAddress("10.64.0.2")!) == nil)
  }

  @Test(arguments: ["plain", "two\nlines", #"a\b"#, #"\n"#, "\\\n", ""])
  func `a text goes through a line and back`(text: String) {
    let line = MessageLine.line(of: text)
    #expect(!line.contains("\n"))
    #expect(MessageLine.text(of: line) == text)
  }

  @Test func `a packet is expected on the uplink only from the host's own address to hosts of the Internet`() throws {
    let expected = try #require(try Scenario(text: #"{"providers": [{"kind": "sample"}]}"#).expectedOnUplink)
    #expect(try Scenario(text: "{}").expectedOnUplink == nil)
    func packet(_ source: String, _ destination: String) -> UplinkPacket? {
      let addresses = [source, destination].flatMap { IPAddress($0)!.bytes }
      return UplinkPacket(
        [0x45, 0, 0, 40, 0, 0, 0, 0, 64, 6, 0, 0] + addresses + [0x80, 0, 1, 187] + Array(repeating: 0, count: 16))
    }
    #expect(expected.includes(try #require(packet("192.0.2.2", "198.51.100.120"))))
    #expect(!expected.includes(try #require(packet("10.64.0.2", "198.51.100.120"))))
    #expect(!expected.includes(try #require(packet("192.0.2.2", "198.51.100.121"))), "over the bearer alone")
    #expect(!expected.includes(try #require(packet("192.0.2.2", "198.51.100.10"))))
  }
}
