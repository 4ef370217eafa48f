import ModemModel
import NetworkAddress

/// The subscribers of the simulated operators, by number, and by the address of their bearer.
package struct SimulatedSubscribers: Sendable {
  /// One number and the operator's data about it.
  package struct Subscriber: Hashable, Sendable {
    /// E.164, with `+`.
    package var number: String
    /// The operator whose subscriber it is.
    package var network: PLMN
    /// Minutes between the last change of SIM and the start of the world; nil when the operator
    /// does not know.
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
  private let subscriptions: [String: SIMSubscription]
  private let start: Timestamp
  /// The last change of a number's SIM since the start: minutes as in `simChangedMinutesAgo`, or
  /// `unknown`; nil for none.
  package var wordOfChange: @Sendable (_ number: String) -> String? = { _ in nil }

  /// - Parameters:
  ///   - subscribers: also those that no modem has.
  ///   - numbers: E.164 numbers by the address of their bearer.
  ///   - bearers: addresses of bearers whose SIM has no number.
  ///   - subscriptions: what the operator shares with the SIMs of the world, each with its IMSI.
  ///   - start: the time from which minutes are counted back.
  package init(
    _ subscribers: [Subscriber], numbers: [IPAddress: String], bearers: Set<IPAddress> = [],
    subscriptions: [SIMSubscription] = [], start: Timestamp
  ) {
    self.subscriptions = Dictionary(subscriptions.map { ($0.imsi, $0) }, uniquingKeysWith: { first, _ in first })
    self.subscribers = Dictionary(subscribers.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    directory = SubscriberDirectory(numbers)
    self.bearers = bearers.union(numbers.keys)
    self.start = start
  }

  /// The subscriber behind a source address; nil for an address that is no bearer, and for a SIM
  /// without a number.
  package func subscriber(at address: IPAddress) -> Subscriber? { directory.number(at: address).flatMap(subscriber) }

  /// The subscriber with a number; nil for a number that no operator here has given out.
  ///
  /// - Parameter number: E.164, with or without `+`.
  package func subscriber(_ number: String) -> Subscriber? {
    subscribers[number.hasPrefix("+") ? number : "+\(number)"]
  }

  /// What the operator shares with the SIM of an IMSI; nil for a SIM that is not in the world.
  package func subscription(imsi: String) -> SIMSubscription? { subscriptions[imsi] }

  /// Whether an address belongs to a bearer: no other address is mobile.
  package func isBearer(_ address: IPAddress) -> Bool { bearers.contains(address) }

  /// When the SIM of a subscriber was changed last; nil when the operator does not know.
  package func simChange(of subscriber: Subscriber) -> Timestamp? {
    let minutes: Int? = wordOfChange(subscriber.number).map { Int($0) } ?? subscriber.simChangedMinutesAgo
    return minutes.map { Timestamp(milliseconds: start.milliseconds - Int64($0) * 60_000) }
  }
}

/// Which number uses which bearer address: how an operator recognises its subscriber without
/// asking.
package struct SubscriberDirectory: Hashable, Sendable {
  private let numbers: [IPAddress: String]

  /// - Parameter numbers: E.164 numbers by the address of their bearer.
  package init(_ numbers: [IPAddress: String]) { self.numbers = numbers }

  /// The subscriber behind a source address; nil for an address that is no bearer of this operator.
  package func number(at address: IPAddress) -> String? { numbers[address] }
}
