import AuthCore
import AuthFlows
import CAMARAAPI
import CAMARAFlows
import FlowService
import ModemAPI
import OutsideNumber

extension CAMARAMethods {
  /// CAMARA's own.
  private static let defaultHours = 240

  func addSIMSwap(to flows: inout FlowRouter) {
    flows.add(SIMSwapInterface.self)
    flows.method(SIMSwapInterface.Check.self, of: .simChangeChecker, needsModem: { $0.0 == nil }) { parameters in
      (try Self.number(parameters.number), try Self.age(parameters.maximumAgeHours))
    } flow: { asked, call in
      let question = SIMChangeQuestion(number: asked.0, maximumAge: asked.1, subscriber: call.subscriber)
      return SIMChangeMachine(try await call.provider.machine(for: question, at: call.run.now))
    } run: { machine, call in
      try await call.run(machine)
    } reply: { reply, end in
      reply.changedAt = end.answer?.changedAt?.description
      reply.periodHours = end.answer?.period.map { Int($0.components.seconds / 3600) }
    }
    flows.method(SIMSwapInterface.RetrieveDate.self, of: .camara, needsModem: { $0.0 == nil }) { parameters in
      (try Self.number(parameters.number), try Self.age(parameters.maximumAgeHours))
    } flow: { asked, call in
      try await call.provider.machine(
        .date(within: asked.1), about: asked.0, of: call.subscriber, at: call.run.now)
    } run: { machine, call in
      try await call.run(machine)
    } reply: { reply, end in
      reply.changedAt = end.answer?.changedAt?.description
      reply.monitoredDays = end.answer?.period.map { Int($0.components.seconds / 86_400) }
    }
  }

  private static func number(_ text: String?) throws -> SubscriberNumber? {
    try text.map { try SubscriberNumber(argument: $0) }
  }

  private static func age(_ hours: Int?) throws -> Duration {
    let hours = hours ?? defaultHours
    guard CAMARAProvider.hours.contains(hours) else {
      let range = CAMARAProvider.hours
      throw AuthError.invalid("maximumAgeHours", "\(range.lowerBound) to \(range.upperBound)")
    }
    return OutsideSeconds.hours(hours).duration
  }
}
