import Web

/// What a flow will need later, as far as it is known. The driver makes it ready beside the present
/// action.
package struct FlowForesight: Hashable, Sendable {
  /// A host that will be called, and the way to it.
  package struct Destination: Hashable, Sendable {
    package let url: WebURL
    package let route: BackendRoute

    package init(_ url: WebURL, _ route: BackendRoute) {
      self.url = url
      self.route = route
    }
  }

  /// Calls as they will be sent. Each must be free of effects at the provider and cost nothing, as
  /// a question for keys or a token of the client's own, because the flow may end before it asks
  /// for the answer. Those by the bearer's route are not begun ahead.
  package var calls: [BackendCall]
  /// A connection to each is opened, and nothing is requested. Those of the calls above, and of the
  /// present action, have one.
  package var destinations: [Destination]
  /// The chain that will follow; its connections are made ready. The bearer is up.
  package var chain: ChainLead?

  package init(calls: [BackendCall] = [], destinations: [Destination] = [], chain: ChainLead? = nil) {
    self.calls = calls
    self.destinations = destinations
    self.chain = chain
  }

  /// Nothing is known.
  package static let nothing = FlowForesight()
}
