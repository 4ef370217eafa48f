import AuthCore
import AuthFlows
import CoreMetrics
import LimitClock
import MetricSeries
import ModemModel
import ModemService
import RedirectChain
import Synchronization

/// What modemd counts, in one place. Labels have configured names and words of the interfaces only.
package final class ServiceMetrics: Sendable {
  /// The first part of every name.
  package static let prefix = "modemd"
  /// How many modems are told of, so that figures stay few.
  static let modems = 32

  let store: MetricStore
  let version: String
  let process = ProcessFigures()
  private let clock: LimitClock
  private let lives = Mutex<[String: BearerLife]>([:])
  /// The ids of modems by their ports' names.
  private let ports = Mutex<[String: String]>([:])
  private let faults = Mutex(0)

  /// - Parameters:
  ///   - limit: how many counted series there may be.
  ///   - clock: for the time that bearers are up.
  package init(version: String, limit: Int = 1000, clock: LimitClock = .machine) {
    self.version = version
    self.clock = clock
    store = MetricStore(Figures.all, limit: limit)
  }

  /// Follows the modems until the task is cancelled.
  ///
  /// - Parameter changes: those of the registry, from before its first modem.
  package func follow(_ changes: AsyncStream<ModemRegistry.Change>) async {
    for await change in changes { note(change) }
  }

  /// Providers' files that cannot be used now.
  package func note(providerFaults: Int) { faults.withLock { $0 = providerFaults } }

  /// A reload of the files is over.
  package func noteReload(isDone: Bool) { count(Figures.reloads, [("result", isDone ? "done" : "failed")]) }

  /// A set of connections that were made ready ahead of a chain is over.
  ///
  /// - Parameters:
  ///   - used: how many carried a request of the chain; `unused`: how many no chain needed;
  ///     `failed`: how many could not be made.
  ///   - unusedBytes: what those moved that no chain needed.
  package func noteWarmed(used: Int, unused: Int, failed: Int, unusedBytes: Int) {
    for (word, number) in [("used", used), ("unused", unused), ("failed", failed)] where number > 0 {
      Counter(label: Figures.warmConnections.name, dimensions: [("result", word)], factory: store)
        .increment(by: number)
    }
    guard unusedBytes > 0 else { return }
    Counter(label: Figures.warmUnusedBytes.name, dimensions: [], factory: store).increment(by: unusedBytes)
  }

  var providerFaults: Int { faults.withLock(\.self) }

  // MARK: - Bearers

  func note(_ change: ModemRegistry.Change) {
    let modem = change.modem
    let events: [BearerLife.Event] = lives.withLock { lives in
      // More modems than this are not followed.
      guard lives[modem.id] != nil || lives.count < Self.modems else { return [] }
      var life = lives[modem.id] ?? BearerLife()
      if case .removed = change {
        lives[modem.id] = nil
        return life.gone(at: clock.now)
      }
      let events = life.see(modem.bearer, isFaulty: modem.fault != nil, at: clock.now)
      lives[modem.id] = life
      return events
    }
    count(events, of: modem.id)
  }

  /// Counts the time until now of bearers that are up.
  func settle() {
    let events = lives.withLock { lives in
      lives.keys.map { id in (id, lives[id]?.settle(at: clock.now) ?? []) }
    }
    for (id, events) in events { count(events, of: id) }
  }

  private func count(_ events: [BearerLife.Event], of modem: String) {
    let modem = ("modem", modem)
    for event in events {
      switch event {
      case .up: count(Figures.bearerUps, [modem])
      case .down(let cause): count(Figures.bearerDowns, [modem, ("cause", cause)])
      case .attempt(let isUp): count(Figures.bearerAttempts, [modem, ("result", isUp ? "up" : "failed")])
      case .wasUp(let time):
        FloatingPointCounter(label: Figures.bearerUpSeconds.name, dimensions: [modem], factory: store)
          .increment(by: time / .seconds(1))
      }
    }
  }

  private func count(_ family: MetricFamily, _ labels: [(String, String)] = []) {
    Counter(label: family.name, dimensions: labels, factory: store).increment()
  }

  private func measure(_ family: MetricFamily, _ labels: [(String, String)] = [], seconds: Double) {
    Recorder(label: family.name, dimensions: labels, aggregate: true, factory: store).record(max(seconds, 0))
  }

  private func modem(behind port: String) -> String? { ports.withLock { $0[port] } }

  /// - Parameter modem: nil if the port has none any more.
  func note(_ modem: String?, behind port: String) {
    ports.withLock { ports in
      if ports[port] != nil || ports.count < Self.modems { ports[port] = modem }
    }
  }
}

