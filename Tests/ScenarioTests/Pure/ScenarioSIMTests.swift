import ModemSimulator
import Testing

@testable import ScenarioRunner
import modem_simulator

@Suite struct `SIMs in a scenario's file` {
  @Test func `arrive as they are declared`() throws {
    let scenario = try Scenario(
      text: """
        { "modem": { "slot": 2, "reportsNumbers": false, "falseAbsences": 2, "oldSIMCommands": true },
          "sim": { "state": "pukRequired", "pin": "9999", "puk": "87654321", "numberRecords": ["", "+447700900123", "0151"],
            "mncLength": 3 },
          "otherSIMs": [ { "state": "pinRequired", "pinAttempts": 1, "numbers": ["+447700900999"] },
            { "state": "absent" }, { "state": "notActivated" }, { "state": "failed" } ] }
        """)
    #expect(scenario.modem.slot == 2 && !scenario.modem.reportsNumbers && scenario.modem.hasOldSIMCommands)
    #expect(scenario.modem.falseAbsences == 2)
    let blocked = try #require(scenario.sim.card)
    #expect(blocked.pin == "9999" && blocked.wrongPINs == 3 && blocked.puk == "87654321" && blocked.mncLength == 3)
    #expect(blocked.numberRecords == ["", "+447700900123", "0151"])
    let others = scenario.otherSIMs.map(\.card)
    #expect(others.count == 4 && others[1] == nil)
    #expect(others[0]?.wrongPINs == 2)
    #expect(others[2]?.condition == .notActivated && others[3]?.condition == .broken)
    // The operator knows the SIM that is in use.
    #expect(scenario.checks.map(\.url) == ["https://check.aggregator.example/checks/447700900999"])
  }

  @Test(arguments: [
    (#"{"modem": {"slot": 2}}"#, "otherSIMs is missing; a SIM for each slot to modem.slot"),
    (#"{"modem": {"reportsNumbers": 1}}"#, "modem.reportsNumbers is the number 1; true or false is expected"),
    (#"{"sim": {"numberRecords": ["+"]}}"#, "sim.numberRecords[0] is text of 1 characters"),
    (#"{"sim": {"mncLength": 4}}"#, "sim.mncLength is the number 4; a whole number from 0 to 3"),
    (#"{"otherSIMs": [{"slot": 2}]}"#, "otherSIMs[0].slot is not known"),
    (#"{"otherSIMs": {}}"#, "otherSIMs is an object; a list of objects is expected"),
  ])
  func `that are wrong are named`(text: String, words: String) {
    let error = #expect(throws: WorldError.self) { try Scenario(text: text) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "no error")")
  }
}
