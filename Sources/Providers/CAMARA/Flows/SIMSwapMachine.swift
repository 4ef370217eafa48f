import AuthCore
import JSONTree
import ModemModel
import OutsideNumber
import AuthFlows
import CAMARACommonalities

/// SIM Swap: whether, or when, a number moved to another SIM. With the client's own token a number
/// is asked about; with the subscriber's, which is got over the bearer, the SIM in this machine.
package struct SIMSwapMachine: FlowMachine {
  /// What is asked.
  package enum Question: Hashable, Sendable {
    /// Whether it moved within so many hours, 1 to 2400.
    case check(hours: Int)
    /// When it last moved. The outcome states whether that was within the time.
    case date(within: Duration)

    var service: CAMARAService { if case .check = self { .checkSIMSwap } else { .retrieveSIMSwapDate } }
  }

  private let question: Question
  private var exchange: CAMARAExchange

  package static var usesBearer: Bool { false }

  /// Asks about a number, with the client's own token.
  package init(
    _ question: Question, about number: SubscriberNumber?, _ settings: CAMARASettings, proof: ClientProof,
    correlator: String
  ) {
    self.init(question, about: number, settings, .client, proof, correlator)
  }

  /// Asks about the bearer's SIM.
  package init(
    _ question: Question, _ settings: CAMARASettings, ticket: AuthorizationTicket, proof: ClientProof,
    correlator: String
  ) {
    self.init(question, about: nil, settings, .subscriber(ticket, loginHint: nil), proof, correlator)
  }

  private init(
    _ question: Question, about number: SubscriberNumber?, _ settings: CAMARASettings, _ grant: CAMARAAccess.Grant,
    _ proof: ClientProof, _ correlator: String
  ) {
    self.question = question
    var body: [String: JSONValue] = [:]
    // Absent with a subscriber's token.
    if let number { body["phoneNumber"] = .string(number.revealed) }
    if case .check(let hours) = question { body["maxAge"] = .int(hours) }
    exchange = CAMARAExchange(
      settings.call(question.service, correlator: correlator), body, settings.access(question.service, grant, proof))
  }

  package var foreseen: FlowForesight { exchange.foreseen }

  package mutating func start(at now: Timestamp) -> FlowAction<SIMChangeAnswer> {
    follow(exchange.start(at: now), at: now)
  }

  package mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<SIMChangeAnswer> {
    follow(exchange.receive(event, at: now), at: now)
  }

  private func follow(_ step: CAMARAExchange.Step, at now: Timestamp) -> FlowAction<SIMChangeAnswer> {
    switch step {
    case .open(let call): .open(call)
    case .send(let call): .send(call)
    case .pause(let step, let time): .pause(step: step, time)
    case .failed(let outcome): .finish(outcome, nil)
    case .answer(let answer): finish(answer, at: now)
    }
  }

  private func finish(_ answer: CAMARAAnswer, at now: Timestamp) -> FlowAction<SIMChangeAnswer> {
    guard answer.isSuccess, let members = answer.members else { return .finish(answer.outcomeWithoutObject, nil) }
    switch question {
    case .check(let hours): return swapped(answer.json, answer.status, OutsideSeconds.hours(hours).duration)
    case .date(let time): return date(members["latestSimChange"], answer.json, answer.status, within: time, at: now)
    }
  }

  private func swapped(_ json: JSONValue?, _ status: Int, _ period: Duration) -> FlowAction<SIMChangeAnswer> {
    // Telefónica's sandbox uses the second name.
    let swapped = (json?["swapped"] ?? json?["simSwapped"])?.boolean
    let change = swapped.map { $0 ? SIMChange.changed : .unchanged } ?? .unknown
    return .finish(.simChange(change, status: status), SIMChangeAnswer(period: period))
  }

  /// If the SIM was never changed, an operator may give its first activation: a new SIM counts as
  /// changed.
  private func date(
    _ member: JSONValue?, _ json: JSONValue?, _ status: Int, within time: Duration, at now: Timestamp
  ) -> FlowAction<SIMChangeAnswer> {
    let monitored = json?["monitoredPeriod"]?.integer.flatMap { (0...36_500).contains($0) ? $0 : nil }
      .map { OutsideSeconds.days($0).duration }
    switch member {
    case nil:
      return .finish(
        FlowOutcome(.badAnswer, sim: .unknown, status: status, "the operator answered without a date; ask it"), nil)
    case .null?:
      // No change in the monitored time, or a date that must not be disclosed. It only has a
      // meaning if the monitored time is long enough.
      let isWatched = monitored.map { $0 >= time } ?? false
      return .finish(
        .simChange(isWatched ? .unchanged : .unknown, status: status), SIMChangeAnswer(period: monitored))
    case let value?:
      guard let date = value.string.flatMap({ Timestamp(anyRFC3339: $0) }) else {
        return .finish(
          FlowOutcome(
            .badAnswer, sim: .unknown, status: status, "the operator's date of the change cannot be read; ask it"), nil)
      }
      let age = now.time(since: date)
      return .finish(
        .simChange(age <= time ? .changed : .unchanged, status: status),
        SIMChangeAnswer(changedAt: date, period: monitored))
    }
  }
}
