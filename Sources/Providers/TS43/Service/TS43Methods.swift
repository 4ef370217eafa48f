import AuthCore
import AuthFlows
import FlowService
import ModemAPI
import ModemModel
import TS43API
import TS43Flows

/// org.modemd.TS43.
package struct TS43Methods: FlowMethods {
  private typealias Wire = TS43Interface

  package static let rights = [
    InterfaceRights([
      .groups: [Wire.Verify.self, Wire.PhoneNumber.self, Wire.SubscriberInfo.self],
      // Whoever has the token asks in the SIM's name, from anywhere.
      .ownEntry: [Wire.TemporaryToken.self],
    ])
  ]

  package init() {}

  package func add(to flows: inout FlowRouter) {
    flows.add(Wire.self)
    flows.method(Wire.Verify.self, of: .settings(TS43Settings.self)) { parameters in
      try SubscriberNumber(argument: parameters.number)
    } run: { number, call in
      try await Self.run(.verify(number), call)
    }
    flows.method(Wire.PhoneNumber.self, of: .settings(TS43Settings.self)) { _ in
    } run: { _, call in
      var end = try await Self.run(.phoneNumber, call)
      // It is not the operator's answer, but what Modem.Get tells.
      if !call.seesSIM { end.answer?.simNumber = nil }
      return end
    } reply: { reply, end in
      guard end.outcome.result == .numberRead, let answer = end.answer else { return }
      reply.number = answer.number?.revealed
      reply.simNumber = answer.simNumber?.revealed
      reply.same = answer.isSame
    }
    flows.method(Wire.SubscriberInfo.self, of: .settings(TS43Settings.self)) { _ in
    } run: { _, call in
      try await Self.run(.subscriberInfo, call)
    } reply: { reply, end in
      guard end.outcome.result == .answered, let answer = end.answer else { return }
      reply.number = answer.number?.revealed
      reply.simIDType = answer.simIDType
      reply.simID = answer.simID?.revealed
      reply.virtualOperator = answer.virtualOperator
    }
    flows.method(Wire.TemporaryToken.self, of: .settings(TS43Settings.self)) { parameters in
      TemporaryTokenTarget(parameters.operation)
    } run: { target, call in
      try await Self.run(.temporaryToken(target), call)
    } reply: { reply, end in
      guard end.outcome.result == .authorized, let answer = end.answer, let token = answer.temporaryToken else {
        return
      }
      reply.token = token.revealed
      reply.expires = answer.expires?.description
      reply.mcc = answer.home?.mcc
      reply.mnc = answer.home?.mnc
      reply.gid1 = answer.groupIdentifier.map { Hexadecimal.text(of: $0) }
    }
  }

  private static func run(
    _ operation: TS43Operation, _ call: FlowCall<TS43Settings>
  ) async throws -> FlowEnd<TS43Answer> {
    try await TS43Provider(call.provider).run(operation, of: call.subscriber, call.run)
  }
}

extension TemporaryTokenTarget {
  fileprivate init(_ operation: TS43Interface.TemporaryToken.Parameters.Operation) {
    switch operation {
    case .phoneNumber: self = .phoneNumber
    case .verify: self = .verify
    }
  }
}
