import ModemModel
import Testing

@Suite("The reference signal of a cell")
struct ReferenceSignalTests {
  @Test("Measurements are whole numbers within 3GPP's ranges; what is outside was not measured")
  func ranges() {
    let best = ReferenceSignal(rsrp: -31, rsrq: 20, sinr: 40)
    #expect(best.rsrp == -31 && best.rsrq == 20 && best.sinr == 40)
    let worst = ReferenceSignal(rsrp: -156, rsrq: -43, sinr: -23)
    #expect(worst.rsrp == -156 && worst.rsrq == -43 && worst.sinr == -23)
    #expect(ReferenceSignal(rsrp: -30, rsrq: 21, sinr: 41) == .none)
    #expect(ReferenceSignal(rsrp: -157, rsrq: -44, sinr: -24) == .none)
    let rounded = ReferenceSignal(rsrp: -98.6, rsrq: -10.5, sinr: 12.4)
    #expect(rounded.rsrp == -99 && rounded.rsrq == -11 && rounded.sinr == 12)
    for nothing in [Double.nan, .infinity, -.infinity, 1e300, -32768, .greatestFiniteMagnitude] {
      #expect(ReferenceSignal(rsrp: nothing, rsrq: nothing, sinr: nothing) == .none)
    }
  }

  static let former = Registration(
    state: .home, technology: .lte, rssi: -71, referenceSignal: ReferenceSignal(rsrp: -99, rsrq: -11, sinr: 13))

  /// What the modem measures next, and whether listeners hear of it.
  static let changes: [(signal: ReferenceSignal, isTold: Bool)] = [
    (ReferenceSignal(rsrp: -99, rsrq: -11, sinr: 13), false), (ReferenceSignal(rsrp: -101, rsrq: -12, sinr: 11), false),
    (ReferenceSignal(rsrp: -97, rsrq: -10, sinr: 15), false), (ReferenceSignal(rsrp: -102, rsrq: -11, sinr: 13), true),
    (ReferenceSignal(rsrp: -96, rsrq: -11, sinr: 13), true), (ReferenceSignal(rsrp: -99, rsrq: -13, sinr: 13), true),
    (ReferenceSignal(rsrp: -99, rsrq: -11, sinr: 10), true), (ReferenceSignal(rsrp: -99, sinr: 13), true),
    (.none, true),
  ]

  @Test("A change of a decibel or two alone is not told", arguments: changes.indices)
  func steadied(row: Int) {
    let (signal, isTold) = Self.changes[row]
    var next = Self.former
    next.referenceSignal = signal
    #expect(next.steadied(after: Self.former) == (isTold ? next : Self.former))
    // Together with something else, everything is told as it is.
    for change: (inout Registration) -> Void in [
      { $0.rssi = -73 }, { $0.state = .roaming }, { $0.technology = .nr }, { $0.serving = Network(PLMN("26201")!) },
    ] {
      var moved = next
      change(&moved)
      #expect(moved.steadied(after: Self.former) == moved)
    }
  }

  @Test("A slow change is told in steps: it is compared with what was told last")
  func drift() {
    var told = Self.former
    var count = 0
    for rsrp in stride(from: -99, through: -129, by: -1) {
      var next = told
      next.referenceSignal = ReferenceSignal(rsrp: Double(rsrp), rsrq: -11, sinr: 13)
      let steadied = next.steadied(after: told)
      if steadied != told { count += 1 }
      told = steadied
      #expect(abs(rsrp - (told.referenceSignal.rsrp ?? 0)) < 3)
    }
    #expect(count == 10)
  }
}
