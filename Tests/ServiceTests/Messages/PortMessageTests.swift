import ModemModel
import ModemPort
import Testing

@Suite("A port's messages", .timeLimit(.minutes(1)))
struct PortMessageTests {
  /// Reads updates until a snapshot of a store that can be read.
  private static func readableSnapshot(
    _ updates: inout AsyncStream<MessageUpdate>.Iterator
  ) async -> (messages: [StoredMessage], isFull: Bool) {
    while let update = await updates.next() {
      if case .snapshot(let messages, let state) = update, state.unavailable == nil { return (messages, state.isFull) }
    }
    return ([], false)
  }

  @Test("are read once the SIM is ready; new ones carry the time of their coming")
  func loads() async throws {
    let fixture = PortFixture()
    fixture.backend.messageStore.store(.sample("old", at: "uim/1"), isTold: false)
    try await fixture.run { port in
      var updates = await port.messageUpdates().makeAsyncIterator()
      let first = await Self.readableSnapshot(&updates)
      #expect(first.messages.map(\.reference) == ["uim/1"])
      #expect(first.messages.first?.received == nil && !first.isFull)
      fixture.backend.messageStore.store(.sample("new", at: "uim/2"))
      guard case .arrived(let message) = await updates.next() else {
        Issue.record("a new message was expected")
        return
      }
      #expect(message.reference == "uim/2" && message.received != nil)
      // Whoever comes later is told the same.
      var later = await port.messageUpdates().makeAsyncIterator()
      guard case .snapshot(let all, _) = await later.next() else {
        Issue.record("a snapshot was expected")
        return
      }
      #expect(all.map { $0.received == nil } == [true, false])
    }
  }

  @Test("that the modem does not store are kept in memory, the newest 64, and deleted from there")
  func memory() async throws {
    let fixture = PortFixture()
    try await fixture.run { port in
      var updates = await port.messageUpdates().makeAsyncIterator()
      _ = await Self.readableSnapshot(&updates)
      for number in 1...65 {
        fixture.backend.messageStore.say(
          .passedOn(.sample("flash \(number)", at: "", isStored: false, messageClass: 0)))
        while case .arrived(let message)? = await updates.next(), message.reference != "memory/\(number)" {}
      }
      // The removal of the first stands before the coming of the last.
      guard case .snapshot(let all, _)? = await port.messageUpdates().first(where: { _ in true }) else {
        Issue.record("a snapshot was expected")
        return
      }
      #expect(all.count == 64 && all.first?.reference == "memory/2")
      try await port.deleteMessage(at: "memory/2")
      #expect(await fixture.backend.calls.filter { $0.contains("delete") }.isEmpty)
      await #expect(throws: ModemError.self) { try await port.deleteMessage(at: "memory/2") }
    }
  }

  @Test("are deleted in the modem, and the store has room again")
  func deletes() async throws {
    let fixture = PortFixture()
    let store = fixture.backend.messageStore
    store.store(.sample("one", at: "uim/1"), isTold: false)
    store.change { $0.isFull = true }
    try await fixture.run { port in
      var updates = await port.messageUpdates().makeAsyncIterator()
      let first = await Self.readableSnapshot(&updates)
      #expect(first.isFull)
      try await port.deleteMessage(at: "uim/1")
      #expect(await updates.next() == .removed(reference: "uim/1"))
      #expect(await updates.next() == .snapshot([], MessageStoreState(isFull: false)))
      #expect(store.contents.withLock { $0.messages.isEmpty })
      store.say(.storeFull)
      #expect(await updates.next() == .snapshot([], MessageStoreState(isFull: true)))
    }
  }

  @Test("of another SIM take the place of the first one's, and without a SIM there are none")
  func otherSIM() async throws {
    let fixture = PortFixture()
    let store = fixture.backend.messageStore
    store.store(.sample("mine", at: "uim/1"), isTold: false)
    try await fixture.run { port in
      var updates = await port.messageUpdates().makeAsyncIterator()
      _ = await Self.readableSnapshot(&updates)
      await fixture.backend.change { $0.sim = SIMStatus(state: .absent) }
      fixture.backend.say(.simChanged)
      while case .snapshot(let messages, let state)? = await updates.next(),
        state.unavailable == nil || !messages.isEmpty
      {}
      store.change { $0.messages = [.sample("yours", at: "uim/1")] }
      await fixture.backend.change { $0.sim = SIMStatus(state: .ready, iccid: ICCID("8944110012345678902")) }
      fixture.backend.say(.simChanged)
      let second = await Self.readableSnapshot(&updates)
      #expect(second.messages.map(\.pdu) == [StoredMessage.sample("yours", at: "").pdu])
      #expect(second.messages.first?.received == nil)
    }
  }

  @Test("are read when the modem says that its store is ready")
  func readyLater() async throws {
    let fixture = PortFixture()
    let store = fixture.backend.messageStore
    store.change { $0.refusal = ModemError(.simNotReady, "not yet") }
    try await fixture.run { port in
      var updates = await port.messageUpdates().makeAsyncIterator()
      while case .snapshot(_, let state)? = await updates.next(), state.unavailable != "not yet" {}
      store.change { $0.refusal = nil }
      store.say(.storeChanged)
      _ = await Self.readableSnapshot(&updates)
      // What a later reading finds more has come meanwhile.
      store.store(.sample("missed", at: "uim/4"), isTold: false)
      store.say(.storeChanged)
      let second = await Self.readableSnapshot(&updates)
      #expect(second.messages.first?.received != nil)
    }
  }

  @Test("of a modem that has none are not asked for again")
  func unsupported() async throws {
    let fixture = PortFixture()
    fixture.backend.messageStore.change { $0.refusal = ModemError(.notSupported, "no messages here") }
    try await fixture.run { port in
      var updates = await port.messageUpdates().makeAsyncIterator()
      while case .snapshot(_, let state)? = await updates.next(), state.unavailable != "no messages here" {}
      fixture.backend.say(.simChanged)
      await fixture.until { _ in true }
      #expect(fixture.backend.messageStore.contents.withLock { $0.readings } == 0)
    }
  }
}
