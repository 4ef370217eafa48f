/// The three hosts of the six-hop chain.
public struct ChainHosts: Hashable, Sendable {
  /// The provider that apps talk to: https.
  public var aggregator: String
  /// The operator's sign-on: https.
  public var signOn: String
  /// The operator's header enrichment: http.
  public var enrichment: String

  public init(aggregator: String, signOn: String, enrichment: String) {
    self.aggregator = aggregator
    self.signOn = signOn
    self.enrichment = enrichment
  }
}
