/// How a card says that a command went: SW1 and SW2 (ETSI TS 102 221, 10.2.1). They tell nothing
/// about the subscriber.
package struct StatusWords: Hashable, Sendable, CustomStringConvertible {
  package let first: UInt8
  package let second: UInt8

  package init(_ first: UInt8, _ second: UInt8) {
    self.first = first
    self.second = second
  }

  /// Normal ending. 91 adds that the card has a proactive command.
  package var isDone: Bool { first == 0x90 && second == 0 || first == 0x91 }

  /// Four hexadecimal digits, as in `9862`.
  package var description: String {
    [first, second].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined().uppercased()
  }
}
