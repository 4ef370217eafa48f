import NetworkAddress

/// Which number uses which bearer address: how an operator knows its subscriber without asking.
package struct SubscriberDirectory: Hashable, Sendable {
  private let numbers: [IPAddress: String]

  /// - Parameter numbers: E.164 numbers by the address of their bearer.
  package init(_ numbers: [IPAddress: String]) { self.numbers = numbers }

  /// The subscriber behind a source address; nil for an address that is no bearer of this operator.
  package func number(at address: IPAddress) -> String? { numbers[address] }
}
