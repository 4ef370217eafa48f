import AuthCore
import JSONTree
import ModemModel
import RedirectChain
import Web

/// Device coverage (reachability): asks tru.ID over the bearer whether it serves the operator
/// behind the bearer's address.
package struct TruIDDeviceCoverageMachine: FlowMachine {
  private let url: WebURL
  private let token: Secret?
  private let headers: [WebHeader]
  private let product: TruIDProduct?

  /// - Parameters:
  ///   - token: for coverage only; nil for the old call, which needs none.
  ///   - product: the product that must be served; nil for any.
  package init(_ url: WebURL, token: Secret?, headers: [WebHeader] = [], product: TruIDProduct? = nil) {
    self.url = url
    self.token = token
    self.headers = headers
    self.product = product
  }

  package static var usesBearer: Bool { true }

  package mutating func start(at now: Timestamp) -> FlowAction<TruIDCoverage> {
    var fields: [WebHeader] = [.accept("application/hal+json, application/json")]
    if let token { fields.append(.bearer(token)) }
    return .open(.api("deviceCoverage", url, headers: fields + headers))
  }

  package mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<TruIDCoverage> {
    guard case .opened(let reply) = event else { return .unexpected(event) }
    switch reply.result {
    case .answer(let answer):
      guard let told = answer.verified(from: TrustedOrigins(url)) else {
        return .finish(
          FlowOutcome(.badAnswer, status: answer.status, "somebody else answered in place of \(url.host)"), nil)
      }
      let (outcome, coverage) = TruIDCoverageReading(host: url.host, product: product).read(told, isBackend: false)
      var found = coverage
      found?.family = reply.family
      return .finish(outcome, found)
    case .redirectReached:
      return .finish(FlowOutcome(.badAnswer, "\(url.host) redirects where coverage is awaited"), nil)
    case .failed(let failure): return .finish(FlowOutcome(failure), nil)
    }
  }
}

/// Coverage of an address or a country, which any authorised client may request from anywhere.
package struct TruIDListedCoverageMachine: FlowMachine {
  package enum Subject: Hashable, Sendable {
    /// IPv4 or IPv6.
    case address(String)
    /// Two letters or a dialling code, as in GB and 44.
    case country(String)
  }

  private let subject: Subject
  private let access: TruIDAccess
  private let product: TruIDProduct?

  package init(_ subject: Subject, by access: TruIDAccess, product: TruIDProduct? = nil) {
    self.subject = subject
    self.access = access
    self.product = product
  }

  package static var usesBearer: Bool { false }

  package mutating func start(at now: Timestamp) -> FlowAction<TruIDCoverage> {
    switch (access, subject) {
    case (.api(let client), .address(let address)):
      let path = "/coverage/v0.1/device_ips/\(FormFields.encode(address))"
      return .send(client.call("addressCoverage", .get, client.api.appending(path)))
    case (.api(let client), .country(let code)):
      let path = "/coverage/v0.1/countries/\(FormFields.encode(code))"
      return .send(client.call("countryCoverage", .get, client.api.appending(path)))
    // The dev server's spelling.
    case (.backend(let backend), .address(let address)):
      return .send(backend.call("addressCoverage", .get, "/device", FormFields(["id_address": address])))
    case (.backend(let backend), .country(let code)):
      return .send(backend.call("countryCoverage", .get, "/country", FormFields(["country_code": code])))
    }
  }

  package mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<TruIDCoverage> {
    switch event {
    case .answered(let reply):
      if reply.status == 404, case .country = subject, !access.isBackend || TruIDProblem(reply.json).code != nil {
        let text = "tru.ID serves no operator of this country; use another provider"
        return .finish(
          FlowOutcome(.operatorUnsupported, code: TruIDProblem(reply.json).code, status: 404, text), nil)
      }
      let (outcome, coverage) = TruIDCoverageReading(host: access.host, product: product)
        .read(reply, isBackend: access.isBackend)
      return .finish(outcome, coverage)
    case .unanswered(let failure): return .finish(failure.outcome, nil)
    case .opened, .code, .noCode, .simAnswered, .simFailed, .resumed: return .unexpected(event)
    }
  }
}

/// Reads an answer about coverage.
struct TruIDCoverageReading {
  let host: String
  let product: TruIDProduct?

  func read(_ reply: BackendReply, isBackend: Bool) -> (FlowOutcome, TruIDCoverage?) {
    guard reply.isSuccess else { return (.truID(reply, host: host, isBackend: isBackend), nil) }
    guard let json = reply.json, case .object = json else { return (nothing(reply), nil) }
    let coverage = TruIDCoverage(json)
    guard coverage.network != nil || coverage.country != nil || coverage.products != nil else {
      return (nothing(reply), nil)
    }
    if coverage.serves(product) == false {
      let missing = product.map { "its \($0.rawValue)" } ?? "it"
      let text = "tru.ID knows this operator and does not serve \(missing); use another provider"
      return (FlowOutcome(.operatorUnsupported, status: reply.status, text), coverage)
    }
    return (FlowOutcome(.covered, status: reply.status, "tru.ID serves this operator"), coverage)
  }

  private func nothing(_ reply: BackendReply) -> FlowOutcome {
    FlowOutcome(
      .badAnswer, status: reply.status, "\(host) says nothing of coverage; check which host is configured")
  }
}
