import AuthCore

/// Which providers are asked whether a number is the SIM's. The words are those of files and calls.
package enum VerifyRoute: String, Hashable, Sendable, CaseIterable {
  /// All: those that the bearer can serve first, and without a bearer those that need none.
  case any
  /// Those that recognise the SIM by its bearer.
  case bearer
  /// Those that the SIM answers over any network. The bearer stays as it is.
  case network

  /// What is said of a provider that is not asked by this route.
  func refusal(of candidate: VerifyCandidate) -> String {
    candidate.verifier.needsBearer
      ? "\(candidate.title) needs the SIM's bearer" : "\(candidate.title) asks the SIM, and not its bearer"
  }
}

/// A configured provider that can determine whether a number is the SIM's.
package struct VerifyCandidate: Sendable {
  package let verifier: any NumberVerifier
  /// Whether its file names networks, among them the SIM's.
  package let namesNetworks: Bool

  package init(_ verifier: any NumberVerifier, namesNetworks: Bool) {
    self.verifier = verifier
    self.namesNetworks = namesNetworks
  }

  var title: String { "\(verifier.name) (\(verifier.kind))" }
}
