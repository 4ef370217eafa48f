import ModemSimulator
import Testing

@testable import ScenarioRunner
import modem_simulator

@Suite struct `How a scenario's SIM answers challenges` {
  @Test func `arrives as it is declared`() throws {
    let scenario = try Scenario(
      text: """
        { "modem": { "authentication": { "ways": ["channels"], "card": "outOfStep", "statusWords": "6982",
            "claimedLength": 17, "leavesOutAUTS": true, "givesKc": true, "milliseconds": 2500, "takenChannels": 3,
            "usesGetResponse": true },
          "faults": [ { "operation": "authenticate", "action": "delay" }, { "operation": "channel", "action": "fail" } ] } }
        """)
    var expected = SimulatedAuthentication()
    expected.ways = [.channels]
    expected.card = .outOfStep
    expected.statusWords = 0x6982
    expected.claimedLength = 17
    expected.leavesOutAUTS = true
    expected.givesKc = true
    expected.delay = .milliseconds(2500)
    expected.takenChannels = 3
    expected.usesGetResponse = true
    #expect(scenario.modem.authentication == expected)
    #expect(scenario.modem.faults.map(\.operation) == [.authenticate, .channel])
    #expect(try Scenario(text: "{}").modem.authentication == SimulatedAuthentication())
    #expect(try Scenario(text: #"{"modem": {"authentication": {"ways": []}}}"#).modem.authentication.ways == [])
  }

  @Test(arguments: [
    (
      #"{"ways": ["mbim"]}"#,
      "modem.authentication.ways[0] is text of 4 characters; one of direct, channels is expected"
    ),
    (#"{"ways": "direct"}"#, "modem.authentication.ways is text of 6 characters; a list, each one of direct, channels"),
    (
      #"{"card": "lost"}"#,
      "modem.authentication.card is text of 4 characters; one of working, wrongKey, outOfStep, never"
    ),
    (
      #"{"statusWords": 6982}"#, "modem.authentication.statusWords is the number 6982; 4 hexadecimal digits is expected"
    ),
    (#"{"statusWords": "698"}"#, "modem.authentication.statusWords is text of 3 characters; 4 hexadecimal digits"),
    (#"{"claimedLength": 256}"#, "modem.authentication.claimedLength is the number 256; a whole number from 0 to 255"),
    (#"{"takenChannels": 4}"#, "modem.authentication.takenChannels is the number 4; a whole number from 0 to 3"),
    (#"{"milliseconds": -1}"#, "modem.authentication.milliseconds is the number -1; a whole number from 0 to 600000"),
    (#"{"key": "00"}"#, "modem.authentication.key is not known; known here: ways, card,"),
  ])
  func `that is wrong is named`(object: String, words: String) {
    let error = #expect(throws: WorldError.self) {
      try Scenario(text: #"{"modem": {"authentication": \#(object)}}"#)
    }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "no error")")
  }
}
