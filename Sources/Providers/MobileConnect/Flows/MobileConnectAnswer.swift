import AuthCore
import JSONTree
import ModemModel

/// A caller's selection of the operator; missing values are the SIM's.
package struct OperatorQuery: Hashable, Sendable {
  package var way: MobileConnectDiscovery.Way?
  package var number: SubscriberNumber?
  package var network: PLMN?
  /// A person's choice on the discovery service's page.
  package var selection: OperatorSelection?

  package init(
    way: MobileConnectDiscovery.Way? = nil, number: SubscriberNumber? = nil, network: PLMN? = nil,
    selection: OperatorSelection? = nil
  ) {
    self.way = way
    self.number = number
    self.network = network
    self.selection = selection
  }
}

/// What a Mobile Connect flow produced along the way, however it ended.
package struct MobileConnectAnswer: Sendable {
  package var discovered: MobileConnectDiscovered?
  /// With `authorized` of `authorize`.
  package var code: MobileConnectCode?
  package var tokens: MobileConnectTokens?
  package var information: MobileConnectInformation?
  /// With `interactionRequired`: the page where a person must answer.
  package var page: Secret?
  /// With `signedIn` of an app's server: what it answered, such as its session.
  package var serverAnswer: JSONValue?

  package init() {}
}

/// An authorization code for an application's own backend. It works once, and soon expires.
package struct MobileConnectCode: Hashable, Sendable {
  package var code: Secret
  package var state: Secret
  /// For the ID token to repeat.
  package var nonce: Secret
  /// The complete redirect URI with its parameters.
  package var redirect: Secret
  package var version: MobileConnectVersion
}
