import AuthCore
import JSONTree
import ModemModel
import RedirectChain
import Web
import AuthFlows

/// Mobile Connect for one caller and one SIM: runs the protocol's machines one after the other, as
/// a question needs them.
package struct MobileConnectFlow: Sendable {
  let settings: MobileConnectSettings
  let subscriber: Subscriber
  let run: FlowRun

  package init(_ settings: MobileConnectSettings, of subscriber: Subscriber, _ run: FlowRun) {
    self.settings = settings
    self.subscriber = subscriber
    self.run = run
  }

  /// Finds the operator, and reads its metadata.
  ///
  /// - Throws: `AuthError`, and what the lanes throw.
  package func discover(_ query: OperatorQuery) async throws -> FlowEnd<MobileConnectAnswer> {
    try await ending { answer in
      try checkAskable(query)
      answer.discovered = try await discovered(query, &answer)
      return FlowOutcome(.covered, "the operator and its endpoints are known")
    }
  }

  /// Gets an authorization code over the bearer, for an application's own backend.
  ///
  /// - Throws: `AuthError` for a request that no operator would take, and what the lanes throw.
  package func authorize(_ request: MobileConnectRequest, _ query: OperatorQuery) async throws -> FlowEnd<
    MobileConnectAnswer
  > {
    try request.check()
    return try await ending { answer in
      let ready = try await code(for: request, query, isExchanged: false, &answer)
      answer.code = ready.code
      return FlowOutcome(
        .authorized, "the authorization code is there; let your backend exchange it at once")
    }
  }

  /// Signs the SIM's user in: the authorization over the bearer, its tokens, and the ID token's
  /// validation.
  ///
  /// - Parameter information: what to also request from the operator with the token; nil for
  ///   nothing.
  /// - Throws: as `authorize`.
  package func login(
    _ request: MobileConnectRequest, _ query: OperatorQuery, information: MobileConnectInformation.Kind? = nil
  ) async throws -> FlowEnd<MobileConnectAnswer> {
    try request.check()
    return try await ending { answer in
      let ready = try await code(for: request, query, &answer)
      let tokens = try await tokens(for: ready)
      if let information {
        answer.information = try await self.information(
          information, tokens.accessToken, subject: tokens.subject, ready.found, ready.client)
      }
      answer.tokens = tokens
      return FlowOutcome(.signedIn, "the operator vouches for the user; the ID token is validated")
    }
  }

  /// Exchanges a code that the application already has, and validates the ID token.
  ///
  /// - Parameters:
  ///   - nonce: of the code's authorization. Without it, anybody's code would sign its owner in.
  ///   - request: of the code's authorization.
  ///   - information: as with `login`.
  /// - Throws: as `authorize`.
  package func exchange(
    _ code: Secret, nonce: Secret, _ request: MobileConnectRequest, _ query: OperatorQuery,
    information: MobileConnectInformation.Kind? = nil
  ) async throws -> FlowEnd<MobileConnectAnswer> {
    var request = request
    request.nonce = nonce
    try request.check()
    return try await ending { [request] answer in
      let found = try await found(query, &answer)
      let ready = try ready(code, request, found, answer.discovered)
      let tokens = try await tokens(for: ready)
      if let information {
        answer.information = try await self.information(
          information, tokens.accessToken, subject: tokens.subject, ready.found, ready.client)
      }
      answer.tokens = tokens
      return FlowOutcome(.signedIn, "the operator vouches for the code's user; the ID token is validated")
    }
  }

  /// Exchanges a refresh token for new tokens.
  ///
  /// - Parameters:
  ///   - scope: nil for the token's scope.
  ///   - subject: the required subject of a new ID token; nil accepts any.
  /// - Throws: what the lanes throw.
  package func refresh(
    _ token: Secret, scope: [String]? = nil, subject: Secret? = nil, _ query: OperatorQuery
  ) async throws -> FlowEnd<MobileConnectAnswer> {
    try await ending { answer in
      let found = try await found(query, &answer)
      let client = try client(of: found)
      let endpoint = try found.endpoints[.refresh] ?? endpoint(.token, of: found)
      let machine = MobileConnectTokenMachine(
        .refresh(token, scope: scope), at: endpoint, client: client, correlationID: correlationID(),
        route: settings.route)
      var tokens = try await through(machine)
      // A refreshed ID token is optional, and carries no nonce (OpenID Connect Core, 12.2).
      if let idToken = tokens.idToken {
        var expected = expectation(client, version(of: found), found)
        expected.accessToken = tokens.accessToken
        expected.subject = subject
        tokens.claims = try await validated(idToken, expected, found)
      }
      answer.tokens = tokens
      return FlowOutcome(.authorized, "the tokens are fresh")
    }
  }

  /// Takes a token back.
  ///
  /// - Throws: what the lanes throw.
  package func revoke(
    _ token: Secret, _ kind: MobileConnectTokenKind, _ query: OperatorQuery
  ) async throws -> FlowEnd<MobileConnectAnswer> {
    try await ending { answer in
      let found = try await found(query, &answer)
      let machine = MobileConnectRevocationMachine(
        token, kind, at: try endpoint(.revocation, of: found), client: try client(of: found), route: settings.route)
      return try await run(machine).outcome
    }
  }

  /// Asks the operator for data about a token's subscriber.
  ///
  /// - Parameter subject: the required subject; nil accepts any.
  /// - Throws: what the lanes throw.
  package func information(
    _ kind: MobileConnectInformation.Kind, _ token: Secret, subject: Secret? = nil, _ query: OperatorQuery
  ) async throws -> FlowEnd<MobileConnectAnswer> {
    try await ending { answer in
      let found = try await found(query, &answer)
      answer.information = try await information(kind, token, subject: subject, found, try client(of: found))
      return FlowOutcome(.authorized, "the operator told what it knows of the subscriber")
    }
  }

  /// Signs in the SIM's user at an app's server, like the button of the client-side libraries.
  ///
  /// - Parameter query: number and network instead of the SIM's.
  /// - Throws: what the lanes throw.
  package func press(_ server: MobileConnectAppServer, _ query: OperatorQuery) async throws -> FlowEnd<
    MobileConnectAnswer
  > {
    try await ending { answer in
      try await prepare()
      let number = query.number ?? subscriber.number
      guard number != nil || !server.isManual else {
        throw FlowEnded(
          FlowOutcome(
            .badRequest, "the SIM holds no number, and a server without discovery is asked by number; give the number"))
      }
      let device = AppServerMachine.Device(
        number: number, network: query.network ?? network, address: run.addresses.first,
        subscriberID: query.selection?.subscriberID)
      let done = try await run(AppServerMachine(device, server, settings), within: flowTime)
      answer.page = done.answer?.page
      answer.serverAnswer = done.answer?.answer
      return done.outcome
    }
  }
}

