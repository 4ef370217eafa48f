import AuthCore
import ModemModel

/// Whose operator is meant, as a caller says it; what is left out is of the SIM.
public struct OperatorQuery: Hashable, Sendable {
  public var way: MobileConnectDiscovery.Way?
  public var number: SubscriberNumber?
  public var network: PLMN?
  /// What a person chose on the discovery service's page.
  public var selection: OperatorSelection?

  public init(
    way: MobileConnectDiscovery.Way? = nil, number: SubscriberNumber? = nil, network: PLMN? = nil,
    selection: OperatorSelection? = nil
  ) {
    self.way = way
    self.number = number
    self.network = network
    self.selection = selection
  }
}

/// What a flow of Mobile Connect gave on its way, whatever its end.
public struct MobileConnectAnswer: Sendable {
  public var discovered: MobileConnectDiscovered?
  /// With `authorized` of `authorize`.
  public var code: MobileConnectCode?
  public var tokens: MobileConnectTokens?
  public var information: MobileConnectInformation?
  /// With `interactionRequired`: where a person has to answer.
  public var page: Secret?

  public init() {}
}

/// An authorization code, for an application's own backend. It is used once, and soon too old.
public struct MobileConnectCode: Hashable, Sendable {
  public var code: Secret
  public var state: Secret
  /// For the ID token to repeat.
  public var nonce: Secret
  /// The whole redirect URI with its parameters.
  public var redirect: Secret
  public var version: MobileConnectVersion
}
