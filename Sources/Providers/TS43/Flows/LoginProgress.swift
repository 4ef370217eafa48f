import AuthCore
import ModemModel

/// How far the SIM and the server have come in an EAP login.
struct LoginProgress: Sendable {
  /// What follows from what the SIM's side said.
  enum Step: Sendable {
    case send([UInt8])
    case end(FlowOutcome)
  }

  /// Answers of the SIM's side to packets of the server: two challenges, three identity rounds and
  /// notifications come to fewer.
  static let messageLimit = 8

  private let host: String
  private var messages = 0
  /// Whether the SIM, or the keys of an earlier login, answered a challenge.
  private(set) var isProven = false
  /// What the login ends with, whatever the server says to the last packet.
  private(set) var verdict: FlowOutcome?

  init(with host: String) { self.host = host }

  /// Takes what a packet of the server led to.
  mutating func take(_ reply: EAPReply) -> Step {
    messages += 1
    switch reply.event {
    case .failure: return .end(verdict ?? failure)
    case .success:
      return .end(
        FlowOutcome(
          .operatorError, code: "eapSuccess",
          "\(host) ended the login without the document that has to follow; ask the operator"))
    case .response, .reauthentication: isProven = true
    case .rejected:
      verdict = FlowOutcome(
        .noSIMAnswer, code: reply.event.rawValue,
        "the SIM does not accept the challenge of \(host)\(Self.reason(reply)); the SIM may be another operator's, or "
          + "the server is not its operator's")
    case .refused:
      verdict = FlowOutcome(
        .operatorError, code: reply.event.rawValue,
        "\(host) sent a challenge against the protocol\(Self.reason(reply)); ask the operator")
    case .notification: note(reply.notification)
    case .identity, .synchronisation, .unknown: break
    }
    guard let packet = reply.packet else { return .end(verdict ?? unexpected) }
    guard messages <= Self.messageLimit else {
      return .end(
        verdict
          ?? FlowOutcome(
            .operatorError, code: "tooManyMessages",
            "\(host) did not end the login within \(Self.messageLimit) messages; ask the operator"))
    }
    return .send(packet)
  }

  /// Numbers of RFC 4187, 10.19; those with 0x8000 tell of success.
  private mutating func note(_ number: Int?) {
    guard let number, number & 0x8000 == 0 else { return }
    verdict =
      switch number {
      case 1031:
        FlowOutcome(
          .subscriberUnknown, code: String(number),
          "\(host) says that the SIM has no subscription to this service; ask the operator")
      case 1026:
        FlowOutcome(
          .operatorError, code: String(number),
          "\(host) denies the SIM this service for the time being; try again later, and ask the operator")
      default:
        FlowOutcome(
          .operatorError, code: String(number), "\(host) ended the login with notification \(number); ask the operator")
      }
  }

  private var failure: FlowOutcome {
    FlowOutcome(
      .operatorError, code: "eapFailure",
      "\(host) ended the login without letting the SIM in; ask the operator whether this SIM and this client are let in"
    )
  }

  private var unexpected: FlowOutcome {
    FlowOutcome(
      .badAnswer, code: "eap", "\(host) sent a packet that has no answer in this login; ask the operator")
  }

  private static func reason(_ reply: EAPReply) -> String { reply.text.map { " (\($0))" } ?? "" }
}
