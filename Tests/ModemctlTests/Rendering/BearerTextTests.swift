import ModemAPI
import Testing

@testable import ModemctlCommands
@testable import ModemctlCore

@Suite("A bearer for people")
struct BearerTextTests {
  private func bearer(
    _ state: BearerInterface.Bearer.State = .down, apn: String? = "internet",
    source: BearerInterface.Bearer.ApnSource? = nil, cause: BearerInterface.Cause? = nil, next: String? = nil,
    failures: Int? = nil, traffic: BearerInterface.Bearer.Traffic? = nil, text: String? = nil
  ) -> BearerInterface.Bearer {
    .init(
      modem: "modem-1", state: state, apn: apn, settings: nil, since: "2026-11-22T00:00:00.000Z", cause: cause,
      apnSource: source, nextAttempt: next, failures: failures, traffic: traffic, trafficText: text)
  }

  private func shown(_ bearer: BearerInterface.Bearer) -> String {
    Details(groups: [BearerText.details(bearer)]).render(Paint(isOn: false))
  }

  @Test("It tells the cause with its number, when it is tried again, and after how many failures")
  func waiting() {
    let text = shown(
      bearer(
        .failed, cause: .init(code: 29, text: "user authentication failed"), next: "2026-11-22T00:10:00.000Z",
        failures: 3))
    #expect(text.contains("user authentication failed (cause 29)"))
    #expect(text.contains("2026-11-22T00:10:00Z (after 3 failures)"))
  }

  @Test(
    "It tells the access point and where that is known from",
    arguments: [
      (.asked, "internet", "internet (as asked for)"), (.configured, "internet", "internet (from the configuration)"),
      (.modem, "internet", "internet (from the modem)"),
      (.database, "internet", "internet (from the list of providers)"), (.network, nil, "the network's default"),
    ] as [(BearerInterface.Bearer.ApnSource, String?, String)])
  func accessPoint(source: BearerInterface.Bearer.ApnSource, apn: String?, expected: String) {
    #expect(shown(bearer(apn: apn, source: source)).contains(expected))
  }

  @Test(
    "It tells what guards it, and why nothing does",
    arguments: [
      (.vrf, nil, "a VRF of its own"), (.vrf, "no nftables", "a VRF of its own; no nftables"),
      (.nftables, nil, "nftables"), (BearerInterface.Bearer.Guard.none, "switched off", "none: switched off"),
    ] as [(BearerInterface.Bearer.Guard, String?, String)])
  func guardian(kind: BearerInterface.Bearer.Guard, reason: String?, expected: String) {
    var bearer = bearer(.up)
    bearer.guard = kind
    bearer.guardText = reason
    #expect(shown(bearer).contains("Guard"))
    #expect(shown(bearer).contains(expected))
    #expect(!shown(self.bearer()).contains("Guard"))
  }

  @Test("It tells that the modem has yet to confirm the end, and that the machine's part is gone")
  func releasing() {
    var bearer = bearer(.down)
    #expect(!shown(bearer).contains("confirm"))
    bearer.releasing = true
    #expect(shown(bearer).contains("down (since 2026-11-22T00:00:00Z)"))
    #expect(
      shown(bearer).contains("the modem has yet to confirm the end; nothing of it is left on this machine"))
    #expect(BearerText.summary(bearer) == "bearer down, the modem has yet to confirm the end")
  }

  @Test(
    "It tells what becomes of one that was kept",
    arguments: [
      (.pending, nil, "will be resumed"), (.pending, "the SIM is pinRequired", "will be resumed: the SIM is"),
      (.resumed, nil, "resumed"), (.refused, "another SIM is in the modem", "not resumed: another SIM"),
    ] as [(BearerInterface.Bearer.Resumption, String?, String)])
  func resumption(_ resumption: BearerInterface.Bearer.Resumption, text: String?, expected: String) {
    var bearer = bearer(.up)
    bearer.resumption = resumption
    bearer.resumptionText = text
    #expect(shown(bearer).contains("Kept"))
    #expect(shown(bearer).contains(expected))
    #expect(!shown(self.bearer()).contains("Kept"))
    #expect(BearerText.summary(bearer).contains("not resumed: another SIM") == (resumption == .refused))
  }

  @Test("It tells whether packets come back")
  func traffic() {
    #expect(shown(bearer(.up, traffic: .answered)).contains("a DNS server of the bearer answered"))
    #expect(shown(bearer(.up, traffic: .silent, text: "qmi/raw_ip is N")).contains("qmi/raw_ip is N"))
    #expect(
      BearerText.summary(bearer(.up, traffic: .silent, text: "qmi/raw_ip is N")).contains("silent: qmi/raw_ip is N"))
    #expect(!shown(bearer()).contains("Traffic"))
  }
}
