import AuthCore
import ModemService
import Testing

@Suite("The desk where codes are given", .timeLimit(.minutes(1)))
struct CodeDeskTests {
  private static let user = Caller(userID: 1000)

  /// Gives a code once the flow waits for one.
  private static func give(_ code: String, _ desk: CodeDesk, _ id: String) async throws {
    while true {
      do throws(CodeDesk.Refusal) {
        return try desk.give(Secret(code), to: id, by: user)
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
    async let first = desk.wait(at: id, for: .seconds(50))
    try await Self.give("123456", desk, id)
    #expect(try await first == .success(Secret("123456")))
    // It waits again, so that the first was not right.
    async let second = desk.wait(at: id, for: .seconds(50))
    try await Self.give("654321", desk, id)
    #expect(try await second == .success(Secret("654321")))
    async let third = desk.wait(at: id, for: .seconds(50))
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
    #expect(Self.refusal { try desk.give(Secret("123456"), to: id, by: Self.user) } == .noSuchFlow)
    async let code = desk.wait(at: id, for: .seconds(50))
    for caller in [Caller(userID: 0), Caller(userID: 1001)] {
      #expect(Self.refusal { try desk.give(Secret("123456"), to: id, by: caller) } == .noSuchFlow)
    }
    #expect(Self.refusal { try desk.give(Secret("123456"), to: "0", by: Self.user) } == .noSuchFlow)
    try await Self.give("777777", desk, id)
    #expect(try await code == .success(Secret("777777")))
    desk.close(id)
    #expect(Self.refusal { try desk.give(Secret("888888"), to: id, by: Self.user) } == .noSuchFlow)
  }

  @Test(
    "What is no code is not taken", arguments: ["", "123", "12345678901234567", "12 34 56", "12345\u{e4}", "1234\n"])
  func noCode(text: String) {
    let desk = CodeDesk()
    let id = desk.open(for: Self.user)
    #expect(Self.refusal { try desk.give(Secret(text), to: id, by: Self.user) } == .noCode)
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
    guard case .failure(let late) = try await desk.wait(at: id, for: .seconds(9)) else {
      return #expect(Bool(false), "there is a code")
    }
    #expect(late.kind == .late && late.description.contains("9 seconds"))
    let leaving = Task { try await desk.wait(at: id, for: .seconds(9)) }
    leaving.cancel()
    await #expect(throws: CancellationError.self) { try await leaving.value }
    desk.close(id)
    guard case .failure(let closed) = try await desk.wait(at: id, for: .seconds(9)) else {
      return #expect(Bool(false), "there is a code")
    }
    #expect(closed.kind == .unavailable)
  }

  @Test("Ids are long and never the same")
  func ids() {
    let desk = CodeDesk()
    let ids = (0..<100).map { _ in desk.open(for: Self.user) }
    #expect(Set(ids).count == 100 && ids.allSatisfy { $0.utf8.count == 32 })
  }
}
