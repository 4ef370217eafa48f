/// The three hosts of the six-hop chain.
package struct ChainHosts: Hashable, Sendable {
  /// The provider that apps talk to: https.
  package var aggregator: String
  /// The operator's sign-on: https.
  package var signOn: String
  /// The operator's header enrichment: http.
  package var enrichment: String

  package init(aggregator: String, signOn: String, enrichment: String) {
    self.aggregator = aggregator
    self.signOn = signOn
    self.enrichment = enrichment
  }
}
