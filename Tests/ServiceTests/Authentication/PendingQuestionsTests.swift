import AuthCore
import FlowService
import LimitClock
import Testing

@Suite("The questions that flows ask their callers", .timeLimit(.minutes(1)))
struct PendingQuestionsTests {
  private static let user: UInt32 = 1000

  private static func code(_ seconds: Int) -> CodeQuestion { CodeQuestion("askForCode", within: .seconds(seconds)) }

  /// Gives a code once the flow waits for one.
  private static func give(
    _ code: String, _ questions: PendingQuestions, _ id: String, _ kind: PendingQuestions.Answer = .code
  ) async throws {
    while true {
      do throws(PendingQuestions.Refusal) {
        return try questions.give(Secret(code), kind, to: id, by: user)
      } catch {
        guard error == .noSuchFlow else { throw error }
        await Task.yield()
      }
    }
  }

  private static func refusal(_ body: () throws -> Void) -> PendingQuestions.Refusal? {
    do {
      try body()
      return nil
    } catch {
      return error as? PendingQuestions.Refusal
    }
  }

  @Test("A code reaches the flow that waits, and a refused one is not taken again")
  func codes() async throws {
    let questions = PendingQuestions()
    let id = questions.open(for: Self.user)
    async let first = questions.wait(at: id, for: Self.code(50))
    try await Self.give("123456", questions, id)
    #expect(try await first == .success(Secret("123456")))
    // It waits again, so that the first was not right.
    async let second = questions.wait(at: id, for: Self.code(50))
    try await Self.give("654321", questions, id)
    #expect(try await second == .success(Secret("654321")))
    async let third = questions.wait(at: id, for: Self.code(50))
    for old in ["123456", "654321"] {
      await #expect(throws: PendingQuestions.Refusal.givenBefore) { try await Self.give(old, questions, id) }
    }
    try await Self.give("000000", questions, id)
    #expect(try await third == .success(Secret("000000")))
  }

  @Test("Nobody else may give it, not even root, and only while it is waited for")
  func others() async throws {
    let questions = PendingQuestions()
    let id = questions.open(for: Self.user)
    #expect(Self.refusal { try questions.give(Secret("123456"), .code, to: id, by: Self.user) } == .noSuchFlow)
    async let code = questions.wait(at: id, for: Self.code(50))
    for caller: UInt32 in [0, 1001] {
      #expect(Self.refusal { try questions.give(Secret("123456"), .code, to: id, by: caller) } == .noSuchFlow)
    }
    #expect(Self.refusal { try questions.give(Secret("123456"), .code, to: "0", by: Self.user) } == .noSuchFlow)
    try await Self.give("777777", questions, id)
    #expect(try await code == .success(Secret("777777")))
    questions.close(id)
    #expect(Self.refusal { try questions.give(Secret("888888"), .code, to: id, by: Self.user) } == .noSuchFlow)
  }

  struct Form: Sendable, CustomTestStringConvertible {
    var wanted: CodeQuestion.Wanted
    var answer: PendingQuestions.Answer
    var good: [String]
    var bad: [String]
    var testDescription: String { "\(wanted)" }
  }

  static let forms: [Form] = [
    Form(
      wanted: .code, answer: .code, good: ["1234", "aB3xaB3xaB3xaB3x"],
      bad: ["", "123", "12345678901234567", "12 34 56", "12345\u{e4}", "1234\n"]),
    Form(
      wanted: .pin(lengths: 4...4, isNew: false), answer: .pin, good: ["0000", "1234"],
      bad: ["", "123", "12345", "12a4", "1234\n", "\u{0661}\u{0662}\u{0663}\u{0664}"]),
    Form(wanted: .pin(lengths: 4...6, isNew: true), answer: .pin, good: ["000000"], bad: ["1234567", "abcdef"]),
    Form(
      wanted: .mail(.link), answer: .mail, good: ["https://a.example/?user_id=u&code=c", "123456"],
      bad: ["abc", "a b c d", String(repeating: "x", count: 2049)]),
  ]

