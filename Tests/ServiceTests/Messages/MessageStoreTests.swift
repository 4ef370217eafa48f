import ModemModel
import Testing

@testable import ModemPort

/// What a port knows of its modem's messages, and tells those who watch.
@Suite(.timeLimit(.minutes(1))) struct `A store of messages` {
  private static func message(_ reference: String, _ octet: UInt8 = 1, isStored: Bool = true) -> StoredMessage {
    StoredMessage(reference: reference, pdu: MessagePDU([octet]), isStored: isStored)
  }

  private static let ready = MessageStoreState()
  private static let (first, second) = (Timestamp(milliseconds: 1000), Timestamp(milliseconds: 2000))

  @Test func `begins unavailable, and tells each watcher at once what there is`() async {
    var store = MessageStore()
    let early = store.watch().stream
    store.load([Self.message("uim/1")], isFull: false, at: Self.first)
    let late = store.watch().stream
    store.finish()
    var updates: [MessageUpdate] = []
    for await update in early { updates.append(update) }
    #expect(updates.count == 2)
    guard case .snapshot([], let state)? = updates.first else {
      Issue.record("\(updates)")
      return
    }
    #expect(state.unavailable?.isEmpty == false)
    #expect(updates.last == .snapshot([Self.message("uim/1")], Self.ready))
    for await update in late { #expect(update == updates.last) }
  }

  @Test func `knows when a message came that was not there before, and when nobody looked`() {
    var store = MessageStore()
    store.load([Self.message("uim/1")], isFull: false, at: Self.first)
    #expect(store.message(at: "uim/1")?.received == nil)
    store.load([Self.message("uim/1"), Self.message("uim/2")], isFull: false, at: Self.second)
    #expect(store.message(at: "uim/1")?.received == nil && store.message(at: "uim/2")?.received == Self.second)
    // Another message in the same place is another message, and the same one keeps its time.
    store.load([Self.message("uim/1", 9), Self.message("uim/2")], isFull: false, at: Timestamp(milliseconds: 3000))
    #expect(store.message(at: "uim/1")?.received?.milliseconds == 3000)
    #expect(store.message(at: "uim/2")?.received == Self.second)
    store.load([], isFull: true, at: Self.second)
    #expect(store.message(at: "uim/1") == nil && store.state.isFull)
  }

  @Test func `of another SIM knows nothing of the one before`() {
    var store = MessageStore()
    store.load([Self.message("uim/1")], isFull: true, at: Self.first)
    store.clear(because: "the SIM is gone")
    #expect(store.message(at: "uim/1") == nil && store.state == MessageStoreState(unavailable: "the SIM is gone"))
    // What its store has was there before anyone looked.
    store.load([Self.message("uim/1")], isFull: false, at: Self.second)
    #expect(store.message(at: "uim/1")?.received == nil)
  }

  @Test func `keeps what the modem does not store, under names of its own, and of many the newest`() {
    var store = MessageStore()
    for number in 1...MessageStore.memoryLimit + 3 {
      store.add(Self.message("", UInt8(number), isStored: false))
    }
    #expect(store.arrivals == UInt64(MessageStore.memoryLimit + 3))
    #expect(store.message(at: "memory/3") == nil && store.message(at: "memory/4")?.pdu.octets == [4])
    #expect(store.message(at: "memory/\(MessageStore.memoryLimit + 3)") != nil)
    // The store's own reading does not take them away.
    store.load([Self.message("uim/1")], isFull: false, at: Self.first)
    #expect(store.message(at: "memory/4") != nil && store.message(at: "uim/1") != nil)
    // No name comes twice.
    store.remove("memory/\(MessageStore.memoryLimit + 3)")
    store.add(Self.message("", isStored: false))
    #expect(store.message(at: "memory/\(MessageStore.memoryLimit + 3)") == nil)
    #expect(store.message(at: "memory/\(MessageStore.memoryLimit + 4)") != nil)
  }

  @Test func `tells each change once, and nothing where nothing changed`() async {
    var store = MessageStore()
    store.load([], isFull: false, at: Self.first)
    let stream = store.watch().stream
    store.setFull(false)
    store.setFull(true)
    store.setFull(true)
    store.becomeUnavailable(because: "busy")
    store.becomeUnavailable(because: "busy")
    store.add(Self.message("uim/7"))
    store.add(Self.message("uim/7", 2))
    store.remove("uim/7")
    store.clear(because: "gone")
    store.clear(because: "gone")
    store.finish()
    var updates: [MessageUpdate] = []
    for await update in stream { updates.append(update) }
    #expect(
      updates == [
        .snapshot([], Self.ready), .snapshot([], MessageStoreState(isFull: true)),
        .snapshot([], MessageStoreState(unavailable: "busy", isFull: true)), .arrived(Self.message("uim/7")),
        .arrived(Self.message("uim/7", 2)), .removed(reference: "uim/7"),
        .snapshot([], MessageStoreState(unavailable: "gone")),
      ])
  }

  @Test func `lets go of who leaves, and of who is so far behind that something would be missing`() async {
    var store = MessageStore()
    let (id, left) = store.watch()
    store.forget(id)
    store.forget(id)
    var count = 0
    for await _ in left { count += 1 }
    #expect(count == 1)
    let slow = store.watch().stream
    for number in 0..<2000 { store.add(Self.message("uim/\(number)")) }
    // The snapshot and what came behind it, whole and in order; then the end, at which the reader
    // asks again.
    var updates: [MessageUpdate] = []
    for await update in slow { updates.append(update) }
    #expect(updates.count == 1024)
    #expect(updates.dropFirst().enumerated().allSatisfy { $1 == .arrived(Self.message("uim/\($0)")) })
  }
}
