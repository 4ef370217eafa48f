import AuthCore
import CAMARAAPI
import FirebaseAPI
import IPificationAPI
import MIRACLAPI
import MobileConnectAPI
import ModemAPI
import Testing
import TruIDAPI
import Varlink

@Suite("Types that all flows share")
struct FlowTypesTests {
  @Test("Step, Hop and Outcome are one type in Swift, whichever interface of a flow names them")
  func same() {
    let steps: [Any.Type] = [
      TruIDInterface.Step.self, IPificationInterface.Step.self, MobileConnectInterface.Step.self,
      NumberVerificationInterface.Step.self, SIMSwapInterface.Step.self, PhoneSignInInterface.Step.self,
      MIRACLInterface.Step.self,
    ]
    let hops: [Any.Type] = [
      TruIDInterface.Hop.self, IPificationInterface.Hop.self, MobileConnectInterface.Hop.self,
      NumberVerificationInterface.Hop.self, SIMSwapInterface.Hop.self, PhoneSignInInterface.Hop.self,
      MIRACLInterface.Hop.self,
    ]
    let outcomes: [Any.Type] = [
      TruIDInterface.Outcome.self, IPificationInterface.Outcome.self, MobileConnectInterface.Outcome.self,
      NumberVerificationInterface.Outcome.self, SIMSwapInterface.Outcome.self, PhoneSignInInterface.Outcome.self,
      MIRACLInterface.Outcome.self,
    ]
    #expect(steps.allSatisfy { $0 == VerifyInterface.Step.self })
    #expect(hops.allSatisfy { $0 == VerifyInterface.Hop.self })
    #expect(outcomes.allSatisfy { $0 == VerifyInterface.Outcome.self })
  }

  @Test("Every word of an outcome stands in the interfaces, and no other")
  func words() {
    #expect(VerifyInterface.Outcome.Result.known.map(\.rawValue) == FlowResult.allCases.map(\.rawValue))
    #expect(VerifyInterface.Outcome.Number.known.map(\.rawValue) == NumberVerdict.allCases.map(\.rawValue))
    #expect(VerifyInterface.Outcome.Sim.known.map(\.rawValue) == SIMChange.allCases.map(\.rawValue))
    #expect(VerifyInterface.Step.Lane.known.map(\.rawValue) == FlowStep.Lane.allCases.map(\.rawValue))
  }
}
