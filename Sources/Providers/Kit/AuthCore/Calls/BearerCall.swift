import RedirectChain
import Web

/// A request whose origin proves something: it goes over the SIM's bearer, and nowhere else. It
/// cannot be used as a `BackendCall`.
package struct BearerCall: Hashable, Sendable {
  /// The action, as in `openCheckURL`: the name of the step.
  package let step: String
  package var request: ChainRequest

  package init(_ step: String, _ request: ChainRequest) {
    self.step = step
    self.request = request
  }

  /// An API call over the bearer: one answer, with redirects only within the first host's own site.
  package static func api(
    _ step: String, _ url: WebURL, _ method: ChainRequest.Method = .get, headers: [WebHeader] = [],
    time: Duration = .seconds(30)
  ) -> BearerCall {
    var policy = ChainPolicy()
    policy.maximumRedirects = 0
    policy.staysOnFirstSite = true
    policy.totalTime = time
    return BearerCall(step, ChainRequest(url: url, method: method, headers: headers, policy: policy))
  }
}

/// The result of a call over the bearer.
package struct BearerReply: Hashable, Sendable {
  package var result: ChainResult
  /// Id of the modem.
  package var modem: String?
  /// The bearer's address from which the chain was sent.
  package var source: String?
  /// Family of the first hop's address: later calls of one transaction must keep to it.
  package var family: ChainHop.Family?
  /// The requested URLs, in order; the chain ended at the last one. They may hold secrets.
  package var visited: [Secret]

  package init(
    _ result: ChainResult, modem: String? = nil, source: String? = nil, family: ChainHop.Family? = nil,
    visited: [Secret] = []
  ) {
    self.result = result
    self.modem = modem
    self.source = source
    self.family = family
    self.visited = visited
  }
}
