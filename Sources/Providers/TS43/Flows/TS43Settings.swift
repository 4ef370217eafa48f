import AuthCore
import AuthFlows
import ModemModel
import Web

/// What is configured of an operator's entitlement server (GSMA TS.43).
package struct TS43Settings: ProviderConfiguration {
  package static let kind = "ts43"

  /// How requests carry their parameters (TS.43, 2.4).
  package enum Method: String, Hashable, Sendable, CaseIterable {
    /// In the query, as phones do: what every server knows.
    case get
    /// In a JSON body, which keeps them out of the server's log of URLs.
    case post
  }

  /// What the server is told in place of a phone's serial number (TS.43, 2.3). The server binds its
  /// tokens to it.
  package enum TerminalID: Hashable, Sendable {
    /// The modem's IMEI, which operators prefer.
    case imei
    /// A UUID that never changes, in text form.
    case uuid(String)
  }

  /// How a number is verified.
  package enum Verification: String, Hashable, Sendable, CaseIterable {
    /// `VerifyPhoneNumber`: the server says yes or no, and this machine does not learn the number.
    case operation
    /// `GetPhoneNumber`, for a server without the other: the number is read, compared and dropped.
    case number
  }

  /// The server; nil for the home network's own name,
  /// `aes.mnc….mcc….pub.3gppnetwork.org` (TS.43, 2.1).
  package var server: Endpoint?
  /// Realm of the SIM's identity; nil for the home network's own. Virtual operators may have
  /// others.
  package var realm: String?
  /// Versions of TS.43 that are offered, as in `12.0`, best first: the next one is tried after 406.
  /// Phones send 10.0 or 12.0; old servers know 8.0 and 2.0.
  package var versions = ["12.0", "10.0", "8.0", "2.0"]
  /// Name of the application, by which operators keep lists of their clients; nil for none. The
  /// server binds its tokens to it.
  package var appName: String?
  /// Version of the application; nil for none.
  package var appVersion: String?
  package var terminalID = TerminalID.imei
  /// At most 4 characters are sent.
  package var terminalVendor = "Lnx"
  /// At most 10 characters are sent.
  package var terminalModel = "modemd"
  /// At most 20 characters are sent.
  package var terminalSoftware = Product.version
  /// The User-Agent field; nil for the form of TS.43, 2.2.1, made of vendor, model and versions.
  package var userAgent: String?
  package var method = Method.get
  package var eap = EAPMethod.aka
  /// With `akaPrime`: the name of the access network that the server must bind its keys to; nil for
  /// any.
  package var networkName: String?
  /// Whether pseudonyms and fast re-authentication of EAP are used where the server offers them.
  /// The TOKEN makes logins without the SIM already, so it is off.
  package var reauthenticates = false
  /// Whether the SIM's Group Identifier Level 1 is sent, which some servers need for virtual
  /// operators.
  package var sendsGroupID = false
  package var verification = Verification.operation
  package var route = BackendRoute.host
  /// Where tokens of logins are kept.
  package var store: any EntitlementTokenStore = TransientTokenStore()

  package init() {}

  package var configuredURLs: [WebURL] { server.map { [$0.url] } ?? [] }

  package var otherAbilities: [ProviderAbility] { [.readNumber] }

  package func numberVerifier(named name: String) -> (any NumberVerifier)? {
    TS43Verifier(name: name, settings: self)
  }

  package func operatorTokenSource(named name: String) -> (any OperatorTokenSource)? {
    TS43TokenSource(name: name, settings: self)
  }

  package func credentialCheck(named name: String) -> CredentialCheck {
    .notNeeded("the SIM itself logs in; there are no credentials")
  }
}
