import AuthCore
import AuthFlows
import CAMARACommonalities
import JSONTree
import ModemModel

/// A day, as CAMARA wants it: `YYYY-MM-DD` (RFC 3339, full-date).
package struct CalendarDay: Hashable, Sendable {
  package let text: String

  /// - Returns: nil for a text of another form, or for a day that does not exist.
  package init?(_ text: String) {
    guard text.utf8.count == 10, Timestamp(rfc3339: text + "T00:00:00Z") != nil else { return nil }
    self.text = text
  }
}

/// Number Recycling: asks whether a number has got another subscriber since a day. With the
/// client's own token a number is asked about; with the subscriber's, which is got over the bearer,
/// the SIM in this machine.
package struct NumberRecyclingMachine: FlowMachine {
  /// What the operator says.
  package struct Answer: Hashable, Sendable {
    /// Whether the number has, or had for a time, another subscriber or none since the day.
    package var isChanged: Bool
    /// By which the operator finds the calls of this flow.
    package var correlator: String
  }

  private let correlator: String
  private var exchange: CAMARAExchange

  package static var usesBearer: Bool { false }

  /// - Parameters:
  ///   - number: the number asked about; nil with a subscriber's token.
  ///   - day: since when.
  ///   - proof: of the client, for this flow alone.
  package init(
    _ number: SubscriberNumber?, since day: CalendarDay, _ settings: NumberRecyclingSettings,
    _ grant: CAMARAAccess.Grant, _ proof: ClientProof, correlator: String
  ) {
    self.correlator = correlator
    var body: [String: JSONValue] = ["specifiedDate": .string(day.text)]
    if let number { body["phoneNumber"] = .string(number.revealed) }
    exchange = CAMARAExchange(
      CAMARACall("checkNumberRecycling", settings.url, settings.server.route, correlator: correlator), body,
      CAMARAAccess(grant, scope: settings.scope(for: grant), proof, at: settings.server))
  }

  package var foreseen: FlowForesight { exchange.foreseen }

  package mutating func start(at now: Timestamp) -> FlowAction<Answer> { follow(exchange.start(at: now)) }

  package mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<Answer> {
    follow(exchange.receive(event, at: now))
  }

  private func follow(_ step: CAMARAExchange.Step) -> FlowAction<Answer> {
    switch step {
    case .open(let call): .open(call)
    case .send(let call): .send(call)
    case .pause(let step, let time): .pause(step: step, time)
    case .failed(let outcome): .finish(outcome, nil)
    case .answer(let answer): finish(answer)
    }
  }

  private func finish(_ answer: CAMARAAnswer) -> FlowAction<Answer> {
    guard answer.isSuccess, let members = answer.members else { return .finish(answer.outcomeWithoutObject, nil) }
    guard let isChanged = members["phoneNumChanged"]?.boolean else {
      return .finish(
        FlowOutcome(
          .badAnswer, status: answer.status,
          "\(answer.host) answered without saying whether the subscriber changed; ask the operator"),
        nil)
    }
    return .finish(
      FlowOutcome(
        .answered, status: answer.status,
        isChanged
          ? "the number has got another subscriber since that day, or had none for a time"
          : "the number has had the same subscriber since that day"),
      Answer(isChanged: isChanged, correlator: correlator))
  }
}
