import BenchmarkFigures
import Glibc
import RackSupport

/// What one modemd with a number of modems needs.
struct RackFigures {
  /// Memory that belongs to no file, at rest, with all bearers down.
  var kilobytes = 0.0
  /// The same with all bearers up.
  var kilobytesUp = 0.0
  var files = 0
  var threads = 0
  /// Milliseconds from modemd's start until it knows all.
  var known = 0.0
  /// Milliseconds of its processor time for that.
  var knownProcessor = 0.0
  var listBytes = 0
  /// Microseconds of processor time for a call when nothing has changed.
  var list = 0.0
  /// The same when one modem has changed.
  var listAfterChange = 0.0
  /// Microseconds for a `Get` of one modem by its id, each after a change of another one.
  var get = 0.0
  /// Bytes that a watcher gets for one modem's change.
  var changeBytes = 0.0
  /// Microseconds of processor time for one modem's change and all watchers.
  var change = 0.0
  /// Milliseconds when all modems change at once.
  var allChange = 0.0
  /// Milliseconds until all bearers have come up.
  var up = 0.0
}

/// Measures one modemd with the modems of a rack.
struct RackRun {
  let service: RackService
  let rack: SimulatedRack
  let watchers: Int
  private let rounds = 100

  func measure() async throws -> RackFigures {
    var figures = RackFigures()
    try measureStart(&figures)
    try measureCalls(&figures)
    try measureChanges(&figures)
    try await measureBearers(&figures)
    return figures
  }

  private func measureStart(_ figures: inout RackFigures) throws {
    let watch = try RackWatch(service.socket)
    try watch.waitForAll(rack.modems.count)
    figures.known = now() - service.started
    figures.knownProcessor = try service.figures().processor
    sleep(1)
    let rest = try service.figures()
    figures.kilobytes = Double(rest.anonymous)
    (figures.files, figures.threads) = (rest.files, rest.threads)
  }

  private func measureCalls(_ figures: inout RackFigures) throws {
    let caller = try RawConnection(service.socket)
    let watch = try RackWatch(service.socket)
    let list = { try caller.call("org.modemd.Modem.List") }
    figures.listBytes = try list().count
    figures.list = try each { _ in _ = try list() }
    let change = { (round: Int) in
      let modem = rack.modems[round * 7 % rack.modems.count]
      modem.changeSignal()
      try watch.wait(for: 1, "changed")
    }
    let changes = try each(change)
    figures.listAfterChange =
      try each { round in
        try change(round)
        _ = try list()
      } - changes
    let id = rack.modems[rack.modems.count / 2].state.id
    figures.get =
      try each { round in
        try change(round)
        _ = try caller.call("org.modemd.Modem.Get", #"{"modem":"\#(id)"}"#)
      } - changes
  }

  private func measureChanges(_ figures: inout RackFigures) throws {
    let watches = try (0..<watchers).map { _ in try RackWatch(service.socket) }
    let before = watches.map(\.bytes).reduce(0, +)
    figures.change = try each { round in
      rack.modems[round * 7 % rack.modems.count].changeSignal()
      for watch in watches { try watch.wait(for: 1, "changed") }
    }
    figures.changeBytes = Double(watches.map(\.bytes).reduce(0, +) - before) / Double(rounds * watchers)
    let start = try service.figures().processor
    for modem in rack.modems { modem.changeSignal() }
    for watch in watches { try watch.wait(for: rack.modems.count, "changed") }
    figures.allChange = try service.figures().processor - start
  }

  private func measureBearers(_ figures: inout RackFigures) async throws {
    let watch = try RackWatch(service.socket)
    let start = try service.figures().processor
    for modem in rack.modems { _ = modem.connect() }
    try watch.wait(for: rack.modems.count, "changed")
    figures.up = try service.figures().processor - start
    sleep(1)
    figures.kilobytesUp = Double(try service.figures().anonymous)
    for modem in rack.modems { _ = modem.disconnect() }
    try watch.wait(for: rack.modems.count, "changed")
  }

  /// Microseconds of modemd's processor time for one round.
  private func each(_ body: (Int) throws -> Void) throws -> Double {
    let start = try service.figures().processor
    for round in 0..<rounds { try body(round) }
    return (try service.figures().processor - start) * 1000 / Double(rounds)
  }
}
