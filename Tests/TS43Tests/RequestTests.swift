// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import JSONTree
import ModemModel
import Testing
import Web

@testable import TS43Flows

@Suite("Requests to an entitlement server")
struct RequestTests {
  private func query(_ trial: Trial<some Sendable>, _ index: Int = 0) -> String? { trial.sent[index].url.query }

  @Test("The first request of a login, to the byte")
  func login() {
    let trial = TS43Stage.login([.text(500)]) { $0.versions = ["13.0"] }
    #expect(
      trial.sent[0].url.text
        == "https://aes.mnc001.mcc001.pub.3gppnetwork.org/?EAP_ID=0001010123456063%40nai.epc.mnc001.mcc001.3gppnetwork.org"
        + "&terminal_id=350077523237513&app=ap2014&app_name=modemd-probe&terminal_vendor=Lnx&terminal_model=gateway"
        + "&terminal_sw_version=6.1&vers=0&entitlement_version=13.0")
    #expect(trial.sent[0].method == .get)
    #expect(
      trial.sent[0].headers == [
        .accept("application/vnd.gsma.eap-relay.v1.0+json"),
        WebHeader(
          name: "User-Agent", value: "PRD-TS43 term-Lnx/gateway client-modemd/\(Product.version) OS-Linux/6.1"),
      ])
    #expect(trial.sent[0].route == .host)
  }

  @Test("An operation, to the byte")
  func operation() {
    let trial = TS43Stage.operation(.verify(TS43Stage.number), [.text(500)])
    #expect(
      query(trial)
        == "token=token-1&IMSI=001010123456063&terminal_id=350077523237513&app=ap2014&app_name=modemd-probe"
        + "&terminal_vendor=Lnx&terminal_model=gateway&terminal_sw_version=6.1&vers=0&entitlement_version=12.0"
        + "&operation=VerifyPhoneNumber&msisdn=%2B447700900123")
    #expect(trial.sent[0].headers.contains(.accept("text/vnd.wap.connectivity-xml")))
  }

  static let operations: [(TS43Operation, String)] = [
    (.phoneNumber, "operation=GetPhoneNumber"),
    (.subscriberInfo, "operation=GetSubscriberInfo"),
    (.verify(TS43Stage.number), "operation=VerifyPhoneNumber&msisdn=%2B447700900123"),
    (.temporaryToken(.phoneNumber), "operation=AcquireTemporaryToken&operation_targets=GetPhoneNumber"),
    (.temporaryToken(.verify), "operation=AcquireTemporaryToken&operation_targets=VerifyPhoneNumber"),
  ]

  @Test("Each operation's parameters", arguments: operations)
  func each(_ operation: TS43Operation, _ end: String) {
    let trial = TS43Stage.operation(operation, [.text(500)])
    #expect(query(trial)?.hasSuffix("&entitlement_version=12.0&" + end) == true)
  }

  @Test("Values are encoded, and cut as phones cut them")
  func values() {
    let trial = TS43Stage.login([.text(500)]) {
      $0.appName = "a b&c=é/+"
      $0.appVersion = "1.0 (beta)"
      $0.terminalVendor = "Vendor"
      $0.terminalModel = "model-of-2026"
      $0.terminalSoftware = "6.1.0-debian-stable-kernel"
      $0.terminalID = .uuid("3f2504e0-4f89-41d3-9a0c-0305e82c3301")
    }
    #expect(
      query(trial)?.hasSuffix(
        "&terminal_id=3f2504e0-4f89-41d3-9a0c-0305e82c3301&app=ap2014&app_name=a%20b%26c%3D%C3%A9%2F%2B"
          + "&app_version=1.0%20%28beta%29&terminal_vendor=Vend&terminal_model=model-of-2"
          + "&terminal_sw_version=6.1.0-debian-stable-&vers=0&entitlement_version=12.0") == true)
  }

  @Test("No application's name where none is configured")
  func nameless() {
    let trial = TS43Stage.login([.text(500)]) { $0.appName = nil }
    #expect(query(trial)?.contains("app_name") == false)
  }

  @Test("GID1 where it is wanted, from version 12.0 on")
  func groupIdentifier() {
    let wanted: (inout TS43Settings) -> Void = { $0.sendsGroupID = true }
    #expect(query(TS43Stage.login([.text(500)], wanted))?.hasSuffix("entitlement_version=12.0&GID1=0AFF") == true)
    #expect(query(TS43Stage.login([.text(500)]))?.contains("GID1") == false)
    let older = TS43Stage.login([.text(500)]) {
      $0.sendsGroupID = true
      $0.versions = ["10.0"]
    }
    #expect(query(older)?.contains("GID1") == false)
    let kept = TS43Stage.operation(.phoneNumber, [.text(500)], wanted)
    #expect(query(kept)?.contains("&GID1=0AFF&operation=") == true)
  }

  @Test("POST has the parameters in a JSON body, and nothing in its URL")
  func post() {
    let trial = TS43Stage.login([.text(500)]) { $0.method = .post }
    let call = trial.sent[0]
    #expect(call.method == .post)
    #expect(call.url.text == "https://aes.mnc001.mcc001.pub.3gppnetwork.org/")
    #expect(call.body?.contentType == "application/json")
    #expect(
      JSONValue(parsing: call.body?.bytes ?? [])
        == JSONValue(
          parsing: Array(
            #"""
            {"EAP_ID":"0001010123456063@nai.epc.mnc001.mcc001.3gppnetwork.org","terminal_id":"350077523237513",
            "app":["ap2014"],"app_name":"modemd-probe","terminal_vendor":"Lnx","terminal_model":"gateway",
            "terminal_sw_version":"6.1","vers":"0","entitlement_version":"12.0"}
            """#.utf8)))
  }

  @Test(
    "Names of servers",
    arguments: [
      ("001", "01", "mnc001.mcc001"), ("262", "01", "mnc001.mcc262"), ("310", "026", "mnc026.mcc310"),
      ("310", "26", "mnc026.mcc310"), ("311", "480", "mnc480.mcc311"),
    ])
  func servers(_ mcc: String, _ mnc: String, _ name: String) {
    #expect(EntitlementContext.serverName(of: PLMN(mcc: mcc, mnc: mnc)!) == "aes.\(name).pub.3gppnetwork.org")
  }

  @Test("A configured server, with its path, and the answer's POST without the query")
  func configured() {
    let trial = TS43Stage.login([.relay(), .answered(.response), .text(500)]) {
      $0.server = try! Endpoint("https://ecs.operator.example:8443/ts43/entry")
      $0.userAgent = "Agent/1"
      $0.route = .bearer
    }
    #expect(trial.sent[0].url.text.hasPrefix("https://ecs.operator.example:8443/ts43/entry?EAP_ID="))
    #expect(trial.sent[1].url.text == "https://ecs.operator.example:8443/ts43/entry")
    #expect(trial.sent.allSatisfy { $0.headers.contains(WebHeader(name: "User-Agent", value: "Agent/1")) })
    #expect(trial.sent.allSatisfy { $0.route == .bearer })
    #expect(
      trial.sent[1].headers.contains(
        .accept("application/vnd.gsma.eap-relay.v1.0+json, text/vnd.wap.connectivity-xml")))
    #expect(trial.sent[1].body?.contentType == "application/vnd.gsma.eap-relay.v1.0+json")
    #expect(trial.sent[1].body?.bytes == Array(#"{"eap-relay-packet":"AgIABA=="}"#.utf8))
  }

  @Test("What the SIM is asked for")
  func question() {
    let trial = TS43Stage.login([.text(500)]) {
      $0.eap = .akaPrime
      $0.realm = "virtual.example"
      $0.networkName = "WLAN"
      $0.reauthenticates = true
    }
    #expect(
      trial.asked == [
        SIMQuestion(
          "beginLogin",
          .begin(
            EAPLoginRequest(.akaPrime, realm: "virtual.example", networkName: "WLAN", reauthenticates: true)))
      ])
  }

  @Test("What a flow lacks is said before anybody is asked")
  func missing() {
    let reason = { (change: (inout Subscriber) -> Void) -> FlowResult? in
      var subscriber = TS43Stage.subscriber
      change(&subscriber)
      do throws(EntitlementContext.Missing) {
        _ = try EntitlementContext(TS43Stage.settings(), for: subscriber)
        return nil
      } catch {
        return error.outcome.result
      }
    }
    #expect(reason { _ in } == nil)
    #expect(reason { $0.imsi = nil } == .noSIMAnswer)
    #expect(reason { $0.home = nil } == .notConfigured)
    #expect(reason { $0.imei = nil } == .notConfigured)
    #expect(reason { $0.iccid = nil } == nil)
  }
}
