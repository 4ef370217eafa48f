import MobileConnectAPI
import ModemAPI
import MobileConnectFlows
import Testing

/// Words of a parameter that modemd takes over by their spelling: one that the flows lack would be
/// left out of the request without a word.
@Suite struct MobileConnectWordTests {
  @Test func `every word of the interface is one of the flows`() {
    #expect(
      MobileConnectInterface.Prompt.allCases.map(\.rawValue) == MobileConnectRequest.Prompt.allCases.map(\.rawValue))
    #expect(
      MobileConnectInterface.Request.Display.allCases.map(\.rawValue)
        == MobileConnectRequest.Display.allCases.map(\.rawValue))
  }
}
