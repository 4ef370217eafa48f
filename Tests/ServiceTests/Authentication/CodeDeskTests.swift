import AuthCore
import ModemService
import Testing

@Suite("The desk where codes are given", .timeLimit(.minutes(1)))
struct CodeDeskTests {
  private static let user = Caller(userID: 1000)

  private static func code(_ seconds: Int) -> CodeQuestion { CodeQuestion("askForCode", within: .seconds(seconds)) }

  /// Gives a code once the flow waits for one.
  private static func give(
    _ code: String, _ desk: CodeDesk, _ id: String, _ kind: CodeDesk.Answer = .code
  ) async throws {
    while true {
      do throws(CodeDesk.Refusal) {
        return try desk.give(Secret(code), kind, to: id, by: user)
      } catch {
        guard error == .noSuchFlow else { throw error }
        await Task.yield()
      }
    }
  }

  private static func refusal(_ body: () throws -> Void) -> CodeDesk.Refusal? {
    do {
      try body()
      return nil
    } catch {
      return error as? CodeDesk.Refusal
    }
  }

  @Test("A code reaches the flow that waits, and a refused one is not taken again")
  func codes() async throws {
    let desk = CodeDesk()
    let id = desk.open(for: Self.user)
    async let first = desk.wait(at: id, for: Self.code(50))
    try await Self.give("123456", desk, id)
    #expect(try await first == .success(Secret("123456")))
    // It waits again, so that the first was not right.
    async let second = desk.wait(at: id, for: Self.code(50))
    try await Self.give("654321", desk, id)
    #expect(try await second == .success(Secret("654321")))
    async let third = desk.wait(at: id, for: Self.code(50))
    for old in ["123456", "654321"] {
      await #expect(throws: CodeDesk.Refusal.givenBefore) { try await Self.give(old, desk, id) }
    }
    try await Self.give("000000", desk, id)
    #expect(try await third == .success(Secret("000000")))
  }

  @Test("Nobody else may give it, not even root, and only while it is waited for")
  func others() async throws {
    let desk = CodeDesk()
    let id = desk.open(for: Self.user)
    #expect(Self.refusal { try desk.give(Secret("123456"), .code, to: id, by: Self.user) } == .noSuchFlow)
    async let code = desk.wait(at: id, for: Self.code(50))
    for caller in [Caller(userID: 0), Caller(userID: 1001)] {
      #expect(Self.refusal { try desk.give(Secret("123456"), .code, to: id, by: caller) } == .noSuchFlow)
    }
    #expect(Self.refusal { try desk.give(Secret("123456"), .code, to: "0", by: Self.user) } == .noSuchFlow)
    try await Self.give("777777", desk, id)
    #expect(try await code == .success(Secret("777777")))
    desk.close(id)
    #expect(Self.refusal { try desk.give(Secret("888888"), .code, to: id, by: Self.user) } == .noSuchFlow)
  }

  struct Form: Sendable, CustomTestStringConvertible {
    var wanted: CodeQuestion.Wanted
    var answer: CodeDesk.Answer
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
    let desk = CodeDesk()
    let id = desk.open(for: Self.user)
    for good in form.good {
      async let answer = desk.wait(at: id, for: CodeQuestion("ask", form.wanted, within: .seconds(50)))
      for bad in form.bad {
        await #expect {
          try await Self.give(bad, desk, id, form.answer)
        } throws: { error in
          guard case .wrongForm? = error as? CodeDesk.Refusal else { return false }
          return true
        }
      }
      try await Self.give(good, desk, id, form.answer)
      #expect(try await answer == .success(Secret(good)))
    }
  }

  @Test("A PIN may be given twice, and goes to no flow that waits for something else")
  func kinds() async throws {
    let desk = CodeDesk()
    let id = desk.open(for: Self.user)
    let question = CodeQuestion("askForPIN", .pin(lengths: 4...4, isNew: false), within: .seconds(50))
    for _ in 1...2 {
      async let pin = desk.wait(at: id, for: question)
      try await Self.give("1234", desk, id, .pin)
      #expect(try await pin == .success(Secret("1234")))
    }
    async let code = desk.wait(at: id, for: Self.code(50))
    try await Self.give("4321", desk, id)
    #expect(try await code == .success(Secret("4321")))
    let mail = Task { try await desk.wait(at: id, for: CodeQuestion("askForMail", .mail(.code), within: .seconds(50))) }
    // Once the right one is taken, the others have been refused while it was waited for.
    for wrong in [CodeDesk.Answer.code, .pin] {
      #expect(Self.refusal { try desk.give(Secret("5555"), wrong, to: id, by: Self.user) } == .noSuchFlow)
    }
    try await Self.give("5555", desk, id, .mail)
    #expect(try await mail.value == .success(Secret("5555")))
  }

  @Test("A wait ends when its time is over, when the flow is closed, and when its caller leaves")
  func ends() async throws {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let desk = CodeDesk { _ in
      for await _ in ends { return }
      try Task.checkCancellation()
    }
    let id = desk.open(for: Self.user)
    end.yield()
    guard case .failure(let late) = try await desk.wait(at: id, for: Self.code(9)) else {
      return #expect(Bool(false), "there is a code")
    }
    #expect(late.kind == .late && late.description.contains("9 seconds"))
    let leaving = Task { try await desk.wait(at: id, for: Self.code(9)) }
    leaving.cancel()
    await #expect(throws: CancellationError.self) { try await leaving.value }
    desk.close(id)
    guard case .failure(let closed) = try await desk.wait(at: id, for: Self.code(9)) else {
      return #expect(Bool(false), "there is a code")
    }
    #expect(closed.kind == .unavailable)
  }

  @Test("An answer that comes before it is waited for counts, once")
  func early() async throws {
    let desk = CodeDesk()
    let id = desk.open(for: Self.user)
    let answer = try await desk.wait(at: id, for: Self.code(50)) {
      #expect(throws: Never.self) { try desk.give(Secret("123456"), .code, to: id, by: Self.user) }
      #expect(Self.refusal { try desk.give(Secret("654321"), .code, to: id, by: Self.user) } == .noSuchFlow)
    }
    #expect(answer == .success(Secret("123456")))
    #expect(Self.refusal { try desk.give(Secret("654321"), .code, to: id, by: Self.user) } == .noSuchFlow)
  }

  @Test("Ids are long and never the same")
  func ids() {
    let desk = CodeDesk()
    let ids = (0..<100).map { _ in desk.open(for: Self.user) }
    #expect(Set(ids).count == 100 && ids.allSatisfy { $0.utf8.count == 32 })
  }
}
