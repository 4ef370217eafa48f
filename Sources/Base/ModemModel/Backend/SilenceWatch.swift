import LimitClock

/// What is known about a modem's silence, and how long to tolerate it.
///
/// A control message with a wrong length makes libmbim, libqmi or a proxy wait for bytes that never
/// come: the modem answers, but the answer does not arrive. A cheap question distinguishes such a
/// modem from a busy one.
public struct SilenceWatch: Sendable {
  /// Times of the watch, each above zero.
  public struct Patience: Sendable {
    /// How long a command waits without any message from the modem before the modem is asked
    /// whether it is there. It doubles with each question.
    public var command: Duration
    /// How long to wait for the answer to that question.
    public var question: Duration
    /// How long the modem may be silent without a waiting command before it is asked.
    public var idle: Duration
    /// How long a modem may be silent during a command that may take long, its own or another
    /// program's: some do nothing else meanwhile.
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
  package let clock: LimitClock
  /// When the last message came from the modem, or the watch began.
  package private(set) var lastHeard: LimitClock.Instant
  /// Whether the modem was abandoned: it is not asked again.
  package private(set) var isOver = false
  private var waiting = WaitingCommands()
  private let unansweredLimit: Int
  private var unanswered = 0
  fileprivate var asking: Task<Void, Never>?
  fileprivate var idleWatch: Task<Void, Never>?
  /// Sleeps until the first waiting command wants a question; one for all commands, because most
  /// are answered long before. Nil where none has waited for a while.
  fileprivate var commandWatch: (wakes: LimitClock.Instant, task: Task<Void, Never>)?

  /// Whether a task waits for the time at which a command wants a question.
  package var isWatchingCommands: Bool { commandWatch != nil }

  /// - Parameter unansweredLimit: how many commands in a row may stay unanswered.
  package init(_ patience: Patience, unansweredLimit: Int = 5, clock: LimitClock = .machine) {
    self.patience = patience
    self.clock = clock
    lastHeard = clock.now
    self.unansweredLimit = unansweredLimit
  }

  /// A message came from the modem.
  package mutating func heard() { lastHeard = clock.now }

  /// The modem was abandoned, or its port closed.
  package mutating func end() {
    isOver = true
    idleWatch?.cancel()
    idleWatch = nil
    commandWatch?.task.cancel()
    commandWatch = nil
  }

  /// Counts consecutive commands without an answer.
  /// - Returns: Whether the limit is now reached.
  fileprivate mutating func note(isAnswered: Bool) -> Bool {
    unanswered = isAnswered ? 0 : unanswered + 1
    return unanswered == unansweredLimit
  }

  fileprivate mutating func begin(isLong: Bool) -> WatchedCommand {
    waiting.begin(isLong: isLong, after: patience.command, now: clock.now)
  }

  /// A command is over, however it ended.
  package mutating func end(_ command: WatchedCommand) { waiting.end(command) }

  /// When the first waiting command wants a question; nil if none waits.
  fileprivate var nextQuestion: LimitClock.Instant? { waiting.nextQuestion }

  /// The commands that have waited for their time.
  fileprivate func due() -> [WatchedCommand] { waiting.due(now: clock.now) }

  /// Whether the modem was silent for as long as one of these commands has waited for it.
  fileprivate func isSilent(since commands: [WatchedCommand]) -> Bool {
    commands.contains { waiting.began($0).map { lastHeard <= $0 } ?? false }
  }

  /// These commands wait anew, twice as long.
  fileprivate mutating func waitAgain(_ commands: [WatchedCommand]) {
    for command in commands { waiting.waitAgain(command, most: patience.longCommand, now: clock.now) }
  }

