import AuthCore
import JSONTree
import RedirectChain
import Web

/// What a coverage call says.
enum CoverageReply: Hashable, Sendable {
  case available(operatorCode: String?)
  case unavailable(operatorCode: String?)
  case failed(FlowOutcome)

  static let covered = FlowOutcome(.covered, "the provider serves the network of this address")
  static let notCovered = FlowOutcome(
    .operatorUnsupported,
    "the provider does not serve the network of this address; verify another way, or ask which operators it has")

  /// - Parameter provider: its API. Only the API's own answer states whether it serves a network.
  init(_ reply: BearerReply, of provider: TrustedOrigins, _ host: String) {
    switch reply.result {
    case .answer(let answer):
      let told = answer.verified(from: provider)
      self.init(answer.status, told?.body ?? answer.hearsay.body, host)
    case .redirectReached: self = .failed(IPificationRefusal.outcome(302, host))
    case .failed(let failure):
      let refusal = failure.answer?.hearsay.location.flatMap { IPificationRefusal(uri: $0) }
      self = .failed(refusal?.outcome(host) ?? FlowOutcome(failure))
    }
  }

  init(_ reply: BackendReply, _ host: String) { self.init(reply.status, reply.body, host, reply.retryAfter) }

  private init(_ status: Int, _ body: [UInt8], _ host: String, _ retryAfter: Int? = nil) {
    let json = JSONValue(parsing: body)
    guard (200...299).contains(status) else {
      self = .failed(IPificationRefusal.outcome(status, body: body, host, retryAfter: retryAfter))
      return
    }
    // The provider's guides and code use two names for it. An absent field is not an answer.
    if let isAvailable = (json?["available"] ?? json?["is_available"])?.looseBoolean {
      let code = json?["operator_code"]?.string ?? json?["operator_code"]?.integer.map(String.init)
      self = isAvailable ? .available(operatorCode: code) : .unavailable(operatorCode: code)
    } else if IPificationRefusal(body: body) != nil {
      self = .failed(IPificationRefusal.outcome(status, body: body, host))
    } else {
      self = .failed(
        FlowOutcome(.badAnswer, status: status, "\(host) does not say whether it serves the network; ask the provider"))
    }
  }
}