/// The early end of a flow.
struct FlowEnded: Error {
  let outcome: FlowOutcome
  /// The page where a person must answer.
  let page: Secret?

  init(_ outcome: FlowOutcome, page: Secret? = nil) {
    self.outcome = outcome
    self.page = page
  }
}

// MARK: What all questions need

extension MobileConnectFlow {
  /// The time limit of a flow in whose chain a person may have to answer.
  var flowTime: Duration { settings.authorizationTime + .seconds(60) }

  /// The codes that identify the operator.
  var network: PLMN? {
    settings.usesServingNetwork ? subscriber.serving ?? subscriber.home : subscriber.home ?? subscriber.serving
  }

  /// Runs a part of a flow; what ends it early is its outcome.
  func ending(
    _ body: (inout MobileConnectAnswer) async throws -> FlowOutcome
  ) async throws -> FlowEnd<MobileConnectAnswer> {
    var answer = MobileConnectAnswer()
    do {
      let outcome = try await body(&answer)
      return FlowEnd(outcome, answer)
    } catch let early as FlowEnded {
      answer.page = early.page
      return FlowEnd(early.outcome, answer)
    } catch let fault as TokenFault {
      return FlowEnd(fault.outcome, answer)
    }
  }

  /// Runs a machine, and returns only its answer.
  func through<Machine: FlowMachine>(_ machine: Machine, within limit: Duration = .seconds(300)) async throws
    -> Machine.Answer
  {
    let end = try await run(machine, within: limit)
    guard end.outcome.result.isSuccess, let answer = end.answer else { throw FlowEnded(end.outcome) }
    return answer
  }

  /// Without a discovery service, nobody can tell another number's or network's operator from the
  /// configured one.
  private func checkAskable(_ query: OperatorQuery) throws {
    guard query.number != nil || query.network != nil, let source = settings.source else { return }
    if case .discovery = source { return }
    throw FlowEnded(
      FlowOutcome(
        .notConfigured,
        "the provider's file names one operator, and no discovery service that tells the operator of a number or a network; leave them out, or add discovery"
      ))
  }

  /// A check costs money once it has begun, so the bearer comes first.
  func prepare() async throws {
    if let failure = try await run.prepareBearer() { throw FlowEnded(failure) }
  }

  func correlationID() -> String? { settings.defaults.sendsCorrelationID ? settings.tools.uuid() : nil }

  func client(of found: MobileConnectOperator) throws -> MobileConnectClient {
    if let client = found.client ?? settings.client { return client }
    throw FlowEnded(
      FlowOutcome(
        .notConfigured,
        "the provider has no client for this operator; add clientID and the credential client-secret, or an override for the network"
      ))
  }

  func endpoint(_ relation: MobileConnectOperator.Relation, of found: MobileConnectOperator) throws -> WebURL {
    if let url = found.endpoints[relation] { return url }
    if let place = found.refused[relation] {
      throw FlowEnded(
        FlowOutcome(
          .stateMismatch, code: "untrustedHost",
          "the operator's \(relation.rawValue) endpoint is told to be \(place); if it is the operator's, add its domain to operatorDomains"
        ))
    }
    throw FlowEnded(
      FlowOutcome(
        .notConfigured,
        "the operator's \(relation.rawValue) endpoint is not known; it offers none, or it has to be added to endpoints")
    )
  }

  /// The version whose rules apply if no request names one.
  func version(of found: MobileConnectOperator) -> MobileConnectVersion {
    settings.version ?? MobileConnectVersion.newestCommon(of: found.metadata?.versions ?? []) ?? .v1_1
  }
}
