import AuthCore
import ModemModel
import RedirectChain
import Web

/// The configuration of one provider, for use in its flows.
package protocol ProviderConfiguration: Sendable {
  /// This provider kind's word in configuration files and calls, as in `truID`.
  static var kind: String { get }
  /// Not nil if this provider can determine whether a number is the SIM's.
  func numberVerifier(named name: String) -> (any NumberVerifier)?
  /// Not nil if this provider can determine whether a number moved to another SIM.
  func simChangeChecker(named name: String) -> (any SIMChangeChecker)?
  /// Not nil if this provider gets operator tokens that other providers may spend.
  func operatorTokenSource(named name: String) -> (any OperatorTokenSource)?
  /// The name of the provider whose operator tokens this one spends; nil if it spends none.
  var operatorTokensFrom: String? { get }
  /// The number verifier of a provider with `operatorTokensFrom`, in place of
  /// `numberVerifier(named:)`.
  ///
  /// - Parameter source: the provider that gets the tokens.
  func numberVerifier(named name: String, spending source: any OperatorTokenSource) -> (any NumberVerifier)?
  /// What this provider can do besides the two questions above.
  var otherAbilities: [ProviderAbility] { get }
  /// How the service is asked, at no cost, whether it accepts the credentials.
  func credentialCheck(named name: String) -> CredentialCheck
  /// Hosts that the configuration allows in cleartext, such as an emulator; no other backend may
  /// use it.
  var cleartextHosts: Set<String> { get }
  /// Every configured URL that is called: only these may be on this machine or its network.
  var configuredURLs: [WebURL] { get }
  /// URLs of an application's own server that is told of the trace of a call, as its file says.
  var tracedURLs: [WebURL] { get }
  /// Domains in the configuration for URLs from answers.
  var configuredDomains: Set<String> { get }
}

extension ProviderConfiguration {
  package func numberVerifier(named name: String) -> (any NumberVerifier)? { nil }
  package func simChangeChecker(named name: String) -> (any SIMChangeChecker)? { nil }
  package func operatorTokenSource(named name: String) -> (any OperatorTokenSource)? { nil }
  package var operatorTokensFrom: String? { nil }
  package func numberVerifier(named name: String, spending source: any OperatorTokenSource) -> (any NumberVerifier)? {
    nil
  }
  package var otherAbilities: [ProviderAbility] { [] }
  package func credentialCheck(named name: String) -> CredentialCheck {
    .notFree("there is no request that costs nothing and shows whether the credentials are accepted")
  }
  package var cleartextHosts: Set<String> { [] }
  package var tracedURLs: [WebURL] { [] }
  package var configuredDomains: Set<String> { [] }
}

/// What a provider can be asked for.
package enum ProviderAbility: String, Hashable, Sendable, CaseIterable {
  /// Whether a number is the SIM's.
  case verifyNumber
  /// Whether a number moved to another SIM.
  case simChange
  /// The number of the SIM.
  case readNumber
  /// Whether the provider serves the SIM's operator, before anything costs money.
  case coverage
  /// An account for the SIM's user or number.
  case signIn
  /// A signature by a user's PIN.
  case sign
  /// Whether a number has another subscriber.
  case numberRecycling
}

/// How a provider's service is asked whether it accepts the credentials.
package enum CredentialCheck: Sendable {
  /// A request that costs nothing. Its outcome is `authorized` if the service accepts them, and
  /// `clientRefused` if it does not.
  ///
  /// - subscriber: the SIM; nil without one.
  case ask(@Sendable (_ subscriber: Subscriber?, FlowRun) async throws -> FlowOutcome)
  /// There is no such request; why, in one sentence.
  case notFree(String)
  /// There are no credentials; why, in one sentence.
  case notNeeded(String)
}

/// A configured provider: its name, its networks, and its settings, which may differ by network.
package struct NamedProvider<Settings: ProviderConfiguration>: Sendable {
  package let name: String
  /// MCCs, or MCCs with MNC, as in `262` and `26201`; nil for all networks.
  package let networks: Set<String>?
  /// For networks without their own.
  package let settings: Settings
  /// By MCC, or MCC with MNC.
  package let overrides: [String: Settings]

  package init(
    name: String, networks: Set<String>? = nil, settings: Settings, overrides: [String: Settings] = [:]
  ) {
    self.name = name
    self.networks = networks
    self.settings = settings
    self.overrides = overrides
  }

  /// The settings for a SIM of a network: those of the MCC with MNC, else of the MCC, else the
  /// general ones.
  package func settings(for home: PLMN?) -> Settings {
    guard let home else { return settings }
    return overrides[home.description] ?? overrides[home.mcc] ?? settings
  }

  /// Whether the provider serves SIMs of a network. An unknown network is served by providers for
  /// all networks.
  package func isMeant(for home: PLMN?) -> Bool {
    guard let networks else { return true }
    guard let home else { return false }
    return networks.contains(home.description) || networks.contains(home.mcc)
  }
}
