import ModemModel
import NetworkAddress

/// Whom the simulated operators know: by number, and by the address of their bearer.
package struct SimulatedSubscribers: Sendable {
  /// One number and what its operator knows of it.
  package struct Subscriber: Hashable, Sendable {
    /// E.164, with `+`.
    package var number: String
    /// The operator whose subscriber it is.
    package var network: PLMN
    /// Minutes between the last change of SIM and the start of the world; nil when the operator does not know.
    package var simChangedMinutesAgo: Int?

    package init(number: String, network: PLMN, simChangedMinutesAgo: Int? = nil) {
      self.number = number
      self.network = network
      self.simChangedMinutesAgo = simChangedMinutesAgo
    }
  }

  /// Which number uses which bearer address.
  package let directory: SubscriberDirectory
  private let bearers: Set<IPAddress>
  private let subscribers: [String: Subscriber]
  private let start: Timestamp
  /// What was said of a number's SIM since the start: minutes as `simChangedMinutesAgo` has them, or `unknown`; nil for nothing.
  package var wordOfChange: @Sendable (_ number: String) -> String? = { _ in nil }

  /// - Parameters:
  ///   - subscribers: also those that no modem has.
  ///   - numbers: E.164 numbers by the address of their bearer.
  ///   - bearers: addresses of bearers whose SIM has no number.
  ///   - start: the time from which minutes are counted back.
  package init(
    _ subscribers: [Subscriber], numbers: [IPAddress: String], bearers: Set<IPAddress> = [], start: Timestamp
  ) {
    self.subscribers = Dictionary(subscribers.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    directory = SubscriberDirectory(numbers)
    self.bearers = bearers.union(numbers.keys)
    self.start = start
  }

  /// The subscriber behind a source address; nil for an address that is no bearer, and for a SIM without a number.
  package func subscriber(at address: IPAddress) -> Subscriber? { directory.number(at: address).flatMap(subscriber) }

  /// The subscriber with a number; nil for a number that no operator here has given out.
  ///
  /// - Parameter number: E.164, with or without `+`.
  package func subscriber(_ number: String) -> Subscriber? {
    subscribers[number.hasPrefix("+") ? number : "+\(number)"]
  }

  /// Whether an address is a bearer's at all: no other address is a mobile one.
  package func isBearer(_ address: IPAddress) -> Bool { bearers.contains(address) }

  /// When the SIM of a subscriber was changed last; nil when the operator does not know.
  package func simChange(of subscriber: Subscriber) -> Timestamp? {
    let minutes: Int? = wordOfChange(subscriber.number).map { Int($0) } ?? subscriber.simChangedMinutesAgo
    return minutes.map { Timestamp(milliseconds: start.milliseconds - Int64($0) * 60_000) }
  }
}

/// Which number uses which bearer address: how an operator knows its subscriber without asking.
package struct SubscriberDirectory: Hashable, Sendable {
  private let numbers: [IPAddress: String]

  /// - Parameter numbers: E.164 numbers by the address of their bearer.
  package init(_ numbers: [IPAddress: String]) { self.numbers = numbers }

  /// The subscriber behind a source address; nil for an address that is no bearer of this operator.
  package func number(at address: IPAddress) -> String? { numbers[address] }
}
