import AuthCore
import ModemModel
import NetworkAddress

/// Whose operator is looked for, and how.
public struct DiscoveryQuestion: Hashable, Sendable {
  /// Nil for the configured ways, in their order.
  public var way: MobileConnectDiscovery.Way?
  /// Of the SIM, or one that is given.
  public var number: SubscriberNumber?
  /// Of the SIM, or one that is given.
  public var network: PLMN?
  /// What a person chose; it counts in place of all ways.
  public var selection: OperatorSelection?
  /// The bearer's own, as far as it is known.
  public var address: IPAddress?
  /// Ties the answer to the request; a UUID.
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
  /// The way that led to it; nil where the operator is configured.
  public var way: MobileConnectDiscovery.Way?
  /// The page on which a person selects the operator, with `interactionRequired`.
  public var page: Secret?
  /// Until when the answer is believed, in milliseconds since 1970, as the service says it.
  public var ttl: Int?
  /// Whether it is of an earlier call.
  public var isKept = false
  /// Whether it is too old, and was used because the service could not be asked.
  public var isStale = false
  /// Whether the answer repeats the correlation id. Absence is tolerated.
  public var isCorrelated = false

  public init() {}
}
