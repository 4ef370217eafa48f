import JSONTree
import LimitClock
import OutsideNumber

/// The last commands with what they came to, so that none is carried out twice. What it says is
/// written to the disk before a command begins.
struct CommandBook: Sendable {
  /// Commands of one requester that have not expired.
  static let most = 256
  /// How much longer than its expiry a command is remembered: clocks of broker and machine differ,
  /// and the broker counts in whole seconds.
  static let grace = Duration.seconds(60)
  /// Bytes of final replies that are kept; beyond them the oldest ones are forgotten, and their
  /// commands are still not carried out again.
  static let mostBytes = 1 << 20

  enum Phase: Hashable, Sendable {
    case running
    /// With the final reply.
    case finished([String: JSONValue])
    /// The reply was too much to keep.
    case forgotten
    /// The process ended in the middle of it.
    case interrupted
  }

  struct Entry: Hashable, Sendable {
    let requester: String
    let correlation: [UInt8]
    let command: String
    var phase: Phase
    var until: LimitClock.Instant
    var bytes = 0
  }

  private(set) var entries: [Entry] = []
  private var bytes = 0

  /// What is known of a command.
  func entry(_ requester: String, _ correlation: [UInt8]) -> Entry? {
    entries.first { $0.requester == requester && $0.correlation == correlation }
  }

  /// Whether one more command of a requester can be remembered.
  mutating func hasRoom(for requester: String, _ now: LimitClock.Instant) -> Bool {
    forget(now)
    return entries.count { $0.requester == requester } < Self.most
  }

  /// Commands that are being carried out.
  func running(of requester: String? = nil) -> Int {
    entries.count { $0.phase == .running && (requester == nil || $0.requester == requester) }
  }

  mutating func begin(_ command: AcceptableCommand) {
    entries.append(
      Entry(
        requester: command.requester, correlation: command.correlation, command: command.name.rawValue,
        phase: .running, until: command.expires + Self.grace))
  }

  mutating func end(_ requester: String, _ correlation: [UInt8], _ reply: [String: JSONValue]) {
    guard let place = place(requester, correlation) else { return }
    entries[place].phase = .finished(reply)
    entries[place].bytes = JSONValue.object(reply).text.utf8.count
    bytes += entries[place].bytes
    guard bytes > Self.mostBytes else { return }
    for place in entries.indices where bytes > Self.mostBytes {
      guard case .finished = entries[place].phase else { continue }
      drop(place, .forgotten)
    }
  }

  /// Forgets a command that was not begun after all.
  mutating func remove(_ requester: String, _ correlation: [UInt8]) {
    guard let place = place(requester, correlation) else { return }
    bytes -= entries[place].bytes
    entries.remove(at: place)
  }

  /// Forgets what has expired.
  mutating func forget(_ now: LimitClock.Instant) {
    for entry in entries where entry.until <= now && entry.phase != .running { bytes -= entry.bytes }
    entries.removeAll { $0.until <= now && $0.phase != .running }
  }

  private mutating func drop(_ place: Int, _ phase: Phase) {
    bytes -= entries[place].bytes
    entries[place].bytes = 0
    entries[place].phase = phase
  }

  private func place(_ requester: String, _ correlation: [UInt8]) -> Int? {
    entries.firstIndex { $0.requester == requester && $0.correlation == correlation }
  }
}

/// A line of the journal of commands and audit.
enum JournalLine: Sendable {
  case begin(requester: String, correlation: [UInt8], command: String, lives: Int)
  case end(requester: String, correlation: [UInt8], reply: [String: JSONValue])
  /// An audit's body that waits for the broker.
  case audit(id: String, body: [String: JSONValue])
  /// The broker has it.
  case audited(id: String)

  var bytes: [UInt8] {
    let members: [String: JSONValue] =
      switch self {
      case .begin(let requester, let correlation, let command, let lives):
        [
          "begin": .string(requester), "correlation": .string(correlation.hexadecimal), "command": .string(command),
          "lives": .int(lives),
        ]
      case .end(let requester, let correlation, let reply):
        ["end": .string(requester), "correlation": .string(correlation.hexadecimal), "reply": .object(reply)]
      case .audit(let id, let body): ["audit": .string(id), "body": .object(body)]
      case .audited(let id): ["audited": .string(id)]
      }
    return Array("\(JSONValue.object(members).text)\n".utf8)
  }

  /// The lines of a file. A line that a crash cut, or that something else spoiled, is left out.
  static func lines(_ file: [UInt8]) -> [JournalLine] {
    file.split(separator: UInt8(ascii: "\n")).compactMap { line in
      JSONValue(parsing: line).flatMap(JournalLine.init)
    }
  }

  private init?(_ value: JSONValue) {
    if let requester = value["begin"]?.string, let command = value["command"]?.string,
      let correlation = value["correlation"]?.string.flatMap({ [UInt8](hexadecimal: $0) }),
      let lives = value["lives"]?.integer
    {
      self = .begin(
        requester: requester, correlation: correlation, command: command,
        lives: min(max(lives, 0), CommandGate.longestLife))
    } else if let requester = value["end"]?.string,
      let correlation = value["correlation"]?.string.flatMap({ [UInt8](hexadecimal: $0) }),
      case .object(let reply)? = value["reply"]
    {
      self = .end(requester: requester, correlation: correlation, reply: reply)
    } else if let id = value["audit"]?.string, case .object(let body)? = value["body"] {
      self = .audit(id: id, body: body)
    } else if let id = value["audited"]?.string {
      self = .audited(id: id)
    } else {
      return nil
    }
  }
}

extension CommandBook {
  /// The book as another process left it. Its clock is not this one's, so each command is
  /// remembered for as long as it could be from now on.
  init(_ lines: [JournalLine], now: LimitClock.Instant) {
    for line in lines {
      switch line {
      case .begin(let requester, let correlation, let command, let lives):
        remove(requester, correlation)
        entries.append(
          Entry(
            requester: requester, correlation: correlation, command: command, phase: .interrupted,
            until: now + .seconds(Int64(lives)) + Self.grace))
      case .end(let requester, let correlation, let reply): end(requester, correlation, reply)
      case .audit, .audited: continue
      }
    }
  }

  /// The lines from which the book can be made again.
  func lines(_ now: LimitClock.Instant) -> [JournalLine] {
    entries.flatMap { entry -> [JournalLine] in
      let lives = (entry.until - now - Self.grace).bounded.millisecondsRoundedUp / 1000 + 1
      let begin = JournalLine.begin(
        requester: entry.requester, correlation: entry.correlation, command: entry.command,
        lives: min(lives, CommandGate.longestLife))
      guard case .finished(let reply) = entry.phase else { return [begin] }
      return [begin, .end(requester: entry.requester, correlation: entry.correlation, reply: reply)]
    }
  }
}
