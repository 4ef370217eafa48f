import ModemModel
import NetworkAddress
import Synchronization
import Testing

@testable import OperatorSimulator

@Suite struct ProviderEnvironmentTests {
  private final class Heard: Sendable {
    let secrets = Mutex<[String]>([])
    let messages = Mutex<[String]>([])
  }

  private func environment(_ heard: Heard) -> ProviderEnvironment {
    var environment = ProviderEnvironment(
      subscribers: SimulatedSubscribers(
        [.init(number: "+4915112345678", network: PLMN("26201")!)],
        numbers: [IPAddress("10.64.0.2")!: "+4915112345678"], start: Timestamp(milliseconds: 0)),
      now: { Timestamp(milliseconds: 0) },
      deliver: { number, sender, text in heard.messages.withLock { $0.append("\(number) \(sender) \(text)") } },
      report: { kind, value in heard.secrets.withLock { $0.append("\(kind) \(value)") } })
    environment.randomByte = { 0xab }
    return environment
  }

  private func sample(_ heard: Heard, _ method: String, _ path: String, _ headers: [String: String] = [:])
    async -> SimulatedResponse?
  {
    await SampleService(hosts: ["a.example"], secret: "s", environment(heard)).answer(
      SimulatedRequest(
        method: method, isSecure: true, host: "a.example", path: path, headers: headers,
        body: Array("number=%2B4915112345678".utf8), source: IPAddress("10.64.0.2")!))
  }

  @Test func `what is made as a secret is reported, with its kind`() {
    let heard = Heard()
    #expect(environment(heard).makeToken("access token", bytes: 4) == "abababab")
    #expect(environment(heard).makeCode("code", digits: 4) == "1111")
    environment(heard).issued("", as: "nothing")
    #expect(heard.secrets.withLock { $0 } == ["access token abababab", "code 1111"])
  }

  @Test func `the sample sends its code to the number in the form`() async {
    let heard = Heard()
    let answer = await sample(heard, "POST", "/code", ["content-type": "application/x-www-form-urlencoded"])
    #expect(answer?.status == 204)
    #expect(
      heard.messages.withLock { $0 } == ["+4915112345678 Sample Your code is 111111.\nIt is good for 2 minutes."])
    #expect(await sample(heard, "POST", "/code")?.status == 400)
  }

  @Test(arguments: [("Basic c2FtcGxlOnM=", 200), ("Basic c2FtcGxlOng=", 401), (nil, 401)])
  func `the sample's token is for its client alone`(header: String?, status: Int) async {
    let answer = await sample(Heard(), "POST", "/token", header.map { ["authorization": $0] } ?? [:])
    #expect(answer?.status == status)
  }
}
