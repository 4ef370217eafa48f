// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import AuthFlows
import JSONTree
import ModemModel
import TS43Flows

/// TS.43: a login of the SIM and each operation after it, in JSON, whose every value is changed,
/// and in XML.
extension RecordedFlow {
  private static let number = try! SubscriberNumber("+447700900123")

  private static var subscriber: Subscriber {
    var subscriber = Subscriber(modem: "m0", home: PLMN(mcc: "001", mnc: "01"), number: number)
    subscriber.imsi = IMSI("001010123456063")
    subscriber.iccid = ICCID("8944100000000000063")
    subscriber.imei = IMEI("350077523237513")
    return subscriber
  }

  private static let json: KeyValuePairs = ["Content-Type": "application/json"]
  private static let challenge = RecordedAnswer(
    200, #"{"eap-relay-packet":"AQIACBcBAAA="}"#,
    ["Content-Type": "application/vnd.gsma.eap-relay.v1.0+json", "Set-Cookie": "session=cookie-1; Path=/; Secure"])
  private static let login: [String: [RecordedAnswer]] = [
    "login": [challenge],
    "sendAnswer": [
      RecordedAnswer(
        200,
        #"{"Vers":{"version":"1","validity":"172800"},"Token":{"token":"token-1","validity":"86400"},"ap2014":{"OperationResult":"102"}}"#,
        json)
    ],
  ]

  private static func ts43(
    _ name: String, _ result: FlowResult, _ step: String, _ answer: RecordedAnswer, _ operation: TS43Operation,
    allows: @escaping @Sendable (Given) -> Bool
  ) -> RecordedFlow {
    var recording = RecordedFlow("TS.43, \(name)", result, login.merging([step: [answer]]) { _, new in new }) { run in
      var settings = TS43Settings()
      settings.appName = "probe"
      return try await TS43Provider(settings).run(operation, of: subscriber, run).outcome
    }
    recording.secrets = ["447700900", "001010123456063", "350077523237513", "token-1", "temporary-1", "cookie-1"]
    recording.allows = { given in
      // What a body of XML says is read by its own rows.
      guard let last = given[step], last.fields.contains(where: { $0.value == "application/json" }) else { return true }
      return allows(given)
    }
    return recording
  }

  private static func temporary(_ form: String, _ body: String, _ type: String) -> RecordedFlow {
    ts43(
      "a temporary token in \(form)", .authorized, "acquireTemporaryToken",
      RecordedAnswer(200, body, ["Content-Type": type]), .temporaryToken(.phoneNumber)
    ) { given in
      // A number stands for its digits.
      switch given.member("acquireTemporaryToken", "ap2014")?["TemporaryToken"] {
      case .string?, .int?, .double?, .bool?: true
      case .null?, .array?, .object?, nil: false
      }
    }
  }

  package static let ts43: [RecordedFlow] = [
    ts43(
      "the number", .numberRead, "getPhoneNumber",
      RecordedAnswer(
        200,
        #"{"Token":{"token":"token-2","validity":86400},"ap2014":{"OperationResult":1,"MSISDN":"+447700900123"}}"#, json
      ),
      .phoneNumber
    ) { given in given.member("getPhoneNumber", "ap2014") != nil },
    ts43(
      "a verdict", .verified, "verifyPhoneNumber",
      RecordedAnswer(200, #"{"ap2014":{"OperationResult":"1","PhoneNumberVerification":"1"}}"#, json), .verify(number)
    ) { given in
      // A number or a flag says the same as text.
      let verdict = given.member("verifyPhoneNumber", "ap2014")?["PhoneNumberVerification"]
      return [.string("1"), .int(1), .bool(true), .double(1)].contains(verdict)
        || verdict?.string?.lowercased() == "true"
    },
    ts43(
      "the subscription", .answered, "getSubscriberInfo",
      RecordedAnswer(
        200,
        #"{"ap2014":{"SubscriberInfo":{"MSISDN":"+447700900123","SimIdType":"ICCID","SimID":"8944100000000000063","MvnoName":"Virtual"}}}"#,
        json), .subscriberInfo
    ) { given in given.member("getSubscriberInfo", "ap2014") != nil },
    temporary(
      "JSON",
      #"{"ap2014":{"OperationResult":"1","TemporaryToken":"temporary-1","TemporaryTokenExpiry":"2026-11-22T13:40:33Z","OperationTargets":"GetPhoneNumber"}}"#,
      "application/json"),
    temporary(
      "XML",
      #"<?xml version="1.0"?><wap-provisioningdoc version="1.1"><characteristic type="APPLICATION"><parm name="AppID" value="ap2014"/><parm name="TemporaryToken" value="temporary-1"/></characteristic></wap-provisioningdoc>"#,
      "text/vnd.wap.connectivity-xml"),
  ]
}
