import JSONTree
import LimitClock
import MetricsAPI
import ModemAPI
import OutsideNumber
import Synchronization

extension FleetAgent {
  /// How long a command may take, in seconds.
  static let longestCommand = 300
  /// Bytes of a reply's body beside time and session.
  private static let replyBytes = 15 << 10

  /// Carries a command out, tells what it came to, and remembers that.
  func perform(
    _ command: AcceptableCommand, _ target: FleetCommand, _ wantsProgress: Bool, _ person: String?
  ) async {
    let start = clocks.waits.now
    let sequence = ReplySequence()
    let final: [String: JSONValue]
    var failure: String?
    var word: String?
    do {
      let outcome = try await outcome(of: command, target, wantsProgress, sequence)
      word = outcome["result"]?.string
      final = ["seq": .int(sequence.next), "event": .string("outcome"), "outcome": .object(outcome)]
    } catch {
      let (parameters, text) = discretion.error(error)
      failure = error.name
      final = errorBody(sequence.next, error.name, parameters, text)
    }
    await finish(command, fitting(final, sequence.last), start, failure: failure, word: word, person)
  }

  private func finish(
    _ command: AcceptableCommand, _ final: [String: JSONValue], _ start: LimitClock.Instant, failure: String?,
    word: String?, _ person: String?
  ) async {
    let milliseconds = Int((clocks.waits.now - start).saturatedMilliseconds)
    book.end(command.requester, command.correlation, final)
    running[CommandID(requester: command.requester, correlation: command.correlation)] = nil
    await note(.end(requester: command.requester, correlation: command.correlation, reply: final))
    answer(command.requester, command.correlation, final)
    if command.name == .verify || command.name == .open, case .object(let outcome)? = final["outcome"] {
      tellResult(command, outcome, milliseconds)
    }
    await audit(
      AuditNote(
        requester: command.requester, command: command.name.rawValue, correlation: command.correlation,
        person: person, result: failure == nil ? .done : .failed, detail: failure ?? word, milliseconds: milliseconds))
    flush()
  }

  /// The event of a check or a verification: how it ended, without a number.
  private func tellResult(_ command: AcceptableCommand, _ outcome: [String: JSONValue], _ milliseconds: Int) {
    let kept = ["result", "number", "provider", "kind", "modem", "cause", "code"]
    var body = outcome.filter { kept.contains($0.key) }
    if let cause = outcome["failure"]?["cause"] { body["cause"] = cause }
    body["requester"] = .string(command.requester)
    body["milliseconds"] = .int(milliseconds)
    tell(command.name == .verify ? "verify" : "check", body)
  }

  /// A reply that is too large is refused, not cut.
  private func fitting(_ body: [String: JSONValue], _ seq: Int) -> [String: JSONValue] {
    guard JSONValue.object(body).text.utf8.count > Self.replyBytes else { return body }
    return errorBody(
      seq, "org.modemd.Fleet.ReplyTooLarge", [:],
      "the command was carried out, and its reply would have more than 16 KiB")
  }

  private func outcome(
    of command: AcceptableCommand, _ target: FleetCommand, _ wantsProgress: Bool, _ sequence: ReplySequence
  ) async throws(MachineFailure) -> [String: JSONValue] {
    switch target {
    case .figures: return try await tellFigures(command, sequence)
    case .diagnosis: return try await tellDiagnosis(command, sequence)
    default:
      let tell: @Sendable (MachineProgress) async -> Void = { [weak self, discretion] progress in
        if wantsProgress { await self?.tellProgress(command, discretion.progress(progress), sequence) }
      }
      let answer = try await limited { [machine] in try await machine.carryOut(target, progress: tell) }
      return discretion.outcome(answer, numbers: numbers)
    }
  }

  private func tellProgress(
    _ command: AcceptableCommand, _ body: [String: JSONValue], _ sequence: ReplySequence
  ) {
    // A step that is too large is left out; the sequence shows that.
    let seq = sequence.next
    guard JSONValue.object(body).text.utf8.count <= Self.replyBytes else { return }
    answer(command.requester, command.correlation, body.merging(["seq": .int(seq)]) { $1 })
  }

  private func tellFigures(
    _ command: AcceptableCommand, _ sequence: ReplySequence
  ) async throws(MachineFailure) -> [String: JSONValue] {
    let figures = try await limited { [machine] in try await machine.figures() } + ownFigures
    let all = figures.prefix(MetricReport.most).map { MetricReport.json($0, discretion) }
    let parts = MetricReport.parts(all, bytes: Self.figureBytes)
    for (place, part) in parts.enumerated() {
      answer(
        command.requester, command.correlation,
        [
          "seq": .int(sequence.next), "event": .string("figures"), "part": .int(place + 1),
          "parts": .int(parts.count), "figures": .array(part),
        ])
    }
    return ["count": .int(all.count), "parts": .int(parts.count)]
  }

  private func tellDiagnosis(
    _ command: AcceptableCommand, _ sequence: ReplySequence
  ) async throws(MachineFailure) -> [String: JSONValue] {
    isDiagnosing = true
    defer { isDiagnosing = false }
    let report = try await limited { [machine] in try await machine.diagnosis() }
    let parts = try ReportParts(report)
    for (place, part) in parts.texts.enumerated() {
      answer(
        command.requester, command.correlation,
        [
          "seq": .int(sequence.next), "event": .string("part"), "part": .int(place + 1),
          "parts": .int(parts.texts.count), "gzip": .string(part),
        ])
    }
    return ["bytes": .int(report.count), "parts": .int(parts.texts.count)]
  }

  /// The machine's answer, or a failure when it takes too long.
  private func limited<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws(MachineFailure) -> Value {
    let clock = clocks.waits
    do {
      return try await withThrowingTaskGroup(of: Value.self) { group in
        defer { group.cancelAll() }
        group.addTask(operation: body)
        group.addTask {
          try await clock.pause(for: .seconds(Int64(Self.longestCommand)))
          throw MachineFailure.timedOut("the command took longer than \(Self.longestCommand) s, and was ended")
        }
        guard let first = try await group.next() else { throw CancellationError() }
        return first
      }
    } catch let failure as MachineFailure {
      throw failure
    } catch is CancellationError {
      throw MachineFailure("org.modemd.Fleet.Interrupted", "the agent ended while it carried the command out")
    } catch {
      throw MachineFailure.failed("the command failed: \(error)")
    }
  }
}

/// Counts the replies of one command. Its first reply, `accepted`, is 0.
final class ReplySequence: Sendable {
  private let count = Mutex(0)

  var next: Int {
    count.withLock { count in
      count += 1
      return count
    }
  }

  /// The number that was given last.
  var last: Int { count.withLock { $0 } }
}