extension ServiceMetrics: ServiceObserver {
  package func ended(_ result: ChainResult, after time: Duration) {
    let (word, cause) = result.words
    count(Figures.checks, [("result", word), ("cause", cause?.rawValue ?? "")])
    measure(Figures.checkDuration, [("result", word)], seconds: time / .seconds(1))
    switch cause {
    case .dnsFailed: count(Figures.dnsFailures, [("lane", "bearer")])
    case .tlsFailed: count(Figures.tlsFailures, [("lane", "bearer")])
    default: break
    }
  }

  package func ended(_ hop: ChainHop) {
    count(Figures.hops, [("scheme", hop.scheme.rawValue)])
    for (phase, milliseconds) in hop.times.phases {
      measure(Figures.checkPhases, [("phase", phase)], seconds: milliseconds / 1000)
    }
  }

  package func began(afterWaiting time: Duration) { measure(Figures.checkWait, seconds: time / .seconds(1)) }

  package func refused(_ code: ServiceError.Code) {
    switch code {
    case .tooManyFlows: count(Figures.checksRefused, [("reason", "queueFull")])
    case .waitedTooLong: count(Figures.checksRefused, [("reason", "waitedTooLong")])
    case .noModem, .moreThanOneModem, .noSuchModem, .portUnavailable, .inUse: break
    }
  }

  package func failed(_ failure: BackendFailure) {
    switch failure.kind {
    case .dns: count(Figures.dnsFailures, [("lane", "host")])
    case .tls: count(Figures.tlsFailures, [("lane", "host")])
    case .connect, .timeout, .closed, .tooLarge, .refused, .cancelled, .noDataPath: break
    }
  }

  package func endedFlow(
    of method: String, provider: String?, kind: String?, result: FlowResult?, isCancelled: Bool, after time: Duration
  ) {
    let word = result?.rawValue ?? (isCancelled ? "cancelled" : "error")
    let labels = [("method", method), ("provider", provider ?? "")]
    count(Figures.flows, labels + [("kind", kind ?? ""), ("result", word)])
    measure(Figures.flowDuration, labels, seconds: time / .seconds(1))
  }

  package func answered(port: String, modem: String) {
    note(modem, behind: port)
    count(Figures.portStarts, [("modem", modem)])
  }

  package func timedOut(port: String) {
    guard let modem = modem(behind: port) else { return }
    count(Figures.portTimeouts, [("modem", modem)])
  }
}

extension ChainResult {
  /// How it ended, and why it failed.
  fileprivate var words: (String, ChainFailure.Cause?) {
    switch self {
    case .answer: ("answer", nil)
    case .redirectReached: ("redirectReached", nil)
    case .failed(let failure): ("failed", failure.cause)
    }
  }
}

extension ChainHop.Times {
  /// How long each part took that there was, in milliseconds. The times themselves are since the
  /// hop's start.
  fileprivate var phases: [(String, Double)] {
    var last = 0.0
    return [("dns", dns), ("connect", connect), ("tls", tls), ("firstByte", firstByte)].compactMap { name, end in
      guard let end else { return nil }
      defer { last = max(last, end) }
      return (name, max(end - last, 0))
    }
  }
}
