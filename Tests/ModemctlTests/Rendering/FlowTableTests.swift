import MobileConnectAPI
import ModemAPI
import Testing

@testable import ModemctlCore

@Suite("The table of a flow")
struct FlowTableTests {
  @Test(
    "Columns stay where they are, however long the name is that a hop leads to",
    arguments: [nil, "a.example", "abcdefghijklmnopqrstuv.xyz", "mobileconnect.operator.example"])
  func columns(next: String?) throws {
    var table = FlowTable()
    let paint = Paint(isOn: false)
    let header = table.header(paint)
    let line = table.line(
      MobileConnectInterface.Hop(
        step: 1, index: 2, scheme: .https, host: "first.example", status: 302, next: next, start: 1, milliseconds: 2),
      paint)
    let column = try #require(header.firstRange(of: "BY")).lowerBound.utf16Offset(in: header)
    #expect(line.firstRange(of: "https")?.lowerBound.utf16Offset(in: line) == column, "\(header)\(line)")
    #expect(line.contains(next.map { "→ \($0.prefix(25))" } ?? "answer"))
  }
}
