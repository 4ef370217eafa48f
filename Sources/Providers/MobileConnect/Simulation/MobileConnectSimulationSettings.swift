import OperatorSimulator

/// What a scenario says of the simulated Mobile Connect: an exchange, one operator, and an app's
/// own server.
package struct MobileConnectSimulationSettings: Hashable, Sendable {
  /// Names of the hosts, in lower case.
  package struct Hosts: Hashable, Sendable {
    /// Discovery.
    package var exchange: String
    /// The operator's OpenID provider.
    package var `operator`: String
    /// The operator's host in clear, which knows a subscriber by the address.
    package var enrichment: String
    /// The app's own server.
    package var app: String

    package init(exchange: String, operator: String, enrichment: String, app: String) {
      self.exchange = exchange
      self.operator = `operator`
      self.enrichment = enrichment
      self.app = app
    }
  }

  /// The app's own server, which a Mobile Connect button asks.
  package struct AppServer: Hashable, Sendable {
    /// The operator's id of the application that it is.
    package var application: String
    package var scope = "openid mc_authn"
    package var version = "mc_di_r2_v2.3"
    /// Whether it passes the address of its request to the exchange if the app names none.
    package var passesAddress = true
    /// Whether it accepts a callback only with the cookie of the browser that began.
    package var needsCookie = false

    package init(application: String) { self.application = application }
  }

  package var hosts: Hosts
  /// MCC with MNC of the networks that lead to the operator; the exchange supports no other.
  package var networks: Set<String> = ["26201"]
  package var applications: [SimulatedMobileConnectApplication] = []
  /// `mc_version` of the operator's metadata, in this order.
  package var versions = ["mc_v1.1", "mc_v1.2", "mc_v2.0", "mc_di_r2_v2.3", "mc_di_v3.0"]
  /// Seconds for which a discovery result is valid.
  package var life = 86_400
  /// Nil for none.
  package var appServer: AppServer?

  package init(hosts: Hosts) { self.hosts = hosts }

  func application(_ id: String?) -> SimulatedMobileConnectApplication? { applications.first { $0.id == id } }
}
