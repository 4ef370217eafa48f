import AuthCore
import AuthFlows
import ModemAPI
import ModemService
import OutsideNumber
import Varlink
import CAMARAFlows

/// org.modemd.SIMSwap.
struct SIMSwapHarness: Sendable {
  /// CAMARA's own.
  private static let defaultHours = 240
  private let call: FlowCall

  init(_ authentication: AuthenticationService) { call = FlowCall(authentication) }

  func add(to router: inout VarlinkRouter) {
    router.add(SIMSwapInterface.self)
    router.stream(SIMSwapInterface.Check.self, check)
    router.stream(SIMSwapInterface.RetrieveDate.self, retrieveDate)
  }

  @Sendable private func check(
    _ parameters: SIMSwapInterface.Check.Parameters, _ context: CallContext,
    _ replies: ReplySink<SIMSwapInterface.Check.Reply>
  ) async throws -> SIMSwapInterface.Check.Reply {
    let number = try parameters.number.map { try FlowCall.number($0) }
    let age = try Self.age(parameters.maximumAgeHours)
    let flow = try call.begin(
      on: parameters.modem, for: context.peer, replies, step: { .init(event: .step, step: $0) },
      hop: { .init(event: .hop, hop: $0) })
    replies.send(.init(event: .ready))
    let (end, checker) = try await onWire {
      let checker = try call.authentication.providers.simChangeChecker(
        named: parameters.provider, for: flow.subscriber.home)
      let question = SIMChangeQuestion(number: number, maximumAge: age, subscriber: flow.subscriber)
      return (try await checker.check(question, at: flow.run.now, flow.run), checker)
    }
    let kind = call.authentication.providers.names.first { $0.name == checker.name }?.kind
    return .init(
      event: .outcome, outcome: flow.outcome(end.outcome, provider: checker.name, kind: kind),
      changedAt: end.answer?.changedAt?.description,
      periodHours: end.answer?.period.map { Int($0.components.seconds / 3600) })
  }

  @Sendable private func retrieveDate(
    _ parameters: SIMSwapInterface.RetrieveDate.Parameters, _ context: CallContext,
    _ replies: ReplySink<SIMSwapInterface.RetrieveDate.Reply>
  ) async throws -> SIMSwapInterface.RetrieveDate.Reply {
    let number = try parameters.number.map { try FlowCall.number($0) }
    let age = try Self.age(parameters.maximumAgeHours)
    let flow = try call.begin(
      on: parameters.modem, for: context.peer, replies, step: { .init(event: .step, step: $0) },
      hop: { .init(event: .hop, hop: $0) })
    replies.send(.init(event: .ready))
    let (end, provider) = try await onWire {
      let found = try call.authentication.providers.find(
        CAMARASettings.self, named: parameters.provider, for: flow.subscriber.home)
      let provider = CAMARAProvider(name: found.name, settings: found.settings(for: flow.subscriber.home))
      let machine = try await provider.machine(
        .date(within: age), about: number, of: flow.subscriber, at: flow.run.now)
      return (try await flow.run(machine), found)
    }
    return .init(
      event: .outcome, outcome: flow.outcome(end.outcome, provider), changedAt: end.answer?.changedAt?.description,
      monitoredDays: end.answer?.period.map { Int($0.components.seconds / 86_400) })
  }

  private static func age(_ hours: Int?) throws -> Duration {
    let hours = hours ?? defaultHours
    guard CAMARAProvider.hours.contains(hours) else {
      let range = CAMARAProvider.hours
      throw AuthError.invalid("maximumAgeHours", "\(range.lowerBound) to \(range.upperBound)").onWire
    }
    return OutsideSeconds.hours(hours).duration
  }
}
