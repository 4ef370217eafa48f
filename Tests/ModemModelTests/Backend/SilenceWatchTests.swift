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

  func command(isLong: Bool) -> Task<Void, Never> { watchCommand(isLong: isLong) }
  func watch() { watchIdleness() }
  func hear() { silence.heard() }
  func finish(isLong: Bool) { silence.end(isLong: isLong) }
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
    command?.cancel()
    #expect(await modem.asked == 4)
  }

  @Test("A command that may take long is borne longer than two questions; once it has ended, it is not")
  func long() async {
    let modem = QuestionedModem(Self.quick, answers: [])
    let command = await modem.command(isLong: true)
    while await modem.asked < 6 { await Task.yield() }
    #expect(await !modem.isSilent)
    command.cancel()
    // A question of its own may be under way, and whoever asks meanwhile waits for that one.
    await command.value
    await modem.finish(isLong: true)
    await modem.ask()
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
    command.cancel()
    await command.value
  }

  @Test("A command that has ended asks nothing")
  func ended() async {
    let modem = QuestionedModem(SilenceWatch.Patience(command: .seconds(600)), answers: [])
    let command = await modem.command(isLong: false)
    command.cancel()
    await command.value
    #expect(await modem.asked == 0)
  }
}