  @Test("What cannot be the answer is not taken, and the flow waits on", arguments: forms)
  func form(_ form: Form) async throws {
    let questions = PendingQuestions()
    let id = questions.open(for: Self.user)
    for good in form.good {
      async let answer = questions.wait(at: id, for: CodeQuestion("ask", form.wanted, within: .seconds(50)))
      for bad in form.bad {
        await #expect {
          try await Self.give(bad, questions, id, form.answer)
        } throws: { error in
          guard case .wrongForm? = error as? PendingQuestions.Refusal else { return false }
          return true
        }
      }
      try await Self.give(good, questions, id, form.answer)
      #expect(try await answer == .success(Secret(good)))
    }
  }

  @Test("A PIN may be given twice, and goes to no flow that waits for something else")
  func kinds() async throws {
    let questions = PendingQuestions()
    let id = questions.open(for: Self.user)
    let question = CodeQuestion("askForPIN", .pin(lengths: 4...4, isNew: false), within: .seconds(50))
    for _ in 1...2 {
      async let pin = questions.wait(at: id, for: question)
      try await Self.give("1234", questions, id, .pin)
      #expect(try await pin == .success(Secret("1234")))
    }
    async let code = questions.wait(at: id, for: Self.code(50))
    try await Self.give("4321", questions, id)
    #expect(try await code == .success(Secret("4321")))
    let mail = Task {
      try await questions.wait(at: id, for: CodeQuestion("askForMail", .mail(.code), within: .seconds(50)))
    }
    // Once the right one is taken, the others have been refused while it was waited for.
    for wrong in [PendingQuestions.Answer.code, .pin] {
      #expect(Self.refusal { try questions.give(Secret("5555"), wrong, to: id, by: Self.user) } == .noSuchFlow)
    }
    try await Self.give("5555", questions, id, .mail)
    #expect(try await mail.value == .success(Secret("5555")))
  }

  @Test("A wait ends when its time is over, when the flow is closed, and when its caller leaves")
  func ends() async throws {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let clock = LimitClock(sleep: { _ in
      for await _ in ends { return }
      try Task.checkCancellation()
    })
    let questions = PendingQuestions(clock: clock)
    let id = questions.open(for: Self.user)
    end.yield()
    guard case .failure(let late) = try await questions.wait(at: id, for: Self.code(9)) else {
      return #expect(Bool(false), "there is a code")
    }
    #expect(late.kind == .late && late.description.contains("9 seconds"))
    let leaving = Task { try await questions.wait(at: id, for: Self.code(9)) }
    leaving.cancel()
    await #expect(throws: CancellationError.self) { try await leaving.value }
    questions.close(id)
    guard case .failure(let closed) = try await questions.wait(at: id, for: Self.code(9)) else {
      return #expect(Bool(false), "there is a code")
    }
    #expect(closed.kind == .unavailable)
  }

  @Test("An answer that comes before it is waited for counts, once")
  func early() async throws {
    let questions = PendingQuestions()
    let id = questions.open(for: Self.user)
    let answer = try await questions.wait(at: id, for: Self.code(50)) {
      #expect(throws: Never.self) { try questions.give(Secret("123456"), .code, to: id, by: Self.user) }
      #expect(Self.refusal { try questions.give(Secret("654321"), .code, to: id, by: Self.user) } == .noSuchFlow)
    }
    #expect(answer == .success(Secret("123456")))
    #expect(Self.refusal { try questions.give(Secret("654321"), .code, to: id, by: Self.user) } == .noSuchFlow)
  }

  @Test("Ids are long and never the same")
  func ids() {
    let questions = PendingQuestions()
    let ids = (0..<100).map { _ in questions.open(for: Self.user) }
    #expect(Set(ids).count == 100 && ids.allSatisfy { $0.utf8.count == 32 })
  }
}