  /// Whether unanswered questions mean that the modem can no longer be reached.
  /// - Parameter isShared: Whether other programs also send commands that may take long.
  fileprivate func isTooLong(isShared: Bool) -> Bool {
    !waiting.hasLong && !isShared || clock.now - lastHeard >= patience.longCommand
  }
}

/// A modem whose silence is watched.
package protocol SilenceWatching: Actor {
  var silence: SilenceWatch { get set }

  /// How many cheap questions are asked, one after the other, before the modem is abandoned, and
  /// how many at a time.
  nonisolated var questions: [Int] { get }

  /// Whether another program's command may keep the modem from answering.
  nonisolated var isShared: Bool { get }

  /// Asks the modem something that it can answer at once.
  /// - Returns: Whether it answered at all; also true if the port is closed and nothing can be
  ///   learned.
  func answersQuestion(within limit: Duration) async -> Bool

  /// The modem no longer answers.
  func becameSilent()
}

extension SilenceWatching {
  /// Watches a command that is being sent, until `silence.end` is called with what this returns.
  /// - Parameter isLong: Whether the modem may take long.
  package func watchCommand(isLong: Bool) -> WatchedCommand {
    let command = silence.begin(isLong: isLong)
    if !silence.isOver { watchCommands() }
    return command
  }

  /// Makes sure that somebody wakes when the first command wants a question. Whoever wakes then
  /// looks after all of them.
  private func watchCommands() {
    guard let next = silence.nextQuestion else { return }
    if let watch = silence.commandWatch {
      guard next < watch.wakes else { return }
      watch.task.cancel()
    }
    let task = Task { [weak self, clock = silence.clock] in
      var next = next
      while (try? await clock.pause(for: next - clock.now)) != nil, let later = await self?.askForCommands() {
        next = later
      }
    }
    silence.commandWatch = (next, task)
  }

  /// Asks if a command has waited for its time in silence.
  /// - Returns: When to look again; nil if nothing waits, or another task looks.
  private func askForCommands() async -> LimitClock.Instant? {
    guard !Task.isCancelled else { return nil }
    let due = silence.due()
    if silence.isSilent(since: due) { await ask() }
    guard !Task.isCancelled else { return nil }
    silence.waitAgain(due)
    guard let next = silence.nextQuestion else {
      silence.commandWatch = nil
      return nil
    }
    silence.commandWatch?.wakes = next
    return next
  }

  /// A command is over; whether the modem answered it.
  package func note(isAnswered: Bool) {
    if silence.note(isAnswered: isAnswered) { becameSilent() }
  }

  /// Watches the port while no command waits. Otherwise, unsolicited reports could be lost
  /// unnoticed.
  package func watchIdleness() {
    silence.heard()
    silence.idleWatch = Task { [weak self, patience = silence.patience, clock = silence.clock] in
      var wait = patience.idle
      while (try? await clock.pause(for: wait)) != nil, let self {
        wait = await self.askIfIdle()
      }
    }
  }

  private func askIfIdle() async -> Duration {
    let silent = silence.clock.now - silence.lastHeard
    guard silent >= silence.patience.idle else { return silence.patience.idle - silent }
    await ask()
    return silence.patience.idle
  }

  private func ask(unlessHeardSince moment: LimitClock.Instant) async {
    if silence.lastHeard <= moment { await ask() }
  }

  /// Asks whether the modem still answers, once for all callers, and abandons it if not.
  package func ask() async {
    guard !silence.isOver else { return }
    if let asking = silence.asking { return await asking.value }
    let asking = Task {
      await askUntilHeard()
      // Here and not by whoever waits: until then, others would join a question that is over.
      silence.asking = nil
    }
    silence.asking = asking
    await asking.value
  }

  private func askUntilHeard() async {
    let limit = silence.patience.question
    for count in questions {
      let moment = silence.clock.now
      let isAnswered = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<count { group.addTask { await self.answersQuestion(within: limit) } }
        var isAnswered = false
        // All of them, so that a running one is not taken for an unanswered question.
        for await answer in group where answer { isAnswered = true }
        return isAnswered
      }
      if isAnswered { return silence.heard() }
      // Another command's answer or an unsolicited report is just as good.
      guard silence.lastHeard <= moment, !silence.isOver else { return }
    }
    guard silence.isTooLong(isShared: isShared) else { return }
    silence.end()
    becameSilent()
  }
}
