import ModemAPI
import Testing

@testable import ModemctlCommands
@testable import ModemctlCore

@Suite("The waterfall") struct WaterfallTests {
  static func hop(
    _ index: Int, start: Double?, host: String = "check.example", status: Int? = 302,
    _ times: CheckInterface.Times
  ) -> CheckInterface.Hop {
    CheckInterface.Hop(
      index: index, scheme: .https, host: host, port: 443, address: "203.0.113.1", reused: false, status: status,
      times: times, cookies: [], start: start)
  }

  private static var two: Waterfall {
    var waterfall = Waterfall()
    waterfall.add(hop(1, start: 0, .init(dns: 10, connect: 20, tls: 30, firstByte: 40, end: 50)))
    waterfall.add(hop(2, start: 50, host: "operator.example", status: 200, .init(firstByte: 40, end: 50)))
    return waterfall
  }

  @Test("Each hop is a bar at its time, cut into what it was spent on")
  func bars() {
    let lines = Self.two.lines(width: 70, Paint(isOn: false))
    #expect(
      lines == [
        " # STATUS SCHEME AND HOST          0                       100.0    ms",
        " 1 302    https://check.example    ░░░▒▒▒▓▓▓███▪▪                 50.0",
        " 2 200    https://operator.example               ████████████▪▪▪  50.0",
        "   ░ names  ▒ connection  ▓ TLS  █ waiting  ▪ body",
      ])
  }

  @Test("No line is longer than the screen, and every hop has a bar", arguments: [0, 20, 32, 40, 57, 80, 133, 500])
  func widths(width: Int) {
    var waterfall = Self.two
    let long = String(repeating: "very-long.", count: 20) + "example"
    waterfall.add(Self.hop(3, start: 100, host: long, .init(firstByte: 0.01, end: 0.02)))
    waterfall.add(Self.hop(4, start: 100, status: nil, .init(dns: 12_345.6)))
    waterfall.add(Self.hop(50, start: 12_345, .init(end: .infinity)))
    let lines = waterfall.lines(width: width, Paint(isOn: false))
    #expect(lines.allSatisfy { $0.count <= max(width, 32) }, "\(lines.map(\.count))")
    #expect(lines[1...4].allSatisfy { line in line.contains { "░▒▓█▪".contains($0) } })
  }

  @Test("A hop that nobody dated begins where the last one ended; without a hop there is a head and a legend")
  func undated() {
    var waterfall = Waterfall()
    #expect(waterfall.lines(width: 80, Paint(isOn: false)).count == 2)
    waterfall.add(Self.hop(1, start: nil, .init(end: 30)))
    waterfall.add(Self.hop(2, start: nil, .init(end: 20)))
    waterfall.add(Self.hop(3, start: -.infinity, .init(end: 20)))
    #expect(waterfall.end == 70)
  }

  @Test("Colours change nothing of what is drawn")
  func colours() {
    let coloured = Self.two.lines(width: 70, Paint(isOn: true)).joined(separator: "\n")
    #expect(coloured.contains("\u{1b}["))
    #expect(
      coloured.replacing(#/\e\[[0-9]*m/#, with: "")
        == Self.two.lines(width: 70, Paint(isOn: false)).joined(separator: "\n"))
  }

  @Test("Phases take up a hop's time without gap or overlap; what did not happen has none")
  func phases() {
    let phases = HopPhases(.init(dns: nil, connect: 5, tls: nil, firstByte: 5, end: 9))
    #expect(phases.duration(.connection) == 5 && phases.duration(.waiting) == nil && phases.duration(.body) == 4)
    #expect(phases.phase(at: 5) == .body && phases.phase(at: 9) == nil && phases.phase(at: -1) == nil)
    #expect(HopPhases(.init()).end == 0)
    #expect(HopPhases(.init(dns: .nan, connect: .infinity, end: 3)).end == 3)
  }
}
