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
      let question = call.provider.question(asked.0, isHashed: asked.1)
      return try await call.provider.inquiry(question, at: call.run.now)
    } run: { inquiry, call in
      try await call.provider.ask(inquiry, of: call.subscriber, call.run)
    } reply: { reply, end in
      reply.correlator = end.answer?.correlator
      reply.serverAnswer = end.answer?.serverAnswer
    }
    flows.method(NumberVerificationInterface.DevicePhoneNumber.self, of: .camara) { _ in
      NumberVerificationQuestion.read
    } flow: { question, call in
      try await call.provider.inquiry(question, at: call.run.now)
    } run: { inquiry, call in
      try await call.provider.ask(inquiry, of: call.subscriber, call.run)
    } reply: { reply, end in
      reply.number = end.answer?.number?.revealed
      reply.correlator = end.answer?.correlator
      reply.serverAnswer = end.answer?.serverAnswer
    }
  }
}
