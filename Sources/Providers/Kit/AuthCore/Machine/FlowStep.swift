import RedirectChain

/// One action of a flow, as people and programs may see it: names, hosts and times, but nothing
/// secret.
public struct FlowStep: Hashable, Sendable {
  /// Which way it took.
  public enum Lane: String, Hashable, Sendable, CaseIterable {
    case bearer, host, modem, caller
  }

  /// From 1.
  public var index: Int
  /// As in `createCheck`.
  public var name: String
  public var lane: Lane
  /// The first host that was asked.
  public var host: String?
  /// HTTP status of the answer; nil if none came.
  public var status: Int?
  /// How often the bearer's chain was redirected.
  public var hops: Int?
  /// Milliseconds from the flow's start.
  public var begin: Double
  /// Milliseconds that it took.
  public var time: Double
  /// What went wrong, in one sentence; nil if nothing did.
  public var failure: String?

  public init(index: Int, name: String, lane: Lane, host: String? = nil, begin: Double) {
    self.index = index
    self.name = name
    self.lane = lane
    self.host = host
    self.begin = begin
    time = 0
  }
}
