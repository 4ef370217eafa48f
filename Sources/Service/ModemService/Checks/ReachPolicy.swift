import NetworkAddress
import RedirectChain

/// What the chains of this service may reach, and which answer fields they show, as the
/// administrator configured it. It applies to every chain, for all callers and requests.
package struct ReachPolicy: Hashable, Sendable {
  /// Addresses that are reached although they are loopback or link-local: for simulations.
  package var allowedAddresses: Set<IPAddress>
  /// Domains, including their subdomains, that a hop may reach in cleartext; nil for any. A chain
  /// with fewer domains keeps to its own.
  package var cleartextDomains: Set<String>?
  /// Names of answer fields, in lower case, that are shown with their values. Operators use them to
  /// find a request in their logs.
  package var traceHeaders: Set<String>

  package init(
    allowedAddresses: Set<IPAddress> = [], cleartextDomains: Set<String>? = nil,
    traceHeaders: Set<String> = ReachPolicy.usualTraceHeaders
  ) {
    self.allowedAddresses = allowedAddresses
    self.cleartextDomains = cleartextDomains
    self.traceHeaders = traceHeaders
  }

  /// Those of a chain by default, and the usual ones of web services.
  package static let usualTraceHeaders = ChainPolicy().traceHeaders.union([
    "traceparent", "x-correlation-id", "x-correlator", "x-request-id", "x-transaction-id",
  ])

  /// Applies this policy to a chain. Anything that the chain itself allowed beyond it is no longer
  /// allowed.
  func rule(_ policy: inout ChainPolicy) {
    policy.allowedAddresses = allowedAddresses
    policy.traceHeaders = traceHeaders
    policy.restrictCleartext(to: cleartextDomains)
  }
}
