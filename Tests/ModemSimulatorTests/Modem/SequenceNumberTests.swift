import Testing

@testable import ModemSimulator

@Suite("SQNs that a SIM accepts: 3GPP TS 33.102, C.2")
struct SequenceNumberTests {
  private typealias Home = SimulatedHome

  private func accepts(_ numbers: inout SequenceNumbers, _ sequence: UInt64) -> Bool {
    numbers.accept(Home.bytes(sequence))
  }

  @Test("what was used is not accepted, what follows is", arguments: [0, 1, 31, 32, 33, 0x1234_5678, (1 << 48) - 2])
  func start(_ last: UInt64) {
    var numbers = SequenceNumbers(upTo: Home.bytes(last))
    #expect(numbers.highest == Home.bytes(last))
    #expect(!accepts(&numbers, last))
    if last > 0 { #expect(!accepts(&numbers, last - 1)) }
    if last > 40 { #expect(!accepts(&numbers, last - 40)) }
    #expect(accepts(&numbers, last + 1))
    #expect(numbers.highest == Home.bytes(last + 1))
    #expect(!accepts(&numbers, last + 1))
  }

  @Test func `each place of the array has its own last SQN`() {
    var numbers = SequenceNumbers(upTo: Home.bytes(.seq(100)))
    #expect(accepts(&numbers, .seq(110, 3)))
    // Older than that, and new at its own place: a challenge that was overtaken.
    #expect(accepts(&numbers, .seq(105, 4)))
    #expect(!accepts(&numbers, .seq(105, 4)))
    #expect(!accepts(&numbers, .seq(110, 3)) && !accepts(&numbers, .seq(109, 3)))
    #expect(accepts(&numbers, .seq(111, 3)))
    #expect(numbers.highest == Home.bytes(.seq(111, 3)))
  }

  @Test func `SEQ may jump by 2 to the power of 28, and not by more`() {
    var numbers = SequenceNumbers(upTo: Home.bytes(.seq(7)))
    #expect(!accepts(&numbers, .seq(7 + (1 << 28) + 1)))
    #expect(numbers.highest == Home.bytes(.seq(7)))
    #expect(accepts(&numbers, .seq(7 + (1 << 28))))
  }

  @Test func `a SIM that moves ahead refuses what was next, also at the end of all numbers`() {
    var numbers = SequenceNumbers(upTo: Home.bytes(.seq(7, 2)))
    numbers.moveAhead()
    #expect(!accepts(&numbers, .seq(8, 3)))
    #expect(numbers.highest == Home.bytes(.seq(1_000_007, 2)))
    #expect(accepts(&numbers, .seq(1_000_008, 3)))
    var last = SequenceNumbers(upTo: Home.bytes((1 << 48) - 1))
    last.moveAhead()
    #expect(last.highest == Home.bytes((1 << 48) - 1))
    #expect(!accepts(&last, (1 << 48) - 1))
  }
}
