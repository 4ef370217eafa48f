// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import JSONTree
import ModemModel
import RedirectChain
import Testing
import Web

@testable import TS43Flows

@Suite("The transcript of ts43-test-ecs, replayed")
struct TranscriptTests {
  /// Parameters that a section has on purpose where these flows send none, or others.
  private static func differing(_ note: String) -> Set<String> {
    switch note {
    // Its client echoed the version of a document that it kept.
    case "AcquireTemporaryToken by POST JSON": ["vers"]
    case "AcquireTemporaryToken, both targets": ["operation_targets"]
    // The operation rode on the login; here it follows.
    case let note where note.contains("EAP #1"): ["operation", "operation_targets", "msisdn"]
    default: []
    }
  }

  @Test("The file has its sections")
  func sections() { #expect(!Transcript.sections.isEmpty) }

  @Test("Every exchange", arguments: Transcript.sections)
  func replay(_ section: Transcript.Section) {
    var rest = section.exchanges[...]
    var jar = CookieJar()
    while let first = rest.first {
      if first.parameter("EAP_ID") != nil {
        let count = 1 + rest.dropFirst().prefix { $0.sentPacket != nil }.count
        jar = login(Array(rest.prefix(count)), of: section) ?? jar
        rest = rest.dropFirst(count)
      } else {
        if first.parameter("token") != nil { operation(first, jar) } else { #expect(isNotOurs(first), "\(first.note)") }
        rest = rest.dropFirst()
      }
    }
  }

  /// What a client that knows no better asks, and this one never does; and what a server asks that
  /// has a temporary token.
  private func isNotOurs(_ exchange: HTTPExchange) -> Bool {
    exchange.note == "neither token nor EAP_ID" && exchange.reply.status == 511
      || exchange.parameter("temporary_token") != nil
  }

  private func settings(_ exchange: HTTPExchange) -> TS43Settings {
    TS43Stage.settings {
      $0.server = try! Endpoint("https://\(exchange.field("host") ?? "")")
      $0.versions = [exchange.parameter("entitlement_version") ?? ""]
      $0.appName = exchange.parameter("app_name")
      $0.terminalVendor = exchange.parameter("terminal_vendor") ?? ""
      $0.terminalModel = exchange.parameter("terminal_model") ?? ""
      $0.terminalSoftware = exchange.parameter("terminal_sw_version") ?? ""
      $0.method = exchange.method == "POST" ? .post : .get
    }
  }

  private func context(_ exchange: HTTPExchange) -> EntitlementContext {
    var subscriber = TS43Stage.subscriber
    subscriber.imei = exchange.parameter("terminal_id").map { IMEI($0) }
    if let imsi = exchange.parameter("IMSI") { subscriber.imsi = IMSI(imsi) }
    return try! EntitlementContext(settings(exchange), for: subscriber)
  }

  private func compare(_ call: BackendCall, _ exchange: HTTPExchange) {
    #expect(call.method.rawValue == exchange.method, "\(exchange.note)")
    #expect(call.url.path == exchange.path)
    #expect(call.url.hostField == exchange.field("host"))
    let different = Self.differing(exchange.note)
    let ours = parameters(call).filter { !different.contains($0.key) }
    var theirs = exchange.parameters.filter { !different.contains($0.key) }
    // A server that lets a missing application pass was asked once without it.
    if theirs["app"] == nil { theirs["app"] = ours["app"] }
    #expect(ours == theirs, "\(exchange.note)")
    let cookie = call.headers.first { $0.name == "Cookie" }?.value
    // One client lost its cookies on purpose.
    if exchange.note != "no cookie sent back: EAP answer" { #expect(cookie == exchange.field("cookie")) }
  }

  private func parameters(_ call: BackendCall) -> [String: [String]] {
    if let query = call.url.query { return HTTPExchange.parameters(query) }
    guard case .object(let members)? = JSONValue(parsing: call.body?.bytes ?? []) else { return [:] }
    return HTTPExchange.parameters(members)
  }

  /// - Returns: the cookies at the end of a login that succeeded.
  private func login(_ exchanges: [HTTPExchange], of section: Transcript.Section) -> CookieJar? {
    let first = exchanges[0]
    var rest = exchanges[...]
    var machine = TS43LoginMachine(context(first))
    var action = machine.start(at: TS43Stage.start)
    while true {
      switch action {
      case .askSIM(let question):
        action = machine.receive(.simAnswered(answer(question, to: first, rest.first)), at: TS43Stage.start)
      case .send(let call):
        guard let exchange = rest.popFirst() else {
          Issue.record("\(section.name): it asks for more than the transcript has")
          return nil
        }
        compare(call, exchange)
        if exchange.sentPacket != nil {
          #expect(call.headers.contains(.accept(exchange.field("accept") ?? "")))
          #expect(call.body?.contentType == exchange.field("content-type"))
        }
        action = machine.receive(.answered(exchange.reply), at: TS43Stage.start)
      case .finish(let outcome, let answer):
        #expect(rest.isEmpty || exchanges.count == 1, "\(section.name) ends with \(outcome.text)")
        check(outcome, answer, exchanges)
        return answer?.jar
      case .open, .readCode, .askForCode, .pause:
        Issue.record("TS.43 asks for nothing of this kind")
        return nil
      }
    }
  }

  /// What the SIM said in the transcript: the packet that its next request carries.
  private func answer(_ question: SIMQuestion, to first: HTTPExchange, _ next: HTTPExchange?) -> SIMReply {
    guard case .answer(let packet, _) = question.ask else {
      return .began(EAPLogin(id: "login", identity: EAPIdentity(first.parameter("EAP_ID") ?? "")))
    }
    if packet.first == 4 { return .answered(EAPReply(.failure)) }
    // Some sections end with the first challenge.
    guard let answer = next?.sentPacket, answer.count > 5 else { return .answered(EAPReply(.failure)) }
    #expect(answer[1] == packet[1], "the transcript answers the packet that the server sent")
    let events: [UInt8: EAPReply.Event] = [
      1: .response, 2: .rejected, 4: .synchronisation, 5: .identity, 12: .notification, 13: .reauthentication,
      14: .refused,
    ]
    let event = events[answer[5]] ?? .unknown
    return .answered(EAPReply(event, packet: answer, notification: event == .notification ? 32768 : nil))
  }

  private func check(_ outcome: FlowOutcome, _ answer: TS43LoginMachine.Answer?, _ exchanges: [HTTPExchange]) {
    let last = exchanges[exchanges.count - 1]
    let isRejected = exchanges.contains { $0.sentPacket.map { $0.count > 5 && $0[5] == 2 } == true }
    switch last.reply.status {
    case 403: #expect(outcome.result == .subscriberUnknown)
    case 406: #expect(outcome.result == .operatorUnsupported && outcome.code == "version")
    case 200 where isRejected: #expect(outcome.result == .noSIMAnswer && outcome.code == "rejected")
    case 200 where last.repliedPacket != nil:
      #expect(outcome.result == .operatorError && outcome.code == "eapFailure")
    case 200:
      #expect(outcome.result == .authorized, "\(outcome.text)")
      #expect(answer?.token.token.revealed.count == 43)
      #expect(answer?.token.expires == TS43Stage.start.later(by: .seconds(86_400)))
    default: Issue.record("\(last.note): status \(last.reply.status)")
    }
  }

  private func operation(_ exchange: HTTPExchange, _ jar: CookieJar) {
    let operation: TS43Operation
    switch exchange.parameter("operation") {
    case "GetPhoneNumber": operation = .phoneNumber
    case "GetSubscriberInfo": operation = .subscriberInfo
    case "VerifyPhoneNumber": operation = .verify(try! SubscriberNumber(exchange.parameter("msisdn") ?? ""))
    case "AcquireTemporaryToken": operation = .temporaryToken(.phoneNumber)
    case let word:
      Issue.record("\(exchange.note): \(word ?? "no operation")")
      return
    }
    let context = context(exchange)
    let token = EntitlementToken(
      Secret(exchange.parameter("token") ?? ""), version: context.settings.versions[0], method: context.settings.method)
    var machine = TS43OperationMachine(operation, of: TS43Stage.subscriber, context, with: token, jar: jar)
    // Within the five minutes of the transcript's tokens.
    let now = Timestamp(rfc3339: "2026-11-22T13:36:00Z")!
    guard case .send(let call) = machine.start(at: now) else {
      Issue.record("\(exchange.note): it asks nothing")
      return
    }
    compare(call, exchange)
    guard case .finish(let outcome, let answer) = machine.receive(.answered(exchange.reply), at: now) else {
      Issue.record("\(exchange.note): it does not end")
      return
    }
    check(operation, outcome, answer, exchange)
  }

  private func check(
    _ operation: TS43Operation, _ outcome: FlowOutcome, _ answer: TS43OperationMachine.Answer?,
    _ exchange: HTTPExchange
  ) {
    guard exchange.reply.status == 200 else {
      #expect(exchange.reply.status == 511)
      #expect(answer?.isRefused == true, "\(exchange.note)")
      return
    }
    #expect(answer?.token?.token.revealed.count == 43, "the token rotates: \(exchange.note)")
    #expect(answer?.token?.token.revealed != exchange.parameter("token"))
    switch operation {
    case .phoneNumber:
      #expect(outcome.result == .numberRead)
      #expect(answer?.found?.number == TS43Stage.number)
    // This server carries the operation out without a verdict, and answers a stranger's with 104.
    case .verify(let number): #expect(outcome.result == (number == TS43Stage.number ? .badAnswer : .notVerified))
    case .subscriberInfo: #expect(outcome.result == .answered)
    case .temporaryToken:
      #expect(outcome.result == .authorized, "\(outcome.text)")
      #expect(answer?.found?.temporaryToken?.revealed.count == 43)
      #expect(answer?.found?.expires != nil)
    }
  }

  @Test("The verdict of the server with an override, and its documents in both forms")
  func override() throws {
    let exchanges = Transcript.sections.flatMap(\.exchanges)
    for exchange in exchanges where exchange.note == "override: EAP answer" {
      let document = try EntitlementDocument(exchange.reply.body, type: exchange.reply.header("content-type"))
      let reading = OperationReading(.verify(TS43Stage.number), .operation, host: "host", 200)
      let (outcome, answer) = reading.read(document.application("ap2014"), at: TS43Stage.start)
      #expect(outcome.result == .verified)
      #expect(answer == nil)
    }
    // The same in XML and JSON, but for the token.
    let forms = exchanges.filter { ["GetPhoneNumber, own token", "token, JSON wanted"].contains($0.note) }
    let parts = try forms.map { exchange in
      let document = try EntitlementDocument(exchange.reply.body, type: exchange.reply.header("content-type"))
      return ["operationresult", "msisdn"].map { document.application("ap2014").value($0) }
    }
    #expect(Set(parts).count <= 1)
  }
}
