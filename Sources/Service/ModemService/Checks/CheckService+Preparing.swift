import ModemModel
import RedirectChain
import Web

extension CheckService {
  /// A name that was looked up ahead.
  package struct PreparedName: Hashable, Sendable {
    package let host: String
    package let isResolved: Bool

    package init(host: String, isResolved: Bool) {
      self.host = host
      self.isResolved = isResolved
    }
  }

  /// A bearer that is ready for a check.
  package struct Preparation: Sendable {
    package let modem: String
    package let source: String?
    package let names: [PreparedName]
    /// Connections that are ready for the check; nil if none are made ahead.
    package let connections: Int?
  }

  /// How long a preparation may wait for its turn.
  private static let preparationWait = Duration.seconds(60)

  /// Brings the bearer up, resolves names and makes connections ready ahead of an expected check.
  ///
  /// - Parameters:
  ///   - url: the URL to be opened; nil only brings up the bearer.
  ///   - learns: whether to also prepare the hosts of earlier chains from there; nil for the
  ///     configured value.
  /// - Throws: `ServiceError`, `ModemError`.
  package func prepare(
    _ url: WebURL?, learns: Bool?, modem: String?, caller: Caller
  ) async throws -> Preparation {
    let entry = try registry.find(modem)
    return try await bearers.withFlow(on: entry.link, for: caller, within: Self.preparationWait) {
      let (bearer, since) = try await bearers.ready(entry)
      var names: [PreparedName] = []
      var connections: Int?
      if let url {
        names = await prepareNames(url, learns, caller.owner, bearer)
        try Task.checkCancellation()
        var chain = expected(nil, first: url, caller, since)
        chain.policy.learnsOrigins = learns ?? true
        if let countReady = warmConnections?(chain, bearer) { connections = await countReady() }
      }
      try Task.checkCancellation()
      return Preparation(
        modem: entry.state.id, source: Self.source(of: bearer, to: nil), names: names, connections: connections)
    }
  }

  /// Brings the bearer up.
  ///
  /// - Returns: why it cannot be brought up; nil if it is up.
  /// - Throws: `ServiceError` `tooManyFlows`; `CancellationError` if the caller left.
  func readiness(of modem: String?, _ caller: Caller) async throws -> ChainFailure? {
    do {
      _ = try await prepare(nil, learns: nil, modem: modem, caller: caller)
      return nil
    } catch let error as ServiceError {
      if case .tooManyFlows = error.code { throw error }
      return ChainFailure(without: error)
    } catch {
      try Task.checkCancellation()
      return ChainFailure(without: error)
    }
  }

  /// Makes ready what a flow's chain will need, while the flow waits for something else. It returns
  /// at once and reports nothing.
  ///
  /// It takes a place among the caller's flows while the bearer comes up and the connections begin.
  /// It waits for none: a caller with no place left gets nothing made ready.
  ///
  /// - Parameters:
  ///   - kind: of the chain.
  ///   - first: where the chain begins, as far as the configuration tells.
  ///   - modem: id, device or interface; nil for the only modem.
  ///   - caller: the owner of the flow.
  /// - Returns: what does it; nil if nothing is made ready.
  @discardableResult
  package func warm(_ kind: ChainKind, first: WebURL?, modem: String?, caller: Caller) -> Task<Void, Never>? {
    guard let warmConnections, let entry = try? registry.find(modem), let place = warmings.begin(caller) else {
      return nil
    }
    return Task {
      defer { place.end() }
      guard let ticket = bearers.flowAtOnce(on: entry.link, for: caller) else { return }
      defer { ticket.end() }
      guard let (bearer, since) = try? await bearers.ready(entry) else { return }
      _ = warmConnections(expected(kind, first: first, caller, since), bearer)
    }
  }

  private func expected(
    _ kind: ChainKind?, first: WebURL?, _ caller: Caller, _ since: Timestamp
  ) -> ExpectedChain {
    var policy = ChainPolicy()
    reach.rule(&policy)
    return ExpectedChain(
      owner: caller.owner, kind: kind, first: first, policy: policy, bearerSince: since.milliseconds)
  }
}
