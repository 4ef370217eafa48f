import AuthCore
import JSONTree
import ModemModel
import RedirectChain
import Web

// How the operator is found: from the configuration, an issuer, or a discovery service.

extension MobileConnectFlow {
  /// The operator with its metadata.
  func found(_ query: OperatorQuery, _ answer: inout MobileConnectAnswer) async throws -> MobileConnectOperator {
    let discovered = try await discovered(query, &answer)
    answer.discovered = discovered
    guard let found = discovered.found else {
      throw FlowEnded(FlowOutcome(.badAnswer, "discovery ended without an operator; ask who runs it"))
    }
    return found
  }

  /// As `found`, with what discovery gave besides.
  func discovered(_ query: OperatorQuery, _ answer: inout MobileConnectAnswer) async throws -> MobileConnectDiscovered {
    var discovered = MobileConnectDiscovered()
    switch settings.source {
    case .endpoints(let found): discovered.found = found
    case .issuer(let issuer):
      discovered.found = MobileConnectOperator()
      discovered.found?.issuer = Self.plain(issuer.url.text)
    case .discovery(let discovery): discovered = try await asked(discovery, query, &answer)
    case nil:
      throw FlowEnded(
        FlowOutcome(
          .notConfigured, "the provider has an app's server alone; add discovery, endpoints or issuer for this call"))
    }
    guard let found = discovered.found else { return discovered }
    discovered.found = try await withMetadata(found)
    // Without a service that encrypts it, a person's choice may still have identified the number.
    discovered.subscriberID = discovered.subscriberID ?? query.selection?.subscriberID
    return discovered
  }

  /// Asks the discovery service, unless its last answer about the network is still valid.
  private func asked(
    _ discovery: MobileConnectDiscovery, _ query: OperatorQuery, _ answer: inout MobileConnectAnswer
  ) async throws -> MobileConnectDiscovered {
    if discovery.sendsLocalAddress || query.way == .address { try await prepare() }
    let question = DiscoveryQuestion(
      way: query.way, number: query.number ?? subscriber.number, network: query.network ?? network,
      selection: query.selection, address: run.addresses.first, correlationID: settings.tools.uuid())
    let key = query.selection?.network ?? question.network
    let machine = MobileConnectDiscoveryMachine(
      discovery, question, within: OperatorOrigins(settings),
      kept: key.flatMap { settings.memory.findOperator($0, at: run.now) },
      cookies: settings.memory.cookies(of: subscriber.modem, run.owner), route: settings.route)
    let asked = try await run(machine)
    if let answer = asked.answer { settings.memory.keep(answer.cookies, of: subscriber.modem, run.owner) }
    guard asked.outcome.result == .covered, let discovered = asked.answer?.discovered, let found = discovered.found
    else {
      throw FlowEnded(asked.outcome, page: asked.answer?.discovered?.page)
    }
    if let key, discovered.way == .network, !discovered.isKept {
      settings.memory.keep(found, for: key, ttl: discovered.ttl, at: run.now)
    }
    return discovered
  }

  /// Reads the operator's metadata, if it has any.
  private func withMetadata(_ found: MobileConnectOperator) async throws -> MobileConnectOperator {
    guard let url = try metadataURL(of: found) else { return found }
    let origins = OperatorOrigins(settings).metadata(of: found)
    let document = try await run(
      DocumentMachine("readMetadata", url, kept: settings.memory.document(url, at: run.now), route: settings.route))
    guard let json = document.answer?.json, let metadata = MobileConnectMetadata(json, within: origins) else {
      // Older operators name a document that they do not have. Any other failure may come from an
      // attacker on the way who wants older rules to apply.
      if document.outcome.result == .notConfigured, found.endpoints[.authorization] != nil { return found }
      throw FlowEnded(document.outcome)
    }
    if document.answer?.isKept == false { settings.memory.keep(json, of: url, at: run.now) }
    if case .issuer? = settings.source, metadata.issuer.map(Self.plain) != found.issuer {
      throw FlowEnded(
        FlowOutcome(
          .stateMismatch, "the metadata at \(url.host) is of another issuer than the configured one; compare them"))
    }
    return found.with(metadata)
  }

  /// Its link, else a path below the issuer (OpenID Connect Discovery, 4). A manual configuration
  /// is complete, unless it names its metadata.
  private func metadataURL(of found: MobileConnectOperator) throws -> WebURL? {
    if let link = found.endpoints[.metadata] { return link }
    if found.refused[.metadata] != nil { return try endpoint(.metadata, of: found) }
    if case .endpoints? = settings.source { return nil }
    guard let issuer = found.issuer else { return nil }
    do throws(AnsweredURL.Fault) {
      return try OperatorOrigins(settings).link(issuer).endpoint().appending("/.well-known/openid-configuration")
    } catch .malformed {
      return nil
    } catch {
      throw FlowEnded(
        FlowOutcome(
          .stateMismatch, code: "untrustedHost",
          "the operator's issuer is told to be \(error); if it is the operator's, add its domain to operatorDomains"))
    }
  }

  /// Without the `/` at its end.
  private static func plain(_ issuer: String) -> String { issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer }
}
