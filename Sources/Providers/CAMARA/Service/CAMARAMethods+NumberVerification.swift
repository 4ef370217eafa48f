import AuthCore
import AuthFlows
import CAMARAAPI
import CAMARAFlows
import FlowService
import ModemAPI

extension CAMARAMethods {
  func addNumberVerification(to flows: inout FlowRouter) {
    flows.add(NumberVerificationInterface.self)
    flows.method(NumberVerificationInterface.Verify.self, of: .camara) { parameters in
      (try SubscriberNumber(argument: parameters.number), parameters.hashed)
    } flow: { asked, call in
      let (number, isHashed) = asked
      return try await call.provider.machine(call.provider.question(number, isHashed: isHashed), at: call.run.now)
    } run: { machine, call in
      try await call.run(machine)
    } reply: { reply, end in
      reply.correlator = end.answer?.correlator
      reply.serverAnswer = end.answer?.serverAnswer
    }
    flows.method(NumberVerificationInterface.DevicePhoneNumber.self, of: .camara) { _ in
      NumberVerificationQuestion.read
    } flow: { question, call in
      try await call.provider.machine(question, at: call.run.now)
    } run: { machine, call in
      try await call.run(machine)
    } reply: { reply, end in
      reply.number = end.answer?.number?.revealed
      reply.correlator = end.answer?.correlator
      reply.serverAnswer = end.answer?.serverAnswer
    }
  }
}
