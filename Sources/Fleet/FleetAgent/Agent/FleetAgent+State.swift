import FleetAPI
import JSONTree
import LimitClock
import MQTTClient
import ModemModel

extension FleetAgent {
  /// Reads what an earlier process left, and begins the files anew.
  func recall() async throws {
    let now = clocks.expiries.now
    let state = StateFile(try await memory.read(.state))
    let lines = JournalLine.lines(try await memory.read(.journal))
    nextSession = state.session + 1
    if fleetKey == nil, let key = state.key.flatMap({ FleetKey($0) }) { discretion = Discretion(key: key) }
    board = TopicBoard(known: state.topics)
    savedTopics = state.topics
    day = DayTraffic(day: state.day, bytes: state.dayBytes)
    // An audit that a process left is told before anything new.
    book = CommandBook(lines, now: now)
    recallAudits(lines)
    try await memory.replace(.journal, with: journal)
    journalBytes = 0
    connection.change(will: Self.will(topics, session: nextSession, time: clocks.now()))
    board.set("status", statusBody(.online), isUrgent: true, now: clocks.waits.now)
    board.set("about", aboutBody, isUrgent: true, now: clocks.waits.now)
    if settings.numbers == .hashed, fleetKey == nil {
      logger.warning("numbers are not told: \"numbers\": \"hashed\" needs the fleet's key")
    }
    await save()
  }

  /// The journal's present content, without what is over.
  private var journal: [UInt8] {
    (book.lines(clocks.expiries.now) + pendingAudits).flatMap(\.bytes)
  }

  /// Adds a line that need not be there before anything else happens.
  func note(_ line: JournalLine) async { try? await noteFirst(line) }

  /// Adds a line, and returns when the disk has it.
  ///
  /// - Throws: `FleetMemoryError`.
  func noteFirst(_ line: JournalLine) async throws {
    let bytes = line.bytes
    journalBytes += bytes.count
    let whole: [UInt8]?
    if journalBytes > 512 << 10 {
      book.forget(clocks.expiries.now)
      (whole, journalBytes) = (journal, 0)
    } else {
      whole = nil
    }
    // One after the other, in the order of this actor: a new file must not lose a line.
    let before = journalTail
    let task = Task { [memory] in
      _ = await before?.result
      if let whole {
        try await memory.replace(.journal, with: whole)
      } else {
        try await memory.append(bytes, to: .journal)
      }
    }
    journalTail = task
    try await task.value
  }

  /// Writes the state's file. What changes meanwhile is written after it.
  func save() async {
    guard !isSaving else { return }
    isSaving = true
    defer { isSaving = false }
    while true {
      countDay()
      let topics = board.names
      let file = StateFile(
        session: max(session ?? 0, nextSession - 1), key: fleetKey == nil ? discretion.key.stored : nil,
        topics: topics, day: day.day, dayBytes: day.bytes)
      do {
        try await memory.replace(.state, with: file.bytes)
      } catch {
        logger.error("the state cannot be kept: \(error)")
        return
      }
      savedTopics = topics
      if board.names == topics, file.session == max(session ?? 0, nextSession - 1) { return }
    }
  }
}

/// What an agent's state file says. A file that cannot be understood says nothing.
struct StateFile: Sendable {
  /// The last session's number.
  var session = 0
  /// The key for modems' names, where there is no fleet's key.
  var key: [UInt8]?
  /// Retained topics that the broker may keep.
  var topics: Set<String> = []
  var day = ""
  var dayBytes = 0

  init(session: Int, key: [UInt8]?, topics: Set<String>, day: String, dayBytes: Int) {
    self.session = session
    self.key = key
    self.topics = topics
    self.day = day
    self.dayBytes = dayBytes
  }

  init(_ file: [UInt8]) {
    guard let value = JSONValue(parsing: file) else { return }
    session = min(max(value["n"]?.integer ?? 0, 0), 1 << 52)
    key = value["key"]?.string.flatMap { [UInt8](hexadecimal: $0) }
    topics = Set((value["topics"]?.items ?? []).prefix(1024).compactMap(\.string))
    day = value["day"]?.string ?? ""
    dayBytes = max(value["dayBytes"]?.integer ?? 0, 0)
  }

  var bytes: [UInt8] {
    Array(
      JSONValue.object(
        JSONValue.fields([
          "n": .int(session), "key": key.map { .string($0.hexadecimal) },
          "topics": .array(topics.sorted().map { .string($0) }), "day": .string(day), "dayBytes": .int(dayBytes),
        ])
      ).text.utf8)
  }
}
