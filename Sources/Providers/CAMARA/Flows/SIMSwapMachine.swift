import AuthCore
import JSONTree
import ModemModel
import OutsideNumber
import AuthFlows

/// SIM Swap: whether or when a number moved to another SIM. The client's own token asks about a
/// number. A subscriber's token, obtained over the bearer, asks about the SIM in this machine.
public struct SIMSwapMachine: FlowMachine {
  /// What is asked.
  public enum Question: Hashable, Sendable {
    /// Whether it moved within this many hours, 1 to 2400.
    case check(hours: Int)
    /// When it last moved. The outcome states whether that was within the time.
    case date(within: Duration)

    var service: CAMARAService { if case .check = self { .checkSIMSwap } else { .retrieveSIMSwapDate } }
  }

  private let question: Question
  /// Absent with a subscriber's token.
  private let number: SubscriberNumber?
  private let call: CAMARACall
  private var access: CAMARAAccess
  private var isAsking = false

  public static var usesBearer: Bool { false }

  /// Asks about a number with the client's own token.
  public init(
    _ question: Question, about number: SubscriberNumber?, _ settings: CAMARASettings, proof: ClientProof,
    correlator: String
  ) {
    self.question = question
    self.number = number
    call = CAMARACall(question.service, settings, correlator: correlator)
    access = CAMARAAccess(question.service, .client, proof, settings)
  }

  /// Asks about the bearer's SIM.
  public init(
    _ question: Question, _ settings: CAMARASettings, ticket: AuthorizationTicket, proof: ClientProof,
    correlator: String
  ) {
    self.question = question
    number = nil
    call = CAMARACall(question.service, settings, correlator: correlator)
    access = CAMARAAccess(question.service, .subscriber(ticket, loginHint: nil), proof, settings)
  }

  public mutating func start(at now: Timestamp) -> FlowAction<SIMChangeAnswer> {
    follow(access.start(at: now), at: now)
  }

  public mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<SIMChangeAnswer> {
    guard isAsking else { return follow(access.receive(event, at: now), at: now) }
    switch event {
    case .answered(let reply):
      return finish(reply.status, reply.json, at: now, CAMARAProblem.outcome(reply, host: call.url.host))
    case .unanswered(let failure): return .finish(failure.outcome, nil)
    case .opened, .code, .noCode, .resumed: return .unexpected(event)
    }
  }

  private mutating func follow(_ step: CAMARAAccess.Step, at now: Timestamp) -> FlowAction<SIMChangeAnswer> {
    switch step {
    case .open(let call): return .open(call)
    case .send(let call): return .send(call)
    case .failed(let outcome): return .finish(outcome, nil)
    case .token(let token):
      guard token.isGood(at: now) else {
        return .finish(FlowOutcome(.expired, "the token was over when it came; begin anew"), nil)
      }
      isAsking = true
      return .send(call.backendCall(token, body))
    case .backend(let answer, let host):
      let json = answer.json
      return finish(answer.status, json, at: now, CAMARAProblem.outcome(status: answer.status, json, host: host))
    }
  }

  private var body: [String: JSONValue] {
    var body: [String: JSONValue] = [:]
    if let number { body["phoneNumber"] = .string(number.revealed) }
    if case .check(let hours) = question { body["maxAge"] = .int(hours) }
    return body
  }

  private func finish(
    _ status: Int, _ json: JSONValue?, at now: Timestamp, _ refusal: @autoclosure () -> FlowOutcome
  ) -> FlowAction<SIMChangeAnswer> {
    guard (200...299).contains(status), case .object(let members)? = json else {
      return .finish(
        (200...299).contains(status)
          ? FlowOutcome(.badAnswer, status: status, "\(call.url.host) answered without JSON; ask the operator")
          : refusal(),
        nil)
    }
    switch question {
    case .check(let hours): return swapped(json, status, OutsideSeconds.hours(hours).duration)
    case .date(let time): return date(members["latestSimChange"], json, status, within: time, at: now)
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
