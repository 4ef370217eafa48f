import AuthCore
import ModemModel
import RedirectChain
import Web
import AuthFlows

/// A caller's options for a call of tru.ID.
package struct TruIDOptions: Hashable, Sendable {
  /// Nil for the configured version.
  package var version: TruIDVersion?
  /// Nil for the configured way.
  package var way: TruIDSettings.Way?
  /// How many minutes back a change of the SIM counts, 60 to 540000; nil for the provider's seven
  /// days.
  package var period: Int?
  /// The caller's own id of the check; it must not contain personal data.
  package var reference: String?

  package init() {}
}

/// Runs tru.ID's machines for one caller and one SIM: gets a token if one is needed, then makes the
/// call.
package struct TruIDFlow: Sendable {
  private let settings: TruIDSettings
  private let subscriber: Subscriber
  private let run: FlowRun
  private let random: @Sendable () -> [UInt8]

  /// - Parameter random: returns 16 new bytes each time.
  package init(
    _ settings: TruIDSettings, of subscriber: Subscriber, _ run: FlowRun,
    random: @escaping @Sendable () -> [UInt8] = { (0..<16).map { _ in UInt8.random(in: 0...255) } }
  ) {
    self.settings = settings
    self.subscriber = subscriber
    self.run = run
    self.random = random
  }

  /// PhoneCheck or SubscriberCheck of a number.
  ///
  /// - Throws: what the lanes throw.
  package func check(
    _ product: TruIDProduct, of number: SubscriberNumber, _ options: TruIDOptions = TruIDOptions()
  ) async throws -> FlowEnd<TruIDCheckAnswer> {
    prepare(product, options)
    switch try await access(options.way, scope: product.scope) {
    case .failure(let reason): return FlowEnd(reason.outcome)
    case .success(let access):
      var request = TruIDCheckRequest(product, options.version ?? settings.version, number)
      request.period = options.period
      request.reference = options.reference
      request.redirect = settings.redirect
      request.headers = headers
      if settings.sendsAddress, !access.isBackend {
        let coverage = try await deviceCoverage(product)
        guard coverage.outcome.result == .covered else { return FlowEnd(coverage.outcome) }
        request.address = coverage.answer?.address
        // tru.ID compares addresses: the check leaves from the one that it was told of.
        request.family = coverage.answer?.family
      }
      let limits = TruIDCheckMachine.Limits(settings, product)
      return end(try await run(TruIDCheckMachine(request, by: access, limits)))
    }
  }

  /// SIMCheck of a number.
  ///
  /// - Throws: what the lanes throw.
  package func simCheck(
    of number: SubscriberNumber, _ options: TruIDOptions = TruIDOptions()
  ) async throws -> FlowEnd<TruIDCheckAnswer> {
    switch try await access(options.way, scope: "sim_check") {
    case .failure(let reason): return FlowEnd(reason.outcome)
    case .success(let access):
      return end(
        try await run(
          TruIDSIMCheckMachine(number, period: options.period, reference: options.reference, by: access)))
    }
  }

  /// Whether the operator of the bearer's address is served.
  ///
  /// - Parameter product: the product that must be served; nil for any.
  /// - Throws: what the lanes throw.
  package func deviceCoverage(_ product: TruIDProduct? = nil) async throws -> FlowEnd<TruIDCoverage> {
    run.beginBearer()
    if settings.usesPublicCoverage {
      let url = settings.api.appending("/public/coverage/v0.1/device_ip")
      return end(try await run(TruIDDeviceCoverageMachine(url, token: nil, headers: headers, product: product)))
    }
    switch try await coverageToken() {
    case .failure(let reason): return FlowEnd(reason.outcome)
    case .success(let token):
      let url: WebURL
      do throws(AnsweredURL.Fault) {
        url =
          try token.url.map { text throws(AnsweredURL.Fault) in try AnsweredURL(text, within: settings.provider).url }
          ?? settings.api.appending("/coverage/v0.1/device_ip")
      } catch {
        let text = "the backend gives a coverage token for \(error); if it is the provider's, add it to checkDomains"
        return FlowEnd(FlowOutcome(.notConfigured, text))
      }
      return end(
        try await run(TruIDDeviceCoverageMachine(url, token: token.secret, headers: headers, product: product)))
    }
  }

  /// Whether an address' operator or a country is served.
  ///
  /// - Throws: what the lanes throw.
  package func coverage(
    of subject: TruIDListedCoverageMachine.Subject, _ options: TruIDOptions = TruIDOptions()
  ) async throws -> FlowEnd<TruIDCoverage> {
    switch try await access(options.way, scope: Self.coverageScope) {
    case .failure(let reason): return FlowEnd(reason.outcome)
    case .success(let access): return end(try await run(TruIDListedCoverageMachine(subject, by: access)))
    }
  }

  /// The provider's own notes on a check.
  ///
  /// - Parameters:
  ///   - product: the check's product; nil for a SIMCheck.
  ///   - trace: the id of one trace; nil for all.
  /// - Throws: what the lanes throw.
  package func traces(
    of check: String, _ product: TruIDProduct?, _ options: TruIDOptions = TruIDOptions(), trace: String? = nil
  ) async throws -> FlowEnd<[TruIDTrace]> {
    switch try await access(.api, scope: product?.scope ?? "sim_check") {
    case .failure(let reason): return FlowEnd(reason.outcome)
    case .success(.backend):
      return FlowEnd(FlowOutcome(.notConfigured, "traces are asked of the API, not of a backend"))
    case .success(.api(let client)):
      let version = options.version ?? settings.version
      return end(try await run(TruIDTracesMachine(of: check, product, version, trace: trace, by: client)))
    }
  }

  // MARK: Ahead

  /// Begins beside the first call what a check needs later: the bearer, the way to whoever makes
  /// the check, and a second token where the bearer's address is sent.
  private func prepare(_ product: TruIDProduct, _ options: TruIDOptions) {
    switch options.way ?? settings.chosenWay {
    case .backend?:
      guard let backend = settings.backend else { return }
      run.foresee(FlowForesight(destinations: [.init(backend.endpoint.url, backend.route)]))
    case .api?:
      guard settings.credentials != nil else { return }
      // A token that has to be requested opens the connection.
      if settings.tokens.token(for: product.scope)?.isGood(at: run.now) == true {
        run.foresee(FlowForesight(destinations: [.init(settings.api.url, settings.apiRoute)]))
      }
      if settings.sendsAddress, !settings.usesPublicCoverage { foreseeToken(Self.coverageScope) }
    case nil: return
    }
    run.beginBearer(for: settings.lead(product))
  }

  /// Begins to get the token of a check that follows a question about coverage.
  func foreseeToken(of product: TruIDProduct) {
    guard settings.chosenWay == .api else { return }
    foreseeToken(product.scope)
  }

  private func foreseeToken(_ scope: String) {
    guard let credentials = settings.credentials else { return }
    let source = TruIDTokenMachine.Source.api(settings.api, credentials, scope: scope, settings.apiRoute)
    run.foresee(firstCallOf: TruIDTokenMachine(source, kept: settings.tokens.token(for: scope)))
  }

  // MARK: Access

  private static let coverageScope = "coverage"

  private var headers: [WebHeader] { TruIDHeaders.first(settings, subscriber, random()) }

  /// Why nothing can be asked.
  private struct NoAccess: Error {
    let outcome: FlowOutcome
  }

  private func end<Answer>(_ end: FlowEnd<Answer>) -> FlowEnd<Answer> {
    // A token that is refused is asked for anew by the next call.
    if end.outcome.result == .clientRefused { settings.tokens.forget() }
    return end
  }

  private func access(_ way: TruIDSettings.Way?, scope: String) async throws -> Result<TruIDAccess, NoAccess> {
    switch way ?? settings.chosenWay {
    case .backend?:
      guard let backend = settings.backend else { return missing("no backend, which is `backend.url`") }
      return .success(.backend(backend))
    case .api?:
      return try await token(scope).map { token in
        .api(
          TruIDClient(
            api: settings.api, token: token.secret, route: settings.apiRoute, callback: settings.callback))
      }
    case nil: return missing("neither a backend nor credentials of the API")
    }
  }

  private func missing<Found>(_ what: String) -> Result<Found, NoAccess> {
    .failure(
      NoAccess(
        outcome: FlowOutcome(
          .notConfigured, "the provider's file names \(what); add it and run `sudo systemctl reload modemd`")))
  }

  private func token(_ scope: String) async throws -> Result<TruIDToken, NoAccess> {
    guard let credentials = settings.credentials else {
      return missing("no credentials of the API, which are `clientID` and the credential client-secret")
    }
    let source = TruIDTokenMachine.Source.api(settings.api, credentials, scope: scope, settings.apiRoute)
    return try await token(source, keptAs: scope)
  }

  /// A token for coverage only, because the bearer's path is the device's.
  private func coverageToken() async throws -> Result<TruIDToken, NoAccess> {
    if settings.chosenWay == .backend, let backend = settings.backend {
      return try await token(.backend(backend), keptAs: nil)
    }
    return try await token(Self.coverageScope)
  }

  private func token(
    _ source: TruIDTokenMachine.Source, keptAs scope: String?
  ) async throws -> Result<TruIDToken, NoAccess> {
    let end = try await run(TruIDTokenMachine(source, kept: scope.flatMap { settings.tokens.token(for: $0) }))
    guard let token = end.answer else { return .failure(NoAccess(outcome: end.outcome)) }
    if let scope { settings.tokens.keep(token, for: scope) }
    return .success(token)
  }
}
