import RedirectChain

/// One action of a flow, as people and programs may see it: names, hosts and times, but nothing
/// secret.
package struct FlowStep: Hashable, Sendable {
  /// Which way it took.
  package enum Lane: String, Hashable, Sendable, CaseIterable {
    case bearer, host, modem, caller
  }

  /// From 1.
  package var index: Int
  /// As in `createCheck`.
  package var name: String
  package var lane: Lane
  /// The first host that was asked.
  package var host: String?
  /// HTTP status of the answer; nil if none came.
  package var status: Int?
  /// Milliseconds from the flow's start.
  package var begin: Double
  /// Milliseconds that it took.
  package var time: Double
  /// What went wrong, in one sentence; nil if nothing did.
  package var failure: String?

  package init(index: Int, name: String, lane: Lane, host: String? = nil, begin: Double) {
    self.index = index
    self.name = name
    self.lane = lane
    self.host = host
    self.begin = begin
    time = 0
  }
}
