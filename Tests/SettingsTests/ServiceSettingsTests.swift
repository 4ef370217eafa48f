import AuthFlows
import ModemService
import SettingsFile
import Testing

@testable import modemd

@Suite("Settings of modemd") struct ServiceSettingsTests {
  private static func read(_ text: String) throws -> Settings { try Settings(json: Array(text.utf8)) }

  @Test("Nothing set is the default")
  func defaults() throws {
    let settings = try Self.read("{}")
    #expect(settings == Settings() && settings.flows == FlowLimits())
    #expect(!settings.isMetered)
    #expect(settings.learnsOrigins && settings.historyLimit == 100 && settings.revealGroups == [])
    #expect(settings.messageGroups == [], "nobody but root reads messages unless somebody says so")
    #expect(settings.reach.traceHeaders.contains("x-request-id"))
  }

  @Test("Each key of checks arrives where it belongs")
  func checks() throws {
    let settings = try Self.read(
      """
      { "access": { "revealGroups": ["adm"], "messageGroups": ["codes"] }, "bearer": { "flowLimit": 7, "metered": true },
        "check": { "allowedAddresses": ["127.0.0.1"], "callerLimit": 5, "queueLimit": 0, "callerQueueLimit": 3,
                   "learnsOrigins": false, "traceHeaders": ["X-Own"], "historyLimit": 0 } }
      """)
    #expect(settings.flows == FlowLimits(perBearer: 7, perCaller: 5, waiting: 0, waitingPerCaller: 3))
    #expect(settings.messageGroups == ["codes"] && settings.isMetered)
    #expect(settings.revealGroups == ["adm"] && settings.reach.allowedAddresses.count == 1)
    #expect(!settings.learnsOrigins && settings.reach.traceHeaders == ["x-own"] && settings.historyLimit == 0)
  }

  @Test("Which providers verify numbers is any, unless the file says otherwise")
  func verifyRoute() throws {
    #expect(try Self.read("{}").verifyRoute == .any)
    for (word, route) in [("any", VerifyRoute.any), ("bearer", .bearer), ("network", .network)] {
      #expect(try Self.read(#"{"verify": {"route": "\#(word)"}}"#).verifyRoute == route)
    }
  }

  @Test(
    "A wrong value is named by its key, and never shown",
    arguments: [
      (#"{"bearer": {"flowLimit": 0}}"#, "bearer.flowLimit is not 1 to 4096"),
      (#"{"bearer": {"metered": "yes"}}"#, "bearer.metered is not true or false"),
      (#"{"check": {"callerLimit": 4097}}"#, "check.callerLimit is not 1 to 4096"),
      (#"{"check": {"queueLimit": -1}}"#, "check.queueLimit is not 0 to 65536"),
      (#"{"check": {"callerQueueLimit": 65537}}"#, "check.callerQueueLimit is not 0 to 65536"),
      (#"{"check": {"historyLimit": 10001}}"#, "check.historyLimit is not 0 to 10000"),
      (#"{"check": {"learnsOrigins": 1}}"#, "check.learnsOrigins is not true or false"),
      (#"{"verify": {"route": "air"}}"#, "verify.route is not one of any, bearer, network"),
      (#"{"check": {"historylimit": 1}}"#, "there is no key check.historylimit"),
    ])
  func wrong(text: String, words: String) {
    let error = #expect(throws: SettingsError.self) { _ = try Self.read(text) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "no error")")
  }
}
