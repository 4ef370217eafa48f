import ModemModel
import RedirectChain
import Web

/// What is configured of one provider, as its flows use it.
public protocol ProviderConfiguration: Sendable {
  /// The word for this kind of provider in configuration files and calls, as in `truID`.
  static var kind: String { get }
  /// Other than nil where this provider can say whether a number is the SIM's.
  func numberVerifier(named name: String) -> (any NumberVerifier)?
  /// Other than nil where this provider can tell whether a number moved to another SIM.
  func simChangeChecker(named name: String) -> (any SIMChangeChecker)?
  /// Hosts that the configuration says are spoken to in clear, as an emulator is; no other backend may be.
  var cleartextHosts: Set<String> { get }
  /// Every URL that the configuration names and that is called: these alone may be on this machine or its network.
  var configuredURLs: [WebURL] { get }
  /// Domains that the configuration names for URLs that answers give.
  var configuredDomains: Set<String> { get }
}

extension ProviderConfiguration {
  public func numberVerifier(named name: String) -> (any NumberVerifier)? { nil }
  public func simChangeChecker(named name: String) -> (any SIMChangeChecker)? { nil }
  public var cleartextHosts: Set<String> { [] }
  public var configuredDomains: Set<String> { [] }
}

/// A configured provider: its name, the networks that it is for, and its settings, which may differ by network.
public struct NamedProvider<Settings: ProviderConfiguration>: Sendable {
  public let name: String
  /// MCCs, or MCCs with MNC, as in `262` and `26201`; nil for all networks.
  public let networks: Set<String>?
  /// Where the network has none of its own.
  public let settings: Settings
  /// By MCC, or MCC with MNC.
  public let overrides: [String: Settings]

  public init(
    name: String, networks: Set<String>? = nil, settings: Settings, overrides: [String: Settings] = [:]
  ) {
    self.name = name
    self.networks = networks
    self.settings = settings
    self.overrides = overrides
  }

  /// The settings for a SIM of a network: those of the MCC with MNC, else of the MCC, else the general ones.
  public func settings(for home: PLMN?) -> Settings {
    guard let home else { return settings }
    return overrides[home.description] ?? overrides[home.mcc] ?? settings
  }

  /// Whether the provider is meant for SIMs of a network. One whose network is not known is served by providers for all networks.
  public func isMeant(for home: PLMN?) -> Bool {
    guard let networks else { return true }
    guard let home else { return false }
    return networks.contains(home.description) || networks.contains(home.mcc)
  }
}
