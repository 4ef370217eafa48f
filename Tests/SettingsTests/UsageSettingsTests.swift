import Logging
import ModemService
import NetworkAddress
import SettingsFile
import Testing
import TrafficLedger

@testable import modemd

@Suite("Settings of budgets and destinations") struct UsageSettingsTests {
  private static func read(_ text: String) throws -> Settings { try Settings(json: Array(text.utf8)) }

  @Test("Each key arrives where it belongs, and names of users and groups are found")
  func keys() throws {
    let settings = try Self.read(
      """
      { "check": { "allowedAddresses": ["127.0.0.1"] },
        "usage": {
          "budgets": {
            "*": { "dayBytes": 1, "monthBytes": 2, "roamingDayBytes": 3, "connections": 4, "dayConnections": 5 },
            "root": {}, "@root": { "dayBytes": 7 }, "61001": { "dayBytes": 8 }, "nobody-of-that-name": { "dayBytes": 9 }
          },
          "destinations": {
            "@61002": { "domains": ["Shop.example."], "ports": ["443", "8000-8099"],
                        "addresses": ["public", "10.20.0.0/16"], "allowsSockets": true }
          } } }
      """)
    let policy = settings.traffic(Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let all = BudgetLimits(dayBytes: 1, monthBytes: 2, roamingDayBytes: 3, connections: 4, dayConnections: 5)
    #expect(policy.budgets.general == .init(key: "usage.budgets.*", value: all))
    #expect(
      policy.budgets.users == [
        0: .init(key: "usage.budgets.root", value: BudgetLimits()),
        61_001: .init(key: "usage.budgets.61001", value: BudgetLimits(dayBytes: 8)),
      ])
    #expect(policy.budgets.groups == [0: .init(key: "usage.budgets.@root", value: BudgetLimits(dayBytes: 7))])
    let prefix = try #require(IPAddress("10.20.0.0").flatMap { IPPrefix($0, length: 16) })
    let rule = DestinationRule(
      domains: ["shop.example"], ports: [443...443, 8000...8099], addresses: [.allPublic, .prefix(prefix)],
      allowsSockets: true)
    #expect(policy.destinations.groups == [61_002: .init(key: "usage.destinations.@61002", value: rule)])
    #expect(policy.allowedAddresses.count == 1)
    #expect(try Self.read("{}").traffic(Logger(label: "test")) == TrafficPolicy())
  }

  @Test(
    "A wrong value is named by its key, and never shown",
    arguments: [
      (#"{"usage": {"budgets": {"*": {"dayBytes": -1}}}}"#, "usage.budgets.*.dayBytes is not 0 to"),
      (#"{"usage": {"budgets": {"a": {"connections": 70000}}}}"#, "usage.budgets.a.connections is not 0 to 65536"),
      (#"{"usage": {"budgets": {"a": {"monthBytes": "1 GB"}}}}"#, "usage.budgets.a.monthBytes is not a whole number"),
      (#"{"usage": {"budgets": {"a": {"daybytes": 1}}}}"#, "did you mean dayBytes?"),
      (#"{"usage": {"budgets": {"@": {}}}}"#, "usage.budgets.@ is not the name of a user"),
      (#"{"usage": {"destinations": {"a": {"ports": [443]}}}}"#, "usage.destinations.a.ports"),
      (
        #"{"usage": {"destinations": {"a": {"ports": ["443-80"]}}}}"#, "usage.destinations.a.ports is not ports as text"
      ),
      (#"{"usage": {"destinations": {"a": {"ports": ["0"]}}}}"#, "usage.destinations.a.ports is not ports as text"),
      (
        #"{"usage": {"destinations": {"a": {"domains": ["https://x.example"]}}}}"#,
        "usage.destinations.a.domains is not"
      ),
      (#"{"usage": {"destinations": {"a": {"domains": [".example"]}}}}"#, "usage.destinations.a.domains is not"),
      (#"{"usage": {"destinations": {"a": {"domains": ["10.0.0.1"]}}}}"#, "usage.destinations.a.domains is not"),
      (#"{"usage": {"destinations": {"a": {"addresses": ["10.0.0.0/40"]}}}}"#, "usage.destinations.a.addresses is not"),
    ])
  func wrong(text: String, words: String) {
    let error = #expect(throws: SettingsError.self) { _ = try Self.read(text) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "no error")")
  }
}
