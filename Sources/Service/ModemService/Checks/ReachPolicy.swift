import NetworkAddress
import RedirectChain

/// What the chains of this service may reach, and which fields of answers they show: the word of whoever runs the machine. It holds for every
/// chain, whoever asked for it and whatever was asked for.
public struct ReachPolicy: Hashable, Sendable {
  /// Addresses that are reached although they are loopback or link-local: for simulations.
  public var allowedAddresses: Set<IPAddress>
  /// Domains, with the names below them, that a hop may reach in clear; nil for any. A chain that allows fewer keeps to its own.
  public var cleartextDomains: Set<String>?
  /// Names of answers' fields, in lower case, that are shown with their values: by them operators find a request in their
  /// logs.
  public var traceHeaders: Set<String>

  public init(
    allowedAddresses: Set<IPAddress> = [], cleartextDomains: Set<String>? = nil,
    traceHeaders: Set<String> = ReachPolicy.usualTraceHeaders
  ) {
    self.allowedAddresses = allowedAddresses
    self.cleartextDomains = cleartextDomains
    self.traceHeaders = traceHeaders
  }

  /// Those of a chain by itself, and the usual ones of web services.
  public static let usualTraceHeaders = ChainPolicy().traceHeaders.union([
    "traceparent", "x-correlation-id", "x-correlator", "x-request-id", "x-transaction-id",
  ])

  /// Puts a chain under this policy. What the chain's own allowed beyond it is not allowed any more.
  func rule(_ policy: inout ChainPolicy) {
    policy.allowedAddresses = allowedAddresses
    policy.traceHeaders = traceHeaders
    policy.restrictCleartext(to: cleartextDomains)
  }
}
