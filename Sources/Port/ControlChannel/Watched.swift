import GLibBridge

/// A state that indications report, for calls that wait until it settles.
package struct Watched<Report> {
  package private(set) var last: Report?
  private var waiting: [GLibExpectation<Void>] = []

  package init() {}

  /// Forgets what was reported before a command was sent.
  package mutating func forget() { last = nil }

  package mutating func report(_ report: Report) {
    last = report
    for expectation in waiting { expectation.fulfil(()) }
    waiting = []
  }

  package mutating func await(_ expectation: GLibExpectation<Void>) { waiting.append(expectation) }
}
