import AuthCore
import ModemModel
import NetworkAddress

/// Whose operator to find, and how.
package struct DiscoveryQuestion: Hashable, Sendable {
  /// Nil for the configured ways, in their order.
  package var way: MobileConnectDiscovery.Way?
  /// The SIM's, or a given one.
  package var number: SubscriberNumber?
  /// The SIM's, or a given one.
  package var network: PLMN?
  /// A person's choice, which replaces all ways.
  package var selection: OperatorSelection?
  /// The bearer's own, if it is known.
  package var address: IPAddress?
  /// Connects the answer to the request; a UUID.
  package var correlationID: String

  package init(
    way: MobileConnectDiscovery.Way? = nil, number: SubscriberNumber? = nil, network: PLMN? = nil,
    selection: OperatorSelection? = nil, address: IPAddress? = nil, correlationID: String
  ) {
    self.way = way
    self.number = number
    self.network = network
    self.selection = selection
    self.address = address
    self.correlationID = correlationID
  }
}

/// What discovery found.
package struct MobileConnectDiscovered: Hashable, Sendable {
  package var found: MobileConnectOperator?
  /// The number, encrypted for the operator: a login hint (`ENCR_MSISDN`).
  package var subscriberID: Secret?
  package var subscriberIDToken: Secret?
  /// The way that led to it; nil for a configured operator.
  package var way: MobileConnectDiscovery.Way?
  /// The page on which a person selects the operator, with `interactionRequired`.
  package var page: Secret?
  /// Until when the answer is valid, in milliseconds since 1970, as the service gives it.
  package var ttl: Int?
  /// Whether it was kept from an earlier call.
  package var isKept = false
  /// Whether it is out of date, and was used because the service could not be reached.
  package var isStale = false
  /// Whether the answer repeats the correlation id, which may be missing.
  package var isCorrelated = false

  package init() {}
}
