import AuthCore
import ModemModel
import Testing
import Web

@testable import TS43Flows

@Suite("Operations of an entitlement server")
struct OperationTests {
  private static let verify = TS43Operation.verify(TS43Stage.number)
  private static let token = TS43Operation.temporaryToken(.phoneNumber)

  private static func parts(_ pairs: KeyValuePairs<String, String>) -> [Reaction] { [.document(Document.parm(pairs))] }

  private static func temporary(_ pairs: KeyValuePairs<String, String>) -> [Reaction] {
    [.document(Document.parm(["OperationResult": "1", "TemporaryToken": "temporary-1"]) + Document.parm(pairs))]
  }

  static let table: [OutcomeCase] = [
    // GetPhoneNumber.
    OutcomeCase(
      name: "the number", reactions: parts(["OperationResult": "1", "MSISDN": "+447700900123"]), result: .numberRead,
      status: 200),
    OutcomeCase(
      name: "the number without a result", reactions: parts(["MSISDN": "+447700900123"]), result: .numberRead,
      status: 200),
    OutcomeCase(
      name: "the number, encoded",
      reactions: [.document(#"<parm name="MSISDN" encodedValue="KzQ0NzcwMDkwMDEyMw=="/>"#)],
      result: .numberRead, status: 200),
    OutcomeCase(
      name: "the number, encoded in its value",
      reactions: parts(["MSISDN": "encodedValue=KzQ0NzcwMDkwMDEyMw=="]), result: .numberRead, status: 200),
    OutcomeCase(
      name: "the number, encoded wrongly", reactions: parts(["MSISDN": "encodedValue=+447700900123"]),
      result: .badAnswer, status: 200),
    OutcomeCase(name: "no number", reactions: parts(["OperationResult": "1"]), result: .badAnswer, status: 200),
    OutcomeCase(name: "nothing at all", reactions: parts([:]), result: .badAnswer, status: 200),
    OutcomeCase(
      name: "a number without its +", reactions: parts(["MSISDN": "447700900123"]), result: .badAnswer, status: 200,
      says: "international form"),
    OutcomeCase(
      name: "a national number", reactions: parts(["MSISDN": "07700900123"]), result: .badAnswer, status: 200),
    OutcomeCase(
      name: "a number with 00", reactions: parts(["MSISDN": "00447700900123"]), result: .badAnswer, status: 200),
    OutcomeCase(name: "too short a number", reactions: parts(["MSISDN": "+44770"]), result: .badAnswer, status: 200),
    OutcomeCase(
      name: "too long a number", reactions: parts(["MSISDN": "+4477009001234567"]), result: .badAnswer, status: 200),
    OutcomeCase(
      name: "a number with 0 first", reactions: parts(["MSISDN": "+0447700900"]), result: .badAnswer, status: 200),
    OutcomeCase(
      name: "a number with blanks in it", reactions: parts(["MSISDN": "+44 7700 900123"]), result: .badAnswer,
      status: 200),
    OutcomeCase(
      name: "an entity in place of the number", reactions: parts(["MSISDN": "&n;"]), result: .badAnswer, status: 200),
    OutcomeCase(
      name: "two numbers", reactions: parts(["MSISDN": "+447700900123", "Msisdn": "+447700900999"]),
      result: .badAnswer, status: 200),
    OutcomeCase(
      name: "a failure, and a number all the same",
      reactions: parts(["OperationResult": "100", "MSISDN": "+447700900123"]), result: .operatorError, code: "100",
      status: 200),
    OutcomeCase(
      name: "a result that is no number", reactions: parts(["OperationResult": "ok", "MSISDN": "+447700900123"]),
      result: .badAnswer, status: 200),
    OutcomeCase(
      name: "somebody's number as a result", reactions: parts(["OperationResult": "447700900123"]),
      result: .badAnswer, status: 200),
    OutcomeCase(
      name: "two results", reactions: parts(["OperationResult": "1", "operationresult": "100"]), result: .badAnswer,
      status: 200),

    // OperationResult (TS.43, 6.5.1).
    OutcomeCase(
      name: "100", reactions: parts(["OperationResult": "100"]), result: .operatorError, code: "100", status: 200),
    OutcomeCase(
      name: "101", reactions: parts(["OperationResult": "101"]), result: .operatorUnsupported, code: "101", status: 200),
    OutcomeCase(
      name: "102", reactions: parts(["OperationResult": "102"]), result: .badRequest, code: "102", status: 200),
    OutcomeCase(
      name: "103", reactions: parts(["OperationResult": "103"]), result: .operatorUnsupported, code: "103", status: 200),
    OutcomeCase(
      name: "104", reactions: parts(["OperationResult": "104"]), result: .operatorError, code: "104", status: 200),
    OutcomeCase(
      name: "a result of later versions", reactions: parts(["OperationResult": "199"]), result: .operatorError,
      code: "199", status: 200),

    // VerifyPhoneNumber.
    OutcomeCase(
      name: "it matches", operation: verify,
      reactions: parts(["OperationResult": "1", "PhoneNumberVerification": "1"]), result: .verified, status: 200),
    OutcomeCase(
      name: "it matches, without a result", operation: verify, reactions: parts(["PhoneNumberVerification": "1"]),
      result: .verified, status: 200),
    OutcomeCase(
      name: "it matches, in JSON with a number", operation: verify,
      reactions: [.json(#"{"ap2014":{"phonenumberverification":1}}"#)], result: .verified, status: 200),
    OutcomeCase(
      name: "it differs", operation: verify,
      reactions: parts(["OperationResult": "1", "PhoneNumberVerification": "0"]), result: .notVerified, status: 200),
    OutcomeCase(
      name: "104 for a number in the right form", operation: verify, reactions: parts(["OperationResult": "104"]),
      result: .notVerified, code: "104", status: 200),
    OutcomeCase(
      name: "104, and a match all the same", operation: verify,
      reactions: parts(["OperationResult": "104", "PhoneNumberVerification": "1"]), result: .notVerified, code: "104",
      status: 200),
    OutcomeCase(
      name: "carried out, without a verdict", operation: verify, reactions: parts(["OperationResult": "1"]),
      result: .badAnswer, status: 200),
    OutcomeCase(
      name: "the number in place of a verdict", operation: verify,
      reactions: parts(["OperationResult": "1", "MSISDN": "+447700900123"]), result: .badAnswer, status: 200),
    OutcomeCase(
      name: "a verdict of nobody's", operation: verify, reactions: parts(["PhoneNumberVerification": "2"]),
      result: .badAnswer, status: 200),
    OutcomeCase(
      name: "two verdicts", operation: verify,
      reactions: parts(["PhoneNumberVerification": "1", "PHONENUMBERVERIFICATION": "0"]), result: .badAnswer,
      status: 200),
    OutcomeCase(
      name: "a verdict of another application", operation: verify,
      reactions: [.json(#"{"ap2014":{"OperationResult":"1"},"ap2015":{"PhoneNumberVerification":"1"}}"#)],
      result: .badAnswer, status: 200),
    OutcomeCase(
      name: "a verdict in the TOKEN's characteristic", operation: verify,
      reactions: [.json(#"{"Token":{"token":"t","PhoneNumberVerification":"1"}}"#)], result: .badAnswer, status: 200),
    OutcomeCase(
      name: "not offered", operation: verify, reactions: parts(["OperationResult": "103"]),
      result: .operatorUnsupported, code: "103", status: 200),
    OutcomeCase(
      name: "by the number: the same", operation: verify, reactions: parts(["MSISDN": "+447700900123"]),
      result: .verified, status: 200, change: { $0.verification = .number }),
    OutcomeCase(
      name: "by the number: another", operation: verify, reactions: parts(["MSISDN": "+447700900999"]),
      result: .notVerified, status: 200, change: { $0.verification = .number }),
    OutcomeCase(
      name: "by the number: none", operation: verify, reactions: parts(["PhoneNumberVerification": "1"]),
      result: .badAnswer, status: 200, change: { $0.verification = .number }),
    OutcomeCase(
      name: "by the number: 104", operation: verify, reactions: parts(["OperationResult": "104"]),
      result: .operatorError, code: "104", status: 200, change: { $0.verification = .number }),

    // GetSubscriberInfo.
    OutcomeCase(
      name: "a number alone", operation: .subscriberInfo, reactions: parts(["MSISDN": "+447700900123"]),
      result: .answered, status: 200),
    OutcomeCase(
      name: "nothing about the subscription", operation: .subscriberInfo, reactions: parts(["OperationResult": "1"]),
      result: .badAnswer, status: 200),
    OutcomeCase(
      name: "a number that is none", operation: .subscriberInfo,
      reactions: parts(["MSISDN": "07700", "MvnoName": "Virtual"]), result: .badAnswer, status: 200),
    OutcomeCase(
      name: "text that may not be shown", operation: .subscriberInfo,
      reactions: parts(["MvnoName": "a&#27;[31mb"]), result: .badAnswer, status: 200),
    OutcomeCase(
      name: "not offered", operation: .subscriberInfo, reactions: parts(["OperationResult": "101"]),
      result: .operatorUnsupported, code: "101", status: 200),

    // AcquireTemporaryToken.
    OutcomeCase(name: "a token", operation: token, reactions: temporary([:]), result: .authorized, status: 200),
    OutcomeCase(
      name: "a token with its end and its target", operation: token,
      reactions: temporary(["TemporaryTokenExpiry": "2026-09-21T14:18:20Z", "OperationTargets": "GetPhoneNumber"]),
      result: .authorized, status: 200),
    OutcomeCase(
      name: "a token for more", operation: token,
      reactions: temporary(["OperationTargets": "VerifyPhoneNumber, getphonenumber"]), result: .authorized, status: 200),
    OutcomeCase(
      name: "a token for another operation", operation: token,
      reactions: temporary(["OperationTargets": "VerifyPhoneNumber"]), result: .badAnswer, status: 200),
    OutcomeCase(
      name: "a token that has ended", operation: token,
      reactions: temporary(["TemporaryTokenExpiry": "2026-09-21T14:13:21+00:00"]), result: .expired, status: 200,
      says: "clock"),
    OutcomeCase(
      name: "an end that is no time", operation: token,
      reactions: temporary(["TemporaryTokenExpiry": "in five minutes"]), result: .authorized, status: 200),
    OutcomeCase(
      name: "no token", operation: token, reactions: parts(["OperationResult": "1"]), result: .badAnswer, status: 200),
    OutcomeCase(
      name: "a token that cannot be sent", operation: token, reactions: parts(["TemporaryToken": "a\u{7}b"]),
      result: .badAnswer, status: 200),
    OutcomeCase(
      name: "too long a token", operation: token,
      reactions: parts(["TemporaryToken": String(repeating: "t", count: 4097)]), result: .badAnswer, status: 200),
    OutcomeCase(
      name: "refused", operation: token, reactions: parts(["OperationResult": "102", "TemporaryToken": "t"]),
      result: .badRequest, code: "102", status: 200),

    // Statuses, which every operation has in common.
    OutcomeCase(
      name: "511: a new login", reactions: [.text(511)], result: .operatorUnsupported, status: 511, requests: 1),
    OutcomeCase(
      name: "a challenge: a new login", operation: verify, reactions: [.relay()], result: .operatorUnsupported,
      status: 511, requests: 1),
    OutcomeCase(name: "400", operation: verify, reactions: [.text(400)], result: .badRequest, status: 400),
    OutcomeCase(name: "403", operation: verify, reactions: [.text(403)], result: .subscriberUnknown, status: 403),
    OutcomeCase(
      name: "403 of the operation", operation: token, reactions: [.text(403, "Operation not permitted")],
      result: .clientRefused, status: 403),
    OutcomeCase(name: "404", operation: token, reactions: [.text(404)], result: .operatorUnsupported, status: 404),
    OutcomeCase(
      name: "405, then by the other method", reactions: [.text(405)] + parts(["MSISDN": "+447700900123"]),
      result: .numberRead, status: 200, requests: 2),
    OutcomeCase(
      name: "406, then the next version", reactions: [.text(406)] + parts(["MSISDN": "+447700900123"]),
      result: .numberRead, status: 200, requests: 2),
    OutcomeCase(
      name: "503", operation: verify, reactions: [.text(503, "", ["retry-after": "9"])], result: .operatorError,
      status: 503, retryAfter: 9),
    OutcomeCase(
      name: "a redirect within the operation",
      reactions: [.redirect("https://b.example/?x=1")] + parts(["MSISDN": "+447700900123"]), result: .numberRead,
      status: 200, requests: 2),
    OutcomeCase(
      name: "a login page", reactions: [.redirect("https://b.example/?response_type=code")],
      result: .interactionRequired, status: 302),
    OutcomeCase(name: "no answer", reactions: [.failure(.timeout)], result: .timeout),
    OutcomeCase(name: "malformed", reactions: [.xml("<wap")], result: .badAnswer, code: "malformed", status: 200),
  ]

  @Test("Ends", arguments: table)
  func ends(_ row: OutcomeCase) {
    let trial = TS43Stage.operation(row.operation, row.reactions, row.change)
    row.check(trial.outcome, trial.sent.count)
    let isRefused = row.status == 511
    #expect((trial.answer?.isRefused ?? false) == isRefused)
    let verdicts: [FlowResult: NumberVerdict] = [.verified: .matches, .notVerified: .differs]
    #expect(trial.outcome.number == verdicts[row.result])
    let isProof = [.verified, .notVerified, .numberRead].contains(row.result)
    #expect(trial.outcome.proof == (isProof ? .sim : nil))
    // Nothing is told with a refusal, and no number with a verdict.
    if !row.result.isSuccess || row.result == .verified { #expect(trial.answer?.found == nil) }
  }

  @Test("There are at least 90 rows")
  func count() { #expect(LoginTests.table.count + Self.table.count >= 90) }

  @Test("The number that the operator has, and the one on the SIM")
  func numbers() {
    let ask = { (number: String, own: SubscriberNumber?) in
      var subscriber = TS43Stage.subscriber
      subscriber.number = own
      return TS43Stage.operation(.phoneNumber, Self.parts(["MSISDN": number]), of: subscriber)
    }
    let same = ask("+447700900123", TS43Stage.number)
    #expect(same.answer?.found?.number == TS43Stage.number)
    #expect(same.answer?.found?.isSame == true)
    let differs = ask("+447700900999", TS43Stage.number)
    #expect(differs.answer?.found?.number == TS43Stage.other)
    #expect(differs.answer?.found?.simNumber == TS43Stage.number)
    #expect(differs.answer?.found?.isSame == false)
    #expect(differs.outcome == same.outcome)
    #expect(ask("+447700900123", nil).answer?.found?.isSame == nil)
  }

  static let infos: [(String, Reaction)] = [
    (
      "nested",
      .document(
        #"<characteristic type="SubscriberInfo">"#
          + Document.parm([
            "MSISDN": "+447700900123", "SimIdType": "ICCID", "SimID": "8944100000000000063", "MvnoName": "Virtual & Co",
          ]) + "</characteristic>")
    ),
    (
      "flat",
      .document(
        Document.parm([
          "msisdn": "+447700900123", "simidtype": "ICCID", "simid": "8944100000000000063", "mvnoname": "Virtual & Co",
        ]))
    ),
    (
      "JSON",
      .json(
        #"{"ap2014":{"OperationResult":1,"SubscriberInfo":{"MSISDN":"+447700900123","SimIdType":"ICCID","SimID":"8944100000000000063","MvnoName":"Virtual & Co"}}}"#
      )
    ),
  ]

  @Test("What the operator has about the subscription", arguments: infos)
  func subscriberInfo(_ name: String, _ reaction: Reaction) {
    let found = TS43Stage.operation(.subscriberInfo, [reaction]).answer?.found
    #expect(found?.number == TS43Stage.number)
    #expect(found?.simIDType == "ICCID")
    #expect(found?.simID?.revealed == "8944100000000000063")
    #expect(found?.virtualOperator == "Virtual & Co")
    #expect(found?.temporaryToken == nil)
  }

  @Test("A temporary token, with what routes it")
  func temporaryToken() {
    let found = TS43Stage.operation(
      Self.token, Self.temporary(["TemporaryTokenExpiry": "2026-09-21T16:18:20.5+02:00"])
    ).answer?.found
    #expect(found?.temporaryToken == Secret("temporary-1"))
    #expect(found?.expires == Timestamp(rfc3339: "2026-09-21T14:18:20.500Z"))
    #expect(found?.home == PLMN(mcc: "001", mnc: "01"))
    #expect(found?.groupIdentifier == [0x0a, 0xff])
    #expect(found?.number == nil)
  }

  @Test("The new token of every answer, of a refusal too; none keeps the old one")
  func rotation() {
    let refused = TS43Stage.operation(.phoneNumber, Self.parts(["OperationResult": "100"]))
    #expect(refused.answer?.token?.token == Secret("token-2"))
    #expect(refused.answer?.token?.groupIdentifier == [0x0a, 0xff])
    let none = TS43Stage.operation(
      .phoneNumber, [.document(Document.parm(["MSISDN": "+447700900123"]), token: nil)])
    #expect(none.answer?.token == nil)
    #expect(none.outcome.result == .numberRead)
  }
}
