import ModemModel
import PortSettings
import SettingsFile
import Testing

struct PortSettingsTests {
  static let whole = """
    { "sharing": "share",
      "sim": { "numbers": ["+447700900123"], "homeCountry": "44", "slot": 1, "authenticationsPerDay": 0 },
      "bearer": { "session": 3, "reconnect": false, "resume": "boot", "probe": false, "guard": "nftables" },
      "modems": { "/dev/cdc-wdm1": { "sharing": "follow", "sim": { "slot": 2 } },
                  "004999010640000": { "bearer": { "reconnect": true } } } }
    """

  @Test func everyKeyIsRead() throws {
    let settings = try PortSettings(json: Array(Self.whole.utf8)).settings(for: ["/dev/cdc-wdm0"])
    var expected = ModemSettings()
    expected.sharing = .share
    expected.numbers = ["+447700900123"]
    expected.homeCountry = "44"
    expected.slot = 1
    expected.authenticationsPerDay = 0
    expected.session = 3
    expected.reconnects = false
    expected.resumes = .boot
    expected.probes = false
    expected.guardian = .nftables
    #expect(settings == expected)
  }

  @Test func aModemsOwnSettingsGoOverTheCommonOnes() throws {
    let settings = try PortSettings(json: Array(Self.whole.utf8))
    let modem = settings.settings(for: ["/dev/cdc-wdm1", "cdc-wdm1", "004999010640000"])
    #expect(modem.sharing == .follow)
    #expect(modem.slot == 2)
    #expect(modem.reconnects)
    #expect(modem.session == 3)
  }

  @Test func withoutAFileTheDefaultsHold() throws {
    #expect(PortSettings().settings(for: ["/dev/cdc-wdm0"]) == ModemSettings())
    #expect(try PortSettings(json: Array("{}".utf8)).settings(for: []) == ModemSettings())
  }

  @Test(arguments: [
    ("[]", SettingsError.Code.notJSON, "it is no JSON object"),
    ("{", .notJSON, "it is no JSON object"),
    (#"{ "sharing": "mine" }"#, .wrongValue, "sharing is not one of auto, own, share, follow"),
    (#"{ "sharing": 1 }"#, .wrongType, "sharing is not text"),
    (#"{ "sim": { "numbers": "+44" } }"#, .wrongType, "sim.numbers is not a list"),
    (#"{ "sim": { "numbers": [44] } }"#, .wrongType, "sim.numbers.0 is not text"),
    (
      #"{ "sim": { "numbers": ["07700900123"] } }"#, .wrongValue,
      "sim.numbers is not a list of E.164 numbers: + and 7 to 15 digits each"
    ),
    (
      #"{ "sim": { "homeCountry": "+44" } }"#, .wrongValue,
      #"sim.homeCountry is not a calling code: 1 to 3 digits without +, as "44""#
    ),
    (#"{ "sim": { "slot": 0 } }"#, .wrongValue, "sim.slot is not 1 to 8"),
    (#"{ "sim": { "authenticationsPerDay": -1 } }"#, .wrongValue, "sim.authenticationsPerDay is not 0 to 1000"),
    (#"{ "sim": { "authenticationsPerDay": 1001 } }"#, .wrongValue, "sim.authenticationsPerDay is not 0 to 1000"),
    (#"{ "sim": { "authenticationsPerDay": "6" } }"#, .wrongType, "sim.authenticationsPerDay is not a whole number"),
    (#"{ "sim": { "slot": "1" } }"#, .wrongType, "sim.slot is not a whole number"),
    (#"{ "bearer": { "session": 255 } }"#, .wrongValue, "bearer.session is not 1 to 254"),
    (#"{ "bearer": { "resume": "always" } }"#, .wrongValue, "bearer.resume is not one of off, restart, boot"),
    (#"{ "bearer": { "resume": true } }"#, .wrongType, "bearer.resume is not text"),
    (#"{ "bearer": { "probe": "no" } }"#, .wrongType, "bearer.probe is not true or false"),
    (
      #"{ "bearer": { "guard": "on" } }"#, .wrongValue, "bearer.guard is not one of auto, vrf, nftables, off"
    ),
    (#"{ "bearer": 7 }"#, .wrongType, "bearer is not an object"),
    (#"{ "modems": { "a": { "sim": { "slot": 9 } } } }"#, .wrongValue, "modems.a.sim.slot is not 1 to 8"),
  ]) func aMistakeIsNamed(json: String, code: SettingsError.Code, message: String) {
    let error = #expect(throws: SettingsError.self) { try PortSettings(json: Array(json.utf8)) }
    #expect(error?.code == code && error?.message == message)
  }

  @Test(arguments: [
    (#"{ "sim": { "pin": "1234" } }"#, "sim.pin"),
    (#"{ "modems": { "a": { "modems": {} } } }"#, "modems.a.modems"),
  ]) func aMisspeltKeyIsNamedBesideTheOnesThereAre(json: String, key: String) {
    let error = #expect(throws: SettingsError.self) { try PortSettings(json: Array(json.utf8)) }
    #expect(error?.code == .unknownKey)
    #expect(error?.description.hasPrefix("there is no key \(key); the keys are bearer.guard, ") == true)
    #expect(error?.description.contains("modems.NAME.sim.slot") == true)
  }

  @Test func aMisspeltKeyIsToldWithTheNearestOneAndNoOther() {
    let error = #expect(throws: SettingsError.self) { try PortSettings(json: Array(#"{ "sharign": "own" }"#.utf8)) }
    #expect(error?.description == "there is no key sharign; did you mean sharing?")
  }

  @Test func aFileThatIsNotThereIsNamed() {
    let error = #expect(throws: SettingsError.self) { try PortSettings(path: "/nonexistent/port.json") }
    #expect(error?.code == .unreadable)
    #expect(error?.message.hasPrefix("/nonexistent/port.json: it cannot be read") == true)
    #expect(error?.cause == "No such file or directory")
  }

  @Test func aFileThatNeverEndsIsRefused() {
    let error = #expect(throws: SettingsError.self) { try PortSettings(path: "/dev/zero") }
    #expect(error?.code == .unreadable)
  }
}
