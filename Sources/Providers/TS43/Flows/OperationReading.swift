import AuthCore
import ModemModel

/// Reads what an entitlement server answers to an operation (TS.43, 6.5).
///
/// A verdict on a number comes from `PhoneNumberVerification` alone: an `OperationResult` of 1 says
/// that the operation was carried out, and not what came of it. One refusal is a verdict as well:
/// 104 says that the number in the request is not valid for this subscription. The number was in
/// E.164 when it was sent, so what is left is that it is another's; ts43-test-ecs answers so. To
/// take a wrong refusal for a verdict costs a repetition, to take a wrong success for one would let
/// a stranger in.
struct OperationReading {
  private let operation: TS43Operation
  private let verification: TS43Settings.Verification
  private let host: String
  private let status: Int

  init(_ operation: TS43Operation, _ verification: TS43Settings.Verification, host: String, _ status: Int) {
    self.operation = operation
    self.verification = verification
    self.host = host
    self.status = status
  }

  /// - Parameter parts: what the document says of the application.
  func read(_ parts: [EntitlementCharacteristic], at now: Timestamp) -> (FlowOutcome, TS43Answer?) {
    if parts.contains(where: { $0.has("operationresult") }) {
      // A larger number is none of TS.43's, and could be somebody's.
      guard let result = parts.value("operationresult").flatMap({ UInt16($0) }) else {
        return (bad("no readable result"), nil)
      }
      if result != 1 { return (refusal(result), nil) }
    }
    return switch operation {
    case .verify(let number): (verdict(parts, number), nil)
    case .phoneNumber: phoneNumber(parts)
    case .subscriberInfo: subscriberInfo(parts.with("subscriberinfo"))
    case .temporaryToken(let target): temporaryToken(parts, target, now)
    }
  }

  /// Results other than 1 (TS.43, 6.5.1).
  private func refusal(_ result: UInt16) -> FlowOutcome {
    let code = String(result)
    switch result {
    case 101, 103:
      return FlowOutcome(
        .operatorUnsupported, code: code, status: status,
        "\(host) does not offer \(operation.word) (\(result)); ask the operator what it offers this client")
    case 102:
      return FlowOutcome(
        .badRequest, code: code, status: status,
        "\(host) refuses a parameter of \(operation.word) (102); compare `appName`, `terminalID` and `versions` with "
          + "what the operator wants")
    case 104:
      if case .verify = operation, verification == .operation {
        return verdict(false, code: code)
      }
      return FlowOutcome(
        .operatorError, code: code, status: status,
        "\(host) has no valid number for the SIM (104); ask the operator")
    default:
      return FlowOutcome(
        .operatorError, code: code, status: status,
        "\(host) failed at \(operation.word) (\(result)); try again later, and ask the operator")
    }
  }

  private func verdict(_ parts: [EntitlementCharacteristic], _ asked: SubscriberNumber) -> FlowOutcome {
    guard verification == .operation else {
      // The number is compared and dropped.
      guard let number = number(parts) else { return bad("no number in the international form") }
      return verdict(number == asked)
    }
    switch parts.value("phonenumberverification")?.lowercased() {
    case "1", "true": return verdict(true)
    case "0", "false": return verdict(false)
    default: return bad("no word on whether the number matches")
    }
  }

  private func verdict(_ matches: Bool, code: String? = nil) -> FlowOutcome {
    var outcome = FlowOutcome.check(matches: matches, code: code, status: status)
    outcome.proof = .sim
    return outcome
  }

  private func phoneNumber(_ parts: [EntitlementCharacteristic]) -> (FlowOutcome, TS43Answer?) {
    guard let number = number(parts) else { return (bad("no number in the international form"), nil) }
    var outcome = FlowOutcome(.numberRead, status: status, "\(host) told the number of the SIM")
    outcome.proof = .sim
    var answer = TS43Answer()
    answer.number = number
    return (outcome, answer)
  }

  private func subscriberInfo(_ parts: [EntitlementCharacteristic]) -> (FlowOutcome, TS43Answer?) {
    var answer = TS43Answer()
    if parts.contains(where: { $0.has("msisdn") }) {
      guard let number = number(parts) else { return (bad("no number in the international form"), nil) }
      answer.number = number
    }
    answer.simIDType = parts.value("simidtype").flatMap { Self.plain($0) }
    answer.simID = parts.value("simid").flatMap { Self.plain($0) }.map { ICCID($0) }
    answer.virtualOperator = parts.value("mvnoname").flatMap { Self.plain($0) }
    guard answer != TS43Answer() else { return (bad("nothing about the subscription"), nil) }
    return (FlowOutcome(.answered, status: status, "\(host) told what it has about the subscription"), answer)
  }

  private func temporaryToken(
    _ parts: [EntitlementCharacteristic], _ target: TemporaryTokenTarget, _ now: Timestamp
  ) -> (FlowOutcome, TS43Answer?) {
    guard let text = parts.value("temporarytoken"), EntitlementDocument.isToken(text) else {
      return (bad("no temporary token"), nil)
    }
    if let targets = parts.value("operationtargets"), !Self.words(targets).contains(target.operation.lowercased()) {
      return (bad("a temporary token for other operations than \(target.operation)"), nil)
    }
    var answer = TS43Answer()
    answer.expires = parts.value("temporarytokenexpiry").flatMap { Timestamp(anyRFC3339: $0) }
    if let end = answer.expires, end <= now {
      let outcome = FlowOutcome(
        .expired, status: status,
        "\(host) gave a temporary token that has ended already; compare the machine's clock with the real time")
      return (outcome, nil)
    }
    answer.temporaryToken = Secret(text)
    return (FlowOutcome(.authorized, status: status, "\(host) gave a token for one \(target.operation)"), answer)
  }

  /// The number in an answer; nil for anything but E.164 with its `+`, as another form could be
  /// read as a stranger's.
  private func number(_ parts: [EntitlementCharacteristic]) -> SubscriberNumber? {
    guard let text = parts.value("msisdn").flatMap({ EncodedValue.plain($0) }), text.first == "+",
      text.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return try? SubscriberNumber(text)
  }

  private static func words(_ list: String) -> [String] {
    list.lowercased().split { $0 == "," || $0 == ";" || $0.isWhitespace }.map(String.init)
  }

  /// A short text that may be shown; nil for anything else.
  private static func plain(_ text: String) -> String? {
    let isShown = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) }
    return isShown && (1...128).contains(text.utf8.count) ? text : nil
  }

  private func bad(_ what: String) -> FlowOutcome {
    FlowOutcome(
      .badAnswer, status: status, "\(host) answered \(operation.word) with \(what); ask the operator")
  }
}
