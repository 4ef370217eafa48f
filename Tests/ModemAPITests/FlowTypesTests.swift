import AuthCore
import ModemAPI
import Testing
import Varlink

@Suite("Types that all flows share")
struct FlowTypesTests {
  static let flows: [any VarlinkInterface.Type] = [
    VerifyInterface.self,
    TruIDInterface.self,
    IPificationInterface.self,
    MobileConnectInterface.self,
    NumberVerificationInterface.self,
    SIMSwapInterface.self,
    PhoneSignInInterface.self,
    MIRACLInterface.self,
  ]

  /// The text of a type's declaration.
  static func declaration(_ type: String, in text: String) -> String? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(of: "type \(type) ("), let end = lines[start...].firstIndex(of: ")") else {
      return nil
    }
    return lines[start...end].joined(separator: "\n")
  }

  @Test("Step, Hop and Outcome are the same in every interface of a flow", arguments: ["Step", "Hop", "Outcome"])
  func same(type: String) throws {
    let first = try #require(Self.declaration(type, in: VerifyInterface.text))
    for flow in Self.flows { #expect(Self.declaration(type, in: flow.text) == first, "\(flow.name)") }
  }

  @Test("Every word of an outcome stands in the interfaces, and no other")
  func words() {
    #expect(VerifyInterface.Outcome.Result.allCases.map(\.rawValue) == FlowResult.allCases.map(\.rawValue))
    #expect(VerifyInterface.Outcome.Number.allCases.map(\.rawValue) == NumberVerdict.allCases.map(\.rawValue))
    #expect(VerifyInterface.Outcome.Sim.allCases.map(\.rawValue) == SIMChange.allCases.map(\.rawValue))
    #expect(VerifyInterface.Step.Lane.allCases.map(\.rawValue) == FlowStep.Lane.allCases.map(\.rawValue))
  }
}
