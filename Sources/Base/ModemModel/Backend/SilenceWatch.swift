/// What is known of a modem's silence, and how long it is borne.
///
/// A control message whose length is wrong makes libmbim, libqmi or a proxy wait for bytes that never come: the modem answers, and
/// nobody hears it. A modem that thinks is told from one that is not heard by a cheap question.
public struct SilenceWatch: Sendable {
  /// Times of the watch, each above zero.
  public struct Patience: Sendable {
    /// How long a command waits, with nothing heard meanwhile, until the modem is asked whether it is there. Doubled with each question.
    public var command: Duration
    /// How long the answer to that question is waited for.
    public var question: Duration
    /// How long nothing may be heard while no command waits, until the modem is asked.
    public var idle: Duration
    /// How long a modem may be silent over a command that may take long, its own or another program's: some do nothing else meanwhile.
    public var longCommand: Duration

    public init(
      command: Duration = .seconds(1), question: Duration = .seconds(3), idle: Duration = .seconds(60),
      longCommand: Duration = .seconds(30)
    ) {
      self.command = command
      self.question = question
      self.idle = idle
      self.longCommand = longCommand
    }
  }

  public let patience: Patience
  /// When the modem was heard last, or the watch began.
  package private(set) var lastHeard = SuspendingClock.now
  /// Whether the modem was given up: it is not asked again.
  package private(set) var isOver = false
  private var longCommands = 0
  private let unansweredLimit: Int
  private var unanswered = 0
  fileprivate var asking: Task<Void, Never>?
  fileprivate var idleWatch: Task<Void, Never>?

  /// - Parameter unansweredLimit: how many commands in a row may stay without an answer.
  public init(_ patience: Patience, unansweredLimit: Int = 5) {
    self.patience = patience
    self.unansweredLimit = unansweredLimit
  }

  /// A message of the modem's came.
  package mutating func heard() { lastHeard = .now }

  /// The modem was given up, or its port closed.
  package mutating func end() {
    isOver = true
    idleWatch?.cancel()
    idleWatch = nil
  }

  /// Counts the commands that the modem leaves without an answer, one after the other.
  /// - Returns: Whether they are too many now.
  fileprivate mutating func note(isAnswered: Bool) -> Bool {
    unanswered = isAnswered ? 0 : unanswered + 1
    return unanswered == unansweredLimit
  }

  fileprivate mutating func begin(isLong: Bool) { if isLong { longCommands += 1 } }
  package mutating func end(isLong: Bool) { if isLong { longCommands -= 1 } }

  /// Whether questions without an answer mean that the modem is not heard.
  /// - Parameter isShared: Whether others send commands, too, that may take long.
  fileprivate func isTooLong(isShared: Bool) -> Bool {
    longCommands == 0 && !isShared || SuspendingClock.now - lastHeard >= patience.longCommand
  }
}

/// A modem whose silence is watched.
package protocol SilenceWatching: Actor {
  var silence: SilenceWatch { get set }

  /// How many cheap questions are asked one after the other until the modem is given up, and how many at a time.
  nonisolated var questions: [Int] { get }

  /// Whether another program's command may keep the modem from answering.
  nonisolated var isShared: Bool { get }

  /// Asks the modem something that it knows by heart.
  /// - Returns: Whether it answered, whatever it said; also where the port is closed, and nothing is to be learnt.
  func answersQuestion(within limit: Duration) async -> Bool

  /// The modem is not heard any more.
  func becameSilent()
}

extension SilenceWatching {
  /// Watches over a command that is being sent, until the task is cancelled.
  /// - Parameter isLong: Whether the modem may take long over it. Then `silence.end(isLong:)` is to be called at its end.
  package func watchCommand(isLong: Bool) -> Task<Void, Never> {
    silence.begin(isLong: isLong)
    return Task { [weak self, patience = silence.patience] in
      var (wait, since) = (patience.command, SuspendingClock.now)
      // Time in which the machine sleeps does not count.
      while (try? await Task.sleep(for: wait, clock: .suspending)) != nil {
        await self?.ask(unlessHeardSince: since)
        since = .now
        wait = min(wait * 2, patience.longCommand)
      }
    }
  }

  /// A command is over; with whether the modem answered it.
  package func note(isAnswered: Bool) {
    if silence.note(isAnswered: isAnswered) { becameSilent() }
  }

  /// Watches over the port while no command waits: what the modem says unasked would be lost without anybody's noticing.
  package func watchIdleness() {
    silence.heard()
    silence.idleWatch = Task { [weak self, patience = silence.patience] in
      var wait = patience.idle
      while (try? await Task.sleep(for: wait, clock: .suspending)) != nil, let self {
        wait = await self.askIfIdle()
      }
    }
  }

  private func askIfIdle() async -> Duration {
    let silent = SuspendingClock.now - silence.lastHeard
    guard silent >= silence.patience.idle else { return silence.patience.idle - silent }
    await ask()
    return silence.patience.idle
  }

  private func ask(unlessHeardSince moment: SuspendingClock.Instant) async {
    if silence.lastHeard <= moment { await ask() }
  }

  /// Asks whether the modem is heard, once for all who want to know, and gives it up where it is not.
  package func ask() async {
    guard !silence.isOver else { return }
    if let asking = silence.asking { return await asking.value }
    let asking = Task { await askUntilHeard() }
    silence.asking = asking
    await asking.value
    silence.asking = nil
  }

  private func askUntilHeard() async {
    let limit = silence.patience.question
    for count in questions {
      let moment = SuspendingClock.now
      let isAnswered = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<count { group.addTask { await self.answersQuestion(within: limit) } }
        var isAnswered = false
        // All of them: what is under way must not be taken for a question without an answer.
        for await answer in group where answer { isAnswered = true }
        return isAnswered
      }
      if isAnswered { return silence.heard() }
      // Another command's answer, or what the modem says unasked, is as good.
      guard silence.lastHeard <= moment, !silence.isOver else { return }
    }
    guard silence.isTooLong(isShared: isShared) else { return }
    silence.end()
    becameSilent()
  }
}
