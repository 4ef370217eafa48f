import AuthCore

/// How a flow ended: the only form of it, from the machine that decided to the interface that
/// reports it.
package struct FlowEnd<Answer: Sendable>: Sendable {
  package var outcome: FlowOutcome
  /// What the provider gave in addition to the outcome; nil if it gave nothing.
  package var answer: Answer?
  /// Where the chains of the one machine that ran went; nobody's for a flow of several, which
  /// `FlowRun` follows.
  package var place: FlowPlace

  package init(_ outcome: FlowOutcome, _ answer: Answer? = nil, at place: FlowPlace = FlowPlace()) {
    self.outcome = outcome
    self.answer = answer
    self.place = place
  }
}

/// Where a flow's chains went.
package struct FlowPlace: Hashable, Sendable {
  /// Id of the modem whose bearer was used; nil where none was.
  package var modem: String?
  /// The bearer's address that the last chain left from.
  package var source: String?

  package init(modem: String? = nil, source: String? = nil) {
    self.modem = modem
    self.source = source
  }

  /// What is known of a later chain takes precedence.
  mutating func note(_ later: FlowPlace) {
    self = FlowPlace(modem: later.modem ?? modem, source: later.source ?? source)
  }
}
