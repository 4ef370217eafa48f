import AuthCore
import RedirectChain

/// Which providers are asked whether a number is the SIM's, in which order, and what each outcome
/// leads to: decisions only.
package struct VerifyOrder: Hashable, Sendable {
  /// What is looked at of a provider.
  package struct Candidate: Hashable, Sendable {
    package var needsBearer: Bool
    /// Whether its file names networks, among them the SIM's.
    package var namesNetworks: Bool

    package init(needsBearer: Bool, namesNetworks: Bool = false) {
      self.needsBearer = needsBearer
      self.namesNetworks = namesNetworks
    }
  }

  /// What follows a provider's outcome.
  package enum Turn: Hashable, Sendable {
    /// It is the result: no other provider is asked.
    case over
    /// Another provider might serve the SIM.
    case next
    /// There is no bearer: another provider that needs none might serve the SIM.
    case nextWithoutBearer
  }

  /// Positions in the list of candidates: each is asked at most once.
  package let positions: [Int]

  /// - Parameters:
  ///   - candidates: as they are configured.
  ///   - obstacle: what is known against a bearer; nil if nothing is.
  package init(_ candidates: [Candidate], by route: VerifyRoute, without obstacle: ChainFailure.Cause? = nil) {
    let all = Array(candidates.indices)
    // Those that name the SIM's network know it better than those for all.
    let known = all.filter { candidates[$0].namesNetworks } + all.filter { !candidates[$0].namesNetworks }
    let (bearer, network) = (
      known.filter { candidates[$0].needsBearer }, known.filter { !candidates[$0].needsBearer }
    )
    positions =
      switch route {
      case .bearer: bearer
      case .network: network
      // A bearer may come after all: its providers are asked last, and tell what is missing.
      case .any where obstacle.map(Self.isAboutBearerAlone) ?? false: network + bearer
      case .any:
        known.filter { candidates[$0].namesNetworks && candidates[$0].needsBearer }
          + known.filter { candidates[$0].namesNetworks && !candidates[$0].needsBearer }
          + known.filter { !candidates[$0].namesNetworks && candidates[$0].needsBearer }
          + known.filter { !candidates[$0].namesNetworks && !candidates[$0].needsBearer }
      }
  }

  /// What follows an outcome.
  ///
  /// - Parameter needsBearer: whether the provider that gave it does.
  package static func turn(after outcome: FlowOutcome, needsBearer: Bool) -> Turn {
    switch outcome.result {
    case .operatorUnsupported, .operatorMismatch, .subscriberUnknown, .headerMissing, .notConfigured, .clientRefused:
      .next
    case .noDataPath where needsBearer: outcome.cause.map(isAboutBearerAlone) ?? false ? .nextWithoutBearer : .over
    case .noSIMAnswer where !needsBearer: .next
    // The port's limit of questions to the SIM, which leaves the bearer as it is.
    case .rateLimited where !needsBearer && outcome.code == SIMFailure.Kind.tooMany.rawValue: .next
    default: .over
    }
  }

  /// Whether a SIM without this bearer can still answer its operator.
  private static func isAboutBearerAlone(_ cause: ChainFailure.Cause) -> Bool {
    switch cause {
    case .notRegistered, .bearerRefused, .noAddress, .modemFailed, .bearerLost: true
    default: false
    }
  }
}
