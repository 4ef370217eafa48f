import ModemAPI
import Testing

@testable import ModemctlCore

@Suite("What people see of a flow while it runs")
struct FlowScreenTests {
  private static func step(
    _ index: Int, _ name: String, host: String? = "api.example", lane: VerifyInterface.Step.Lane = .host,
    failure: String? = nil
  ) -> VerifyInterface.Step {
    .init(
      index: index, name: name, lane: lane, host: host, status: host == nil ? nil : 200, start: Double(index * 100),
      milliseconds: 50, failure: failure)
  }

  private static func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

  @Test("Polls are one row with their count, from the first one's start to the last one's end")
  func polls() {
    var screen = FlowScreen(Paint(isOn: false))
    var text = screen.show(Self.step(1, "createCheck"))
    for index in 0..<4 {
      text += screen.show(Self.step(2 + index * 2, "getResult"))
      text += screen.show(Self.step(3 + index * 2, "waitForResult", host: nil))
    }
    text += screen.show(Self.step(10, "getResult"))
    text += screen.rest()
    let rows = Self.lines(text)
    #expect(rows.count == 3 && rows[0].hasPrefix("STEP "))
    #expect(rows[1].contains("createCheck ") && !rows[1].contains("×"))
    #expect(rows[2].hasPrefix("  10  getResult ×5 ") && rows[2].hasSuffix("    200.0     850.0"), "\(text)")
  }

  @Test("Calls that are not alike, and a pause before another one, stay rows of their own")
  func others() {
    var screen = FlowScreen(Paint(isOn: false))
    var text = ""
    for step in [
      Self.step(1, "getToken"), Self.step(2, "getToken"), Self.step(3, "waitBeforeRetry", host: nil),
      Self.step(4, "authorize", lane: .bearer), Self.step(5, "getResult"), Self.step(6, "getResult", host: "b.example"),
    ] { text += screen.show(step) }
    text += screen.rest()
    #expect(Self.lines(text).count == 7 && !text.contains("×"), "\(text)")
  }

  @Test("Nothing is above an error, and no sentence is told twice")
  func failures() {
    var screen = FlowScreen(Paint(isOn: false))
    #expect(screen.rest(before: "no provider") == "" && screen.isEmpty)
    let sentence = "api.example does not answer; try again"
    let row = screen.show(Self.step(1, "createCheck", failure: sentence))
    #expect(Self.lines(row).count == 2 && !row.contains(sentence))
    #expect(screen.rest(before: "\(sentence) (providerUnavailable)") == "")
    // A failure that is not the end is told.
    _ = screen.show(Self.step(2, "readCode", lane: .modem, failure: "no messages"))
    #expect(screen.rest(before: "the code was wrong") == "      no messages\n")
  }
}
