import ModemModel
import Testing

@testable import ShortMessage

@Suite("The parts of a long message")
struct AssemblyTests {
  @Test(
    "are joined in whatever order they come",
    arguments: [
      ["p1", "p2", "p3"], ["p3", "p2", "p1"], ["p2", "p3", "p1"], ["p3", "p1", "p2"], ["p1", "p1", "p3", "p2"],
    ])
  func anyOrder(names: [String]) throws {
    var assembly = MessageAssembly()
    var whole: [AssembledMessage] = []
    for name in names { if let message = assembly.add(try part(name)) { whole.append(message) } }
    #expect(whole.count == 1)
    #expect(whole.first?.text?.revealed == "one two three")
    #expect(assembly.messages.count == 1)
    #expect(whole.first?.references == ["p1", "p2", "p3"])
  }

  @Test("have one id in the end, whatever the order")
  func identity() throws {
    var ids: Set<String> = []
    for names in [["p1", "p2", "p3"], ["p3", "p2", "p1"]] {
      var assembly = MessageAssembly()
      for name in names { if let message = assembly.add(try part(name)) { ids.insert(message.id) } }
    }
    #expect(ids.count == 1)
    #expect(ids.first?.count == 20)
  }

  @Test("are joined before they are read: a character may be cut in two")
  func cutCharacters() throws {
    var assembly = MessageAssembly()
    assembly.add(try part("emoji-b"))
    #expect(assembly.add(try part("emoji-a"))?.text?.revealed == "A😀B")
    assembly.add(try part("esc-a"))
    #expect(assembly.add(try part("esc-b"))?.text?.revealed == "A€B")
  }

  @Test("are shown as far as they have come")
  func incomplete() throws {
    var assembly = MessageAssembly()
    assembly.add(try part("p3"))
    assembly.add(try part("p1"))
    let message = try #require(assembly.messages.first)
    #expect(!message.isComplete && message.parts.count == 2 && message.total == 3)
    #expect(message.text?.revealed == "one three")
  }

  @Test("of other senders, and of a reference that is used again, stay apart")
  func apart() throws {
    var assembly = MessageAssembly()
    for name in ["p1", "p2otherSender", "p1late", "p1other"] { assembly.add(try part(name)) }
    #expect(assembly.messages.count == 4)
    // The latest message with that reference gets the next part; one sent hours later does not.
    assembly.add(try part("p2"))
    #expect(assembly.messages.map(\.parts.count) == [1, 1, 1, 2])
    #expect(assembly.messages.last?.text?.revealed == "ONE two ")
  }

  @Test("that come twice count once, and are deleted at both places")
  func twice() throws {
    var assembly = MessageAssembly()
    let first = assembly.add(try part("hello", at: "uim/1"))
    #expect(first != nil)
    let again = assembly.add(try part("hello", at: "uim/2"))
    #expect(again == nil)
    #expect(assembly.messages.first?.references == ["uim/1", "uim/2"])
    assembly.remove(reference: "uim/1")
    #expect(assembly.messages.first?.references == ["uim/2"])
    assembly.remove(reference: "uim/2")
    #expect(assembly.messages.isEmpty)
  }

  @Test("that were read before somebody saw them come are news when that is told")
  func seenLater() throws {
    var assembly = MessageAssembly()
    assembly.add(try part("hello"))
    #expect(assembly.messages.first?.received == nil)
    let told = assembly.add(try part("hello", received: 5000))
    #expect(told?.received == Timestamp(milliseconds: 5000))
    let again = assembly.add(try part("hello", received: 6000))
    #expect(again == nil)
  }

  @Test("that only memory keeps go after a while; stored ones stay")
  func expiry() throws {
    var assembly = MessageAssembly(limits: .init(memory: .seconds(10)))
    assembly.add(try part("p1", received: 1000, isStored: false))
    assembly.add(try part("c8-1", received: 1000))
    assembly.expire(at: Timestamp(milliseconds: 11_000))
    #expect(assembly.messages.count == 2)
    assembly.expire(at: Timestamp(milliseconds: 11_001))
    #expect(assembly.messages.map(\.isStored) == [true])
    // What comes now begins anew.
    let rest = [try part("p2", received: 12_000, isStored: false), try part("p3", received: 12_000, isStored: false)]
    for part in rest { #expect(assembly.add(part) == nil) }
  }

  @Test("are kept up to a limit: those in memory go first, then the oldest")
  func limit() throws {
    var assembly = MessageAssembly(limits: .init(parts: 3))
    assembly.add(try part("hello"))
    assembly.add(try part("name", isStored: false))
    assembly.add(try part("short"))
    assembly.add(try part("odd"))
    #expect(assembly.messages.flatMap(\.references) == ["hello", "short", "odd"])
    assembly.add(try part("national"))
    #expect(assembly.messages.flatMap(\.references) == ["short", "odd", "national"])
    var tiny = MessageAssembly(limits: .init(parts: 0))
    tiny.add(try part("hello"))
    #expect(tiny.messages.count == 1)
    assembly.removeAll()
    #expect(assembly.messages.isEmpty)
  }

  @Test("give the message its times: the last one's coming, the first one's sending")
  func times() throws {
    var assembly = MessageAssembly()
    assembly.add(try part("c8-1", received: 1000))
    let message = assembly.add(try part("c8-2", received: 2000))
    #expect(message?.received == Timestamp(milliseconds: 2000))
    #expect(message?.time == Timestamp(milliseconds: 2000))
    var old = MessageAssembly()
    let before = old.add(try part("hello"))
    #expect(before?.time?.description == "2026-11-22T01:30:45.000Z")
  }

  @Test("of data are data")
  func data() throws {
    var assembly = MessageAssembly()
    let message = assembly.add(try part("data-port"))
    #expect(message?.text == nil && message?.data == [1, 2] && message?.destinationPort == 2948)
    #expect(assembly.add(try part("hello"))?.data == nil)
  }
}
