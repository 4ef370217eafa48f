import AuthCore

/// How a flow ended: the one form of it, from the machine that decided to the interface that tells it.
public struct FlowEnd<Answer: Sendable>: Sendable {
  public var outcome: FlowOutcome
  /// What the provider gave beside the outcome; nil where it gave nothing.
  public var answer: Answer?
  /// Where the chains of the one machine that ran went; nobody's for a flow of several, which `FlowRun` follows.
  public var place: FlowPlace

  public init(_ outcome: FlowOutcome, _ answer: Answer? = nil, at place: FlowPlace = FlowPlace()) {
    self.outcome = outcome
    self.answer = answer
    self.place = place
  }
}

/// Where a flow's chains went.
public struct FlowPlace: Hashable, Sendable {
  /// Id of the modem whose bearer was used; nil where none was.
  public var modem: String?
  /// The bearer's address that the last chain left from.
  public var source: String?

  public init(modem: String? = nil, source: String? = nil) {
    self.modem = modem
    self.source = source
  }

  /// What is known of a later chain counts.
  mutating func note(_ later: FlowPlace) {
    self = FlowPlace(modem: later.modem ?? modem, source: later.source ?? source)
  }
}
