import FoundationEssentials
import ModemModel
import OperatorSimulator

/// Operations about the number of a SIM (TS.43, 6.5).
extension SimulatedTS43Service {
  /// The document for somebody who has logged in: a new TOKEN, and the answer to its operation.
  func document(
    _ request: SimulatedRequest, _ parameters: Parameters, _ imsi: String, _ faults: Faults
  ) -> SimulatedResponse {
    guard let subscriber = subscriber(imsi) else { return Self.refusal(403, "the subscriber is not known") }
    let app = parameters["app"] ?? ""
    var document = EntitlementDocument(app: app)
    if !faults.has(.dropToken) {
      document.token = .init(text: token(for: imsi, parameters), seconds: settings.tokenSeconds)
    }
    perform(parameters["operation"], parameters, subscriber, faults, on: &document)
    return faults.document(document, form(for: request))
  }

  private func token(for imsi: String, _ parameters: Parameters) -> String {
    if !settings.rotatesTokens, let token = parameters["token"] { return token }
    let token = environment.makeToken("TOKEN")
    let grant = Grant(
      imsi: imsi, terminal: parameters["terminal_id"] ?? "", app: parameters["app"] ?? "",
      appName: parameters["app_name"] ?? "", end: later(settings.tokenSeconds))
    state.withLock { $0.tokens[token] = grant }
    return token
  }

  /// A third party spends a temporary token (TS.43, 13.1.2): no login, no IMSI, no cookie.
  func spend(_ request: SimulatedRequest, _ parameters: Parameters, _ faults: Faults) -> SimulatedResponse {
    guard let token = parameters["temporary_token"], let operation = parameters["operation"],
      parameters["app"] == Self.numberApp
    else { return Self.refusal(400, "a parameter is missing") }
    switch environment.operatorTokens.take(token, for: operation, at: environment.now()) {
    case .unusable: return Self.refusal(401, "the temporary token is not known, too old, or was used")
    case .otherOperation: return Self.refusal(403, "the temporary token is for another operation")
    case .taken(let grant):
      var document = EntitlementDocument(app: Self.numberApp)
      let subscriber = subscriber(number: grant.number) ?? SimulatedTS43.Subscriber(number: grant.number)
      perform(operation, parameters, subscriber, faults, on: &document)
      return faults.document(document, form(for: request))
    }
  }

  /// "Device and user information" (TS.43, 2.3).
  private static let numberApp = "ap2014"

  private func form(for request: SimulatedRequest) -> EntitlementDocument.Form {
    if let form = settings.form { return form }
    let accepted = request.headers["accept"] ?? ""
    return accepted.contains("application/json") && !accepted.contains("connectivity-xml") ? .json : .xml
  }

  private func perform(
    _ operation: String?, _ parameters: Parameters, _ subscriber: SimulatedTS43.Subscriber, _ faults: Faults,
    on document: inout EntitlementDocument
  ) {
    if let fault = faults.first(.operationResult) { return document.say("OperationResult", "\(fault.code)") }
    guard document.app == Self.numberApp, let operation else { return document.say("OperationResult", "102") }
    if faults.has(.noAnswer) { return document.say("OperationResult", "1") }
    var number = faults.first(.otherNumber)?.text ?? subscriber.number
    if faults.has(.encodedNumber) { number = "encodedValue=" + Data(number.utf8).base64EncodedString() }
    switch operation {
    case "GetPhoneNumber":
      guard !subscriber.number.isEmpty else { return document.say("OperationResult", "100") }
      document.say("OperationResult", "1")
      document.say("MSISDN", number)
    case "VerifyPhoneNumber":
      guard let asked = parameters["msisdn"], asked.hasPrefix("+") else {
        return document.say("OperationResult", "104")
      }
      document.say("OperationResult", "1")
      document.say("PhoneNumberVerification", faults.first(.verification)?.text ?? (asked == number ? "1" : "0"))
    case "GetSubscriberInfo":
      document.say("OperationResult", "1")
      document.inner = .init(
        type: "SubscriberInfo",
        parameters: [
          .init(name: "MSISDN", value: number), .init(name: "SimIdType", value: "ICCID"),
          .init(name: "SimID", value: subscriber.iccid),
          .init(name: "MvnoName", value: subscriber.virtualOperator ?? ""),
        ].filter { !$0.value.isEmpty })
    case "AcquireTemporaryToken": giveTemporaryToken(parameters, subscriber, faults, on: &document)
    default: document.say("OperationResult", "101")
    }
  }

  private func giveTemporaryToken(
    _ parameters: Parameters, _ subscriber: SimulatedTS43.Subscriber, _ faults: Faults,
    on document: inout EntitlementDocument
  ) {
    let targets = (parameters["operation_targets"] ?? "").split(separator: ",").map(String.init)
    let allowed = targets.filter { ["GetPhoneNumber", "VerifyPhoneNumber"].contains($0) }
    guard !targets.isEmpty, allowed == targets else { return document.say("OperationResult", "102") }
    let end = later(settings.temporaryTokenSeconds)
    let fault = faults.first(.temporaryToken)
    let token = fault.map { $0.text ?? String(repeating: "t", count: 5000) } ?? environment.makeToken("temporary token")
    if fault == nil {
      environment.operatorTokens.give(token, .init(number: subscriber.number, operations: Set(targets), end: end))
    }
    document.say("OperationResult", "1")
    document.say("TemporaryToken", token)
    document.say("TemporaryTokenExpiry", faults.first(.expiry)?.text ?? end.description)
    document.say("OperationTargets", targets.joined(separator: ","))
  }
}

extension EntitlementDocument {
  mutating func say(_ name: String, _ value: String) { operation.append(.init(name: name, value: value)) }
}
