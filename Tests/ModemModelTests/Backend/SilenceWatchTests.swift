import ClockTestSupport
import LimitClock
import ModemModel
import Testing

/// A modem in memory that answers questions as a test says.
private actor QuestionedModem: SilenceWatching {
  nonisolated let questions: [Int]
  nonisolated let isShared: Bool
  var silence: SilenceWatch
  private var answers: [Bool]
  private(set) var asked = 0
  private(set) var isSilent = false
  nonisolated let ends: AsyncStream<Void>
  private nonisolated let end: AsyncStream<Void>.Continuation

  init(
    _ patience: SilenceWatch.Patience, questions: [Int] = [1, 1], isShared: Bool = false, answers: [Bool],
    clock: LimitClock = .machine
  ) {
    self.questions = questions
    self.isShared = isShared
    self.answers = answers
    silence = SilenceWatch(patience, clock: clock)
    (ends, end) = AsyncStream.makeStream()
  }

  func answersQuestion(within limit: Duration) async -> Bool {
    asked += 1
    return answers.isEmpty ? false : answers.removeFirst()
  }

  func becameSilent() {
    isSilent = true
    end.yield()
  }

  func command(isLong: Bool) -> WatchedCommand { watchCommand(isLong: isLong) }
  func watch() { watchIdleness() }
  func hear() { silence.heard() }
  var isWatching: Bool { silence.isWatchingCommands }
  func finish(_ command: WatchedCommand) { silence.end(command) }
}

@Suite("A modem's silence", .timeLimit(.minutes(1))) struct SilenceWatchTests {
  private static let quick = SilenceWatch.Patience(
    command: .milliseconds(1), question: .milliseconds(1), idle: .milliseconds(1), longCommand: .seconds(600))

  @Test("It is over where no question in a row is answered, and nobody asks any more")
  func silent() async {
    let modem = QuestionedModem(Self.quick, answers: [true, false, true, false, false])
    await modem.ask()
    #expect(await !modem.isSilent)
    await modem.ask()
    #expect(await !modem.isSilent)
    await modem.ask()
    #expect(await modem.isSilent)
    await modem.ask()
    #expect(await modem.asked == 5)
  }

  @Test("The last questions come many at a time, and one answer is enough")
  func many() async {
    let modem = QuestionedModem(
      Self.quick, questions: [1, 1, 4], answers: [false, false, false, false, false, true])
    await modem.ask()
    #expect(await modem.asked == 6)
    #expect(await !modem.isSilent)
  }

  @Test("A command that waits, and idleness, lead to questions", arguments: [false, true])
  func led(isIdle: Bool) async {
    let modem = QuestionedModem(Self.quick, answers: [true, true])
    let command = isIdle ? nil : await modem.command(isLong: false)
    if isIdle { await modem.watch() }
    for await _ in modem.ends { break }
    if let command { await modem.finish(command) }
    #expect(await modem.asked == 4)
  }

  @Test("A command that may take long is borne longer than two questions; once it has ended, it is not")
  func long() async {
    let modem = QuestionedModem(Self.quick, answers: [])
    let command = await modem.command(isLong: true)
    while await modem.asked < 6 { await Task.yield() }
    #expect(await !modem.isSilent)
    await modem.finish(command)
    // The first may join a question that began before the command was over.
    for _ in 0..<2 { await modem.ask() }
    #expect(await modem.isSilent)
  }

  @Test("A modem that others use, too, is borne as long as over a command that may take long")
  func shared() async {
    let modem = QuestionedModem(Self.quick, isShared: true, answers: [])
    await modem.ask()
    #expect(await !modem.isSilent)
    var patience = Self.quick
    patience.longCommand = .nanoseconds(1)
    let other = QuestionedModem(patience, isShared: true, answers: [])
    await other.ask()
    #expect(await other.isSilent)
  }

  @Test("An idle modem is asked when it has been silent for its patience, and not before")
  func idle() async {
    let time = DrivenClock()
    let modem = QuestionedModem(
      SilenceWatch.Patience(idle: .seconds(60)), answers: [true], clock: time.clock)
    await modem.watch()
    #expect(await time.asleep() == [.seconds(60)])
    time.advance(by: .seconds(40))
    await modem.hear()
    time.advance(by: .seconds(20))
    #expect(await time.asleep() == [.seconds(40)])
    #expect(await modem.asked == 0)
    time.advance(by: .seconds(40))
    #expect(await time.asleep() == [.seconds(60)])
    #expect(await modem.asked == 1)
  }

  @Test("During a command the modem is asked after waits that double, unless it was heard in one")
  func waits() async {
    let time = DrivenClock()
    let modem = QuestionedModem(
      SilenceWatch.Patience(command: .seconds(1), longCommand: .seconds(5)), answers: [true, true],
      clock: time.clock)
    let command = await modem.command(isLong: true)
    for (seconds, isHeard, asked) in [(1, false, 1), (2, true, 1), (4, false, 2), (5, true, 2), (5, true, 2)] {
      #expect(await time.asleep() == [.seconds(seconds)])
      time.advance(by: .milliseconds(seconds * 1000 - 1))
      if isHeard { await modem.hear() }
      time.advance(by: .milliseconds(1))
      await time.asleep()
      #expect(await modem.asked == asked)
    }
    await modem.finish(command)
  }

  @Test("Commands that have ended ask nothing; one watch serves all, and ends when none waits")
  func ended() async {
    let time = DrivenClock()
    let modem = QuestionedModem(SilenceWatch.Patience(command: .seconds(1)), answers: [], clock: time.clock)
    let first = await modem.command(isLong: false)
    #expect(await time.asleep() == [.seconds(1)])
    time.advance(by: .milliseconds(400))
    let second = await modem.command(isLong: false)
    #expect(await time.asleep() == [.milliseconds(600)])
    await modem.finish(first)
    time.advance(by: .milliseconds(600))
    #expect(await time.asleep() == [.milliseconds(400)])
    await modem.finish(second)
    time.advance(by: .milliseconds(400))
    while await modem.isWatching { await Task.yield() }
    let third = await modem.command(isLong: false)
    #expect(await time.asleep() == [.seconds(1)])
    await modem.finish(third)
    #expect(await modem.asked == 0)
  }

  @Test("A command is not late because another one has waited longer and has time until its next question")
  func later() async {
    let time = DrivenClock()
    let modem = QuestionedModem(SilenceWatch.Patience(command: .seconds(1)), answers: [true, true], clock: time.clock)
    let long = await modem.command(isLong: true)
    #expect(await time.asleep() == [.seconds(1)])
    time.advance(by: .seconds(1))
    #expect(await time.asleep() == [.seconds(2)])
    time.advance(by: .milliseconds(500))
    let short = await modem.command(isLong: false)
    #expect(await time.asleep() == [.seconds(1)])
    time.advance(by: .seconds(1))
    #expect(await time.asleep() == [.milliseconds(500)])
    #expect(await modem.asked == 2)
    await modem.finish(long)
    await modem.finish(short)
  }

  @Test("A modem that was given up has no watch")
  func over() async {
    let time = DrivenClock()
    let modem = QuestionedModem(SilenceWatch.Patience(), answers: [], clock: time.clock)
    let command = await modem.command(isLong: false)
    await modem.ask()
    #expect(await modem.isSilent)
    #expect(await !modem.isWatching)
    await modem.finish(command)
    _ = await modem.command(isLong: false)
    #expect(await !modem.isWatching)
  }
}
