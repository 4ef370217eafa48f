import AuthCore
import ModemModel
import NetworkAddress

/// Whose operator to find, and how.
public struct DiscoveryQuestion: Hashable, Sendable {
  /// Nil for the configured ways, in their order.
  public var way: MobileConnectDiscovery.Way?
  /// The SIM's, or a given one.
  public var number: SubscriberNumber?
  /// The SIM's, or a given one.
  public var network: PLMN?
  /// A person's choice, which replaces all ways.
  public var selection: OperatorSelection?
  /// The bearer's own, if it is known.
  public var address: IPAddress?
  /// Connects the answer to the request; a UUID.
  public var correlationID: String

  public init(
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
public struct MobileConnectDiscovered: Hashable, Sendable {
  public var found: MobileConnectOperator?
  /// The number, encrypted for the operator: a login hint (`ENCR_MSISDN`).
  public var subscriberID: Secret?
  public var subscriberIDToken: Secret?
  /// The way that led to it; nil for a configured operator.
  public var way: MobileConnectDiscovery.Way?
  /// The page on which a person selects the operator, with `interactionRequired`.
  public var page: Secret?
  /// Until when the answer is valid, in milliseconds since 1970, as the service gives it.
  public var ttl: Int?
  /// Whether it was kept from an earlier call.
  public var isKept = false
  /// Whether it is out of date, and was used because the service could not be reached.
  public var isStale = false
  /// Whether the answer repeats the correlation id, which may be missing.
  public var isCorrelated = false

  public init() {}
}
