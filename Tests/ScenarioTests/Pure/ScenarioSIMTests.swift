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

  @Test func `share their keys with the operator`() throws {
    let scenario = try Scenario(
      text: """
        { "modem": { "count": 2 },
          "sim": { "imsi": "001010123456063", "key": "5122250214c33e723a5dd523fc1455ff",
            "opc": "981d464c7c52eb6e5036234984ad0bcf", "sequence": "0000000000Ef", "responseLength": 4, "gid1": "42FF" },
          "otherSIMs": [ { "imsi": "262015555555555", "numbers": [] } ] }
        """)
    let subscribers = scenario.simulatedSubscribers(since: .now)
    let first = try #require(subscribers.subscription(imsi: "001010123456063"))
    #expect(
      first.key == [0x51, 0x22, 0x25, 0x02, 0x14, 0xc3, 0x3e, 0x72, 0x3a, 0x5d, 0xd5, 0x23, 0xfc, 0x14, 0x55, 0xff])
    #expect(
      first.opc == [0x98, 0x1d, 0x46, 0x4c, 0x7c, 0x52, 0xeb, 0x6e, 0x50, 0x36, 0x23, 0x49, 0x84, 0xad, 0x0b, 0xcf])
    #expect(
      first.sequence == [0, 0, 0, 0, 0, 0xef] && first.responseLength == 4 && first.groupIdentifier == [0x42, 0xff])
    #expect(first.number == "+4915112345678" && first.network.description == "26201")
    let card = try #require(scenario.sim.card)
    #expect(card.key == first.key && card.opc == first.opc && card.sequence == first.sequence)
    #expect(card.responseLength == 4 && card.groupIdentifier == [0x42, 0xff])
    // The second modem's SIM has the next key, and a carry goes on.
    let second = try #require(subscribers.subscription(imsi: "001010123456064"))
    #expect(second.key.suffix(2) == [0x56, 0x00] && second.key.prefix(14) == first.key.prefix(14))
    #expect(scenario.members[1].sim.card?.key == second.key)
    #expect(second.number == "+4915112345679")
    // A SIM without a number, in a slot that is not in use, can be known by its keys.
    let other = try #require(subscribers.subscription(imsi: "262015555555555"))
    #expect(other.number == nil && other.key == SimulatedSIM.testKey && other.opc == SimulatedSIM.testOPc)
    #expect(other.sequence == [0, 0, 0, 0, 0, 0] && other.responseLength == 8 && other.groupIdentifier == [])
    #expect(subscribers.subscription(imsi: "262010000000000") == nil)
  }

  @Test(arguments: [
    (#"{"sim": {"key": "00"}}"#, "sim.key is text of 2 characters; 32 hexadecimal digits is expected"),
    (#"{"sim": {"opc": 1}}"#, "sim.opc is the number 1; 32 hexadecimal digits is expected"),
    (#"{"sim": {"sequence": "00000000000g"}}"#, "sim.sequence is text of 12 characters; 12 hexadecimal digits is"),
    (#"{"sim": {"responseLength": 16}}"#, "sim.responseLength is the number 16; a whole number from 4 to 8"),
    (#"{"sim": {"gid1": ""}}"#, "sim.gid1 is empty text; 2 to 40 hexadecimal digits is expected"),
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
