import AuthCore
import ModemModel

/// A caller's selection of the operator; missing values are the SIM's.
public struct OperatorQuery: Hashable, Sendable {
  public var way: MobileConnectDiscovery.Way?
  public var number: SubscriberNumber?
  public var network: PLMN?
  /// A person's choice on the discovery service's page.
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
  /// With `interactionRequired`: the page where a person must answer.
  public var page: Secret?

  public init() {}
}

/// An authorization code for an application's own backend. It works once, and soon expires.
public struct MobileConnectCode: Hashable, Sendable {
  public var code: Secret
  public var state: Secret
  /// For the ID token to repeat.
  public var nonce: Secret
  /// The complete redirect URI with its parameters.
  public var redirect: Secret
  public var version: MobileConnectVersion
}
