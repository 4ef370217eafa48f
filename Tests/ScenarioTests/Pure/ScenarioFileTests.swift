import Glibc
import ModemModel
import ModemSimulator
import Testing

@testable import ScenarioRunner
import modem_simulator

@Suite struct ScenarioFileTests {
  @Test func `an empty scenario is the default world`() throws {
    let scenario = try Scenario(text: "{}")
    #expect(scenario.modem.kind == .mbim)
    #expect(scenario.sim.numbers == ["+4915112345678"])
    #expect(scenario.network.addresses.map(\.description).sorted() == ["10.64.0.2", "2001:db8:64::2"])
    #expect(scenario.checks.map(\.url) == ["https://check.aggregator.example/checks/4915112345678"])
  }

  @Test func `each field arrives where it belongs`() throws {
    let scenario = try Scenario(
      text: """
        { "description": "all of it",
          "modem": { "protocol": "qmi", "manufacturer": "A", "model": "B", "firmware": "C", "imei": "123456789012345",
            "faults": [ { "operation": "connect", "action": "refuse", "cause": 27, "times": 2 },
                        { "operation": "signal", "action": "delay", "milliseconds": 40 } ] },
          "sim": { "state": "pinRequired", "iccid": "8901234567890123456", "imsi": "310260123456789",
            "numbers": [], "pin": "9999", "home": { "plmn": "310260", "name": "Three digits" } },
          "network": { "registration": "roaming", "serving": { "plmn": "20801" }, "technology": "nr", "rssi": -100,
            "rsrp": -120, "sinr": -3,
            "ipType": "ipv4", "ipv4": { "address": "10.1.2.3/30", "gateway": "10.1.2.2" }, "dns": ["198.51.100.1"],
            "mtu": 1500, "delayMilliseconds": 7, "uplinkDelayMilliseconds": 9, "accessPoints": ["internet"] },
          "chain": { "aggregator": { "name": "a.example", "addresses": ["198.51.100.2"] },
            "unknownName": "u.example", "nameFaults": { "a.example": "silence" },
            "servers": { "writes": "nagle", "tls": "only12", "connections": "closed" },
            "checks": [ { "url": "https://a.example/x", "redirectURI": "app://back" } ] },
          "settings": { "bearer": { "flowLimit": 7 }, "check": { "learnsOrigins": false } } }
        """)
    #expect(scenario.modem.kind == .qmi)
    #expect(
      scenario.modem.identity == DeviceIdentity(manufacturer: "A", model: "B", firmware: "C", imei: "123456789012345"))
    #expect(
      scenario.modem.faults == [
        SimulatedFault(on: .connect, .refuse(cause: 27), times: 2),
        SimulatedFault(on: .signal, .delay(.milliseconds(40))),
      ])
    #expect(scenario.sim.state == .pinRequired)
    #expect(scenario.sim.numbers == [])
    #expect(scenario.sim.home.plmn.mnc == "260")
    #expect(scenario.network.registration == .roaming)
    #expect(scenario.network.ipv6 == nil)
    #expect(scenario.network.ipv4?.prefix.description == "10.1.2.3/30")
    #expect(scenario.network.delay == 7 && scenario.network.uplinkDelay == 9)
    #expect(scenario.network.referenceSignal == ReferenceSignal(rsrp: -120, sinr: -3))
    #expect(scenario.network.accessPoints == ["internet"])
    #expect(scenario.chain.nameFaults == ["a.example": .silence])
    #expect(scenario.chain.connectionBehaviour.writes == .nagle && scenario.chain.connectionBehaviour.tls == .only12)
    #expect(scenario.chain.connectionBehaviour.connections == .closed)
    #expect(scenario.settings?.contains(#""flowLimit":7"#) == true)
    #expect(scenario.checks == [.init(url: "https://a.example/x", redirectURI: "app://back")])
  }

  @Test func `each kind of fault can be switched on`() throws {
    let scenario = try Scenario(
      text: """
        { "modem": { "faults": [
          { "operation": "any", "action": "swallow", "skip": 3 }, { "operation": "connect", "action": "lose" },
          { "operation": "connect", "action": "double", "times": 1 },
          { "operation": "signal", "action": "overtake", "milliseconds": 50 },
          { "operation": "signal", "action": "mismatch", "of": "command" }, { "operation": "signal", "action": "cut" },
          { "operation": "signal", "action": "noise" },
          { "operation": "signal", "action": "storm", "event": "registration", "count": 7 },
          { "operation": "open", "action": "hangUp" }, { "operation": "open", "action": "hangUpAfter" },
          { "operation": "open", "action": "restart" },
          { "operation": "open", "action": "replug", "milliseconds": 9, "elsewhere": true } ] } }
        """)
    #expect(
      scenario.modem.faults == [
        SimulatedFault(on: .any, .swallow, skip: 3), SimulatedFault(on: .connect, .lose),
        SimulatedFault(on: .connect, .double, times: 1),
        SimulatedFault(on: .signal, .overtake(atMost: .milliseconds(50))),
        SimulatedFault(on: .signal, .mismatch(.command)), SimulatedFault(on: .signal, .cut),
        SimulatedFault(on: .signal, .noise), SimulatedFault(on: .signal, .storm(.registration, count: 7)),
        SimulatedFault(on: .open, .hangUp), SimulatedFault(on: .open, .hangUpAfter),
        SimulatedFault(on: .open, .restart),
        SimulatedFault(on: .open, .replug(after: .milliseconds(9), elsewhere: true)),
      ])
  }

  @Test(arguments: [
    ("[]", "the file is a list of 0; an object is expected"),
    (
      #"{"modme": {}}"#,
      "modme is not known; known here: description, modem, sim, otherSIMs, network, chain, messages, settings"
    ),
    (#"{"modem": 1}"#, "modem is the number 1; an object is expected"),
    (#"{"modem": {"protocol": "at"}}"#, "modem.protocol is text of 2 characters; one of mbim, qmi is expected"),
    (#"{"modem": {"imei": "12"}}"#, "modem.imei is text of 2 characters; 15 digits is expected"),
    (#"{"modem": {"faults": [{"action": "fail"}]}}"#, "modem.faults[0].operation is missing"),
    (#"{"sim": {"imsi": 262011234567890}}"#, "sim.imsi is the number 262011234567890; 14 or 15 digits is expected"),
    (#"{"sim": {"numbers": ["0151"]}}"#, "sim.numbers[0] is text of 4 characters; + and 7 to 15 digits is expected"),
    (#"{"sim": {"home": {"name": "x"}}}"#, "sim.home.plmn is missing"),
    (#"{"network": {"mtu": 100}}"#, "network.mtu is the number 100; a whole number from 1280 to 9000 is expected"),
    (#"{"network": {"rssi": -71.5}}"#, "network.rssi is a fraction"),
    (#"{"network": {"rsrp": -20}}"#, "network.rsrp is the number -20; a whole number from -156 to -31 is expected"),
    (#"{"network": {"ipv4": {"address": "10.0.0.1", "gateway": "10.0.0.2"}}}"#, "network.ipv4.address is text of 8"),
    (
      #"{"network": {"ipv4": {"address": "2001:db8::1/64"}}}"#, "network.ipv4.address is text of 14 characters; an IPv4"
    ),
    (#"{"network": {"ipv6": {"address": "2001:db8::1/64"}}}"#, "network.ipv6.gateway is missing; an IPv6 address"),
    (#"{"chain": {"signOn": {"name": "UPPER", "addresses": []}}}"#, "chain.signOn.name is text of 5 characters"),
    (#"{"chain": {"signOn": {"name": "a.example", "addresses": []}}}"#, "chain.signOn.addresses is missing"),
    (#"{"chain": {"nameFaults": {"a.example": "gone"}}}"#, "chain.nameFaults.a.example is text of 4 characters"),
    (#"{"chain": {"checks": [{"url": "http://a.example"}]}}"#, "chain.checks[0].url is text of 16 characters"),
    (#"{"modem": {"count": 0}}"#, "modem.count is the number 0; a whole number from 1 to 64 is expected"),
    (#"{"chain": {"servers": {"tls": "1.1"}}}"#, "chain.servers.tls is text of 3 characters; one of current, only12"),
    (#"{"settings": []}"#, "settings is a list of 0; an object is expected"),
    ("{", "is no JSON; an object is expected"),
  ])
  func `a wrong field is named with its shape and what was expected`(text: String, words: String) {
    let error = #expect(throws: WorldError.self) { try Scenario(text: text, file: "here.json") }
    #expect(error?.code == .scenario)
    #expect(error?.message.hasPrefix("here.json") == true)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "no error")")
  }

  @Test func `a wrong value never stands in the error`() {
    let error = #expect(throws: WorldError.self) { try Scenario(text: #"{"sim": {"pin": "12345678901"}}"#) }
    #expect(error.map { "\($0)".contains("12345678901") } == false)
  }

  @Test func `a folder without a scenario is said to be one`() {
    let error = #expect(throws: WorldError.self) { try Scenario(folder: "/nonexistent") }
    #expect(error?.message.contains("/nonexistent/scenario.json cannot be read") == true)
  }

  @Test func `every scenario of the repository can be read`() throws {
    let folder = "\(Worlds.repository)/Scenarios"
    let names = try #require(contentsOfFolder(folder))
    #expect(names.contains("demo"))
    for name in names { _ = try Scenario(folder: "\(folder)/\(name)") }
  }

  private func contentsOfFolder(_ path: String) -> [String]? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
