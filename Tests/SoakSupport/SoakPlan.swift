import ModemModel
import ModemSimulator

/// What a soak does, and in which order: the same for the same seed.
package struct SoakPlan: Sendable {
  /// Bearers that come up and go down again.
  package var cycles: Int
  /// Questions to the modem about itself, its SIM, its registration and its bearer, without those that change something.
  package var queries: Int
  package var seed: UInt64
  /// Of a thousand cycles so many meet a fault.
  package var faultsPerThousand: Int

  package init(cycles: Int = 10_000, queries: Int = 100_000, seed: UInt64 = 1, faultsPerThousand: Int = 20) {
    self.cycles = cycles
    self.queries = queries
    self.seed = seed
    self.faultsPerThousand = faultsPerThousand
  }

  /// After this many cycles everything that is made once is there: the end is compared with it.
  package var warmUp: Int { min(100, max(cycles / 2, 1)) }

  /// How many queries should have been asked after a number of cycles.
  func queries(after cycle: Int) -> Int { queries * cycle / max(cycles, 1) }
}

/// The faults of a soak, one for some of its cycles.
struct SoakFaults: Sendable {
  private var random: SplitMix64
  private let plan: SoakPlan

  init(_ plan: SoakPlan) {
    self.plan = plan
    random = SplitMix64(state: plan.seed)
  }

  /// What goes wrong in the next cycle; nil when nothing does.
  mutating func next() -> SimulatedFault? {
    guard Int.random(in: 0..<1000, using: &random) < plan.faultsPerThousand else { return nil }
    let operation = Self.operations.randomElement(using: &random)!
    let action = Self.actions.randomElement(using: &random)!
    return SimulatedFault(on: operation, action, times: 1, skip: Int.random(in: 0...2, using: &random))
  }

  static let operations: [ModemOperation] = [
    .deviceCaps, .subscriber, .homeNetwork, .registration, .signal, .packetService, .connect, .disconnect,
    .connectionStatus, .ipConfiguration, .clientIDs, .dataFormat, .subscribe, .open,
  ]

  /// All but a return under another name: that is another process.
  static let actions: [SimulatedFault.Action] = [
    .refuse(cause: 33), .fail, .answer(status: 23), .delay(.milliseconds(50)), .swallow, .lose, .double,
    .overtake(atMost: .milliseconds(50)), .mismatch(.transaction), .mismatch(.command), .mismatch(.recipient), .cut,
    .noise, .storm(.signal, count: 500), .storm(.registration, count: 500), .storm(.sim, count: 500), .hangUp,
    .hangUpAfter, .restart, .replug(after: .milliseconds(50), elsewhere: false),
  ]
}

/// A generator of numbers that has a seed (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
struct SplitMix64: RandomNumberGenerator, Sendable {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
    return z ^ z >> 31
  }
}
