import FleetAPI
import JSONTree
import JournalLog
import LimitClock
import Logging
import MQTTClient
import ModemModel

/// What became of a command, for the audit.
struct AuditNote: Sendable {
  enum Result: String, Sendable {
    case done, failed, refused, repeated, interrupted
  }

  let requester: String
  let command: String
  let correlation: [UInt8]?
  /// A person's name as the requester tells it. Nobody proves it.
  var person: String?
  let result: Result
  /// The outcome's word, the error's name, or the refusal's reason.
  var detail: String?
  var milliseconds: Int?

  var body: [String: JSONValue] {
    JSONValue.fields([
      "requester": .string(requester), "command": .string(command),
      "correlation": correlation.map { .string($0.prefix(4).hexadecimal) }, "person": person.json,
      "result": .string(result.rawValue), "detail": detail.json, "milliseconds": milliseconds.json,
    ])
  }
}

extension FleetAgent {
  /// Refusals that `Status` shows.
  private static let mostRefusals = 32
  /// Refusals that are answered, told and logged in a minute.
  private static let toldInAMinute = 30
  private static let auditLife = Duration.seconds(86_400)

  /// Tells the journal and the fleet of a command that was taken.
  func audit(_ note: AuditNote) async {
    let detail = note.detail.map { ", \($0)" } ?? ""
    logger.event(
      .fleetCommandDone, level: .notice,
      "\(note.requester) had the fleet's command \(note.command) carried out: \(note.result.rawValue)\(detail)",
      metadata: Self.metadata(note))
    await queueAudit(note.body)
  }

  private static func metadata(_ note: AuditNote) -> Logger.Metadata {
    var metadata: Logger.Metadata = [
      "requester": "\(note.requester)", "command": "\(note.command)", "result": "\(note.result.rawValue)",
    ]
    if let correlation = note.correlation { metadata["correlation"] = "\(correlation.prefix(4).hexadecimal)" }
    if let detail = note.detail { metadata["detail"] = "\(detail)" }
    return metadata
  }

  /// Counts a refused command, and tells of it while there are not too many.
  ///
  /// - Returns: whether it is told.
  func refuse(
    _ refusal: CommandRefusal, requester: String, command: String, correlation: [UInt8]?, person: String?
  ) async -> Bool {
    counts.refused += 1
    guard tells(requester) else {
      untold += 1
      untoldDue = untoldDue ?? clocks.waits.now + .seconds(60)
      return false
    }
    refusals.insert(
      .init(
        time: clocks.now().description, requester: requester, command: command, reason: refusal.reason,
        message: refusal.text), at: 0)
    if refusals.count > Self.mostRefusals { refusals.removeLast() }
    let note = AuditNote(
      requester: requester, command: command, correlation: correlation, person: person, result: .refused,
      detail: refusal.reason.rawValue)
    logger.event(
      .fleetCommandRefused, level: .warning,
      "\(requester) was refused the fleet's command \(command): \(refusal.text)", metadata: Self.metadata(note))
    await queueAudit(note.body)
    return true
  }

  private func tells(_ requester: String) -> Bool {
    let name = settings.commands.requesters[requester] == nil ? "" : requester
    return toldRefusals[name, default: RateWindow(Self.toldInAMinute, within: .seconds(60))].take(clocks.waits.now)
  }

  /// Tells how many refused commands were not told.
  func tellUntold() async {
    untoldDue = nil
    let count = untold
    untold = 0
    logger.event(
      .fleetCommandRefused, level: .warning, "\(count) more commands from the fleet were refused within a minute")
    await queueAudit(["result": .string(AuditNote.Result.refused.rawValue), "count": .int(count)])
  }

  // MARK: - Kept until the broker has it

  func queueAudit(_ body: [String: JSONValue]) async {
    lastAudit += 1
    let id = "\(clocks.now().milliseconds)-\(lastAudit)"
    queueAudit(body, id: id, time: clocks.now())
    var line = body
    line["time"] = .string(clocks.now().description)
    await note(.audit(id: id, body: line))
    flush()
  }

  private func queueAudit(_ body: [String: JSONValue], id: String, time: Timestamp) {
    let expires = clocks.waits.now + Self.auditLife
    for item in events.add("audit", body, time: time, expires: expires, auditID: id) { forgetAudit(item) }
  }

  /// An audit that is not sent need not be kept either.
  func forgetAudit(_ item: SendQueue.Item) {
    guard let id = item.auditID else { return }
    Task { await note(.audited(id: id)) }
  }

  /// Audits that the broker does not have.
  var pendingAudits: [JournalLine] {
    events.items.compactMap { item in
      guard let id = item.auditID else { return nil }
      var body = item.body
      body["time"] = .string(item.time.description)
      return .audit(id: id, body: body)
    }
  }

  /// Takes over what an earlier process had not sent, and tells of commands that its end cut.
  func recallAudits(_ lines: [JournalLine]) {
    var waiting: [(id: String, body: [String: JSONValue])] = []
    for line in lines {
      switch line {
      case .audit(let id, let body): waiting.append((id, body))
      case .audited(let id): waiting.removeAll { $0.id == id }
      case .begin, .end: continue
      }
    }
    for (id, body) in waiting.suffix(events.mostMessages) {
      var body = body
      let time = body.removeValue(forKey: "time")?.string.flatMap { Timestamp(rfc3339: $0) }
      queueAudit(body, id: id, time: time ?? clocks.now())
    }
    for entry in book.entries where entry.phase == .interrupted {
      let note = AuditNote(
        requester: entry.requester, command: entry.command, correlation: entry.correlation, result: .interrupted)
      logger.event(
        .fleetCommandDone, level: .notice,
        "the end of modemd-fleet interrupted the command \(entry.command) of \(entry.requester)",
        metadata: Self.metadata(note))
      // The id is the command's, so that a second restart does not tell it twice.
      let id = "interrupted-\(entry.requester)-\(entry.correlation.hexadecimal)"
      if !waiting.contains(where: { $0.id == id }) { queueAudit(note.body, id: id, time: clocks.now()) }
    }
  }
}
