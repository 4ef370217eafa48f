import ModemModel

/// What is told of a configured provider.
package struct ProviderDescription: Hashable, Sendable {
  package let name: String
  package let kind: String
  /// MCCs, or MCCs with MNC, in order; nil for all networks.
  package let networks: [String]?
  package let abilities: [ProviderAbility]
}

/// A provider, as far as it can be checked at no cost.
package struct CheckableProvider: Sendable {
  package let name: String
  package let kind: String
  /// MCCs, or MCCs with MNC, in order; nil for all networks.
  package let networks: [String]?
  /// Whether it is meant for SIMs of the network that was asked about.
  package let isMeant: Bool
  package let credentials: CredentialCheck
  /// Knows whether the SIM's operator is served; nil if it verifies no numbers.
  package let verifier: (any NumberVerifier)?
  /// Why it can do nothing with any SIM, in one sentence; nil if nothing is known against it.
  package let obstacle: String?
}
