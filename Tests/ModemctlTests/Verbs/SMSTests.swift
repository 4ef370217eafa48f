import FoundationEssentials
import ModemAPI
import ModemModel
import ModemService
import ModemSimulator
import Testing

@testable import ModemctlCommands

extension MemoryModem: MessageLink {
  var messages: (any MessageLink)? { self }
  func messageUpdates() async throws -> AsyncThrowingStream<MessageUpdate, any Error> { .init { $0.finish() } }
  func deleteMessage(at reference: String) async throws {}
}

@Suite("sms", .timeLimit(.minutes(1)))
struct SMSTests {
  private static let port = "port-modem-0011aabb"

  private func stored(
    _ text: String, from: String = "ExampleBank", at place: Int, received: Int64? = 1_700_000_050_000
  ) throws -> [StoredMessage] {
    try SimulatedMessage(from: from, text: text, zoneMinutes: 60).pdus().enumerated().map { index, pdu in
      StoredMessage(
        reference: "uim/\(place)\(index)", pdu: MessagePDU(pdu),
        received: received.map { Timestamp(milliseconds: $0) })
    }
  }

  private func run(
    _ messages: [StoredMessage], isFull: Bool = false, _ body: (MemoryService, [String]) async throws -> Void
  ) async throws {
    try await MemoryService.run { service in
      await service.messages.apply(.snapshot(messages, MessageStoreState(isFull: isFull)), from: Self.port)
      let ids = try await service.messages.list(nil).messages.map(\.message.id)
      try await body(service, ids)
    }
  }

  @Test("list has a line for each message; numbers and codes are masked unless they are asked for")
  func list() async throws {
    let messages =
      try stored("Your code is 482913", at: 1) + stored("Hello\nthere", from: "+4915112345678", at: 2, received: nil)
      + stored(String(repeating: "long ", count: 50), at: 3).prefix(1)
    try await run(messages) { service, ids in
      let run = await service.modemctl("sms", "list")
      #expect(run.status == .done && run.messages == "")
      #expect(
        run.output == """
          ID                    TIME                 FROM             PARTS  TEXT
          \(ids[0])  2023-11-14 22:14:10  ExampleBank          1  Your code is ••••
          \(ids[1])  2023-11-14 22:13:20  ••••••••••••78       1  Hello there
          \(ids[2])  2023-11-14 22:14:10  ExampleBank     1 of 2  long long long long long long long long long long long long…

          """)
      let revealed = await service.modemctl("sms", "list", "--reveal").output
      #expect(revealed.contains("482913") && revealed.contains("+4915112345678"))
      let json = await service.modemctl("sms", "list", "--json").output
      #expect(!json.contains("482913") && !json.contains("4915112345"))
      let reply = try JSONDecoder().decode(MessagesInterface.List.Reply.self, from: Data(json.utf8))
      #expect(reply.messages.map(\.id) == ids)
    }
  }

  @Test("show has all of it, and nothing that a terminal would obey")
  func show() async throws {
    try await run(try stored("A\u{1b}[31mB\r\nC\u{202e}D 家", from: "12345", at: 1)) { service, ids in
      let run = await service.modemctl("sms", "show", ids[0], "--reveal")
      #expect(run.status == .done)
      #expect(
        run.output == """
          \(ids[0])
            Modem           modem-0011aabb
            From            12345
            Sent            2023-11-14T22:13:20Z (UTC+1)
            Received        2023-11-14T22:14:10Z
            Stored          by the modem
            Service centre  +491710760000

          A�[31mB
          CD 家

          """)
      let unknown = await service.modemctl("sms", "show", "sms-0000000000000000")
      #expect(unknown.status == .failed && unknown.messages.contains("`modemctl sms list` shows the ids"))
    }
  }

  @Test("wait-for-code prints the code alone, and says why there is none")
  func waitForCode() async throws {
    try await run(try stored("Your code is 482913", at: 1)) { service, _ in
      let found = await service.modemctl("sms", "wait-for-code", "--look-back", "60", "--sender", "EXAMPLEBANK")
      #expect(found.status == .done && found.output == "482913\n" && found.messages == "")
      let json = await service.modemctl("sms", "wait-for-code", "--look-back", "60", "--json").output
      let reply = try JSONDecoder().decode(MessagesInterface.WaitForCode.Reply.self, from: Data(json.utf8))
      #expect(reply.code == "482913" && reply.message.text == "Your code is ••••")
      let none = await service.modemctl("sms", "wait-for-code", "--timeout", "1")
      #expect(none.status == .noCode && none.output == "" && none.messages.contains("no message came within 1 second;"))
      for wrong in [["--timeout", "0"], ["--timeout", "601"], ["--look-back", "601"], ["--pattern", "none"]] {
        let recorder = RecordingConsole()
        let status = await Modemctl.run(
          ["sms", "wait-for-code"] + wrong, on: recorder.console(variables: ["MODEMD_SOCKET": service.path]))
        #expect(Ending(rawValue: status) == .usage, "\(wrong)")
      }
    }
  }

  @Test("watch shows messages as they come")
  func watch() async throws {
    try await run([]) { service, _ in
      let recorder = RecordingConsole()
      var pieces = recorder.pieces().makeAsyncIterator()
      let watching = Task {
        await Modemctl.run(
          ["sms", "watch", "--json"], on: recorder.console(variables: ["MODEMD_SOCKET": service.path]))
      }
      #expect(await pieces.next() == #"{"event":"ready","message":null}"# + "\n")
      for message in try stored("Your code is 482913", at: 1) {
        await service.messages.apply(.arrived(message), from: Self.port)
      }
      let line = await pieces.next() ?? ""
      #expect(line.hasPrefix(#"{"event":"arrived","message":{"#) && line.contains("Your code is ••••"))
      await service.messages.apply(.snapshot([], MessageStoreState(isFull: true)), from: Self.port)
      #expect(await pieces.next() == #"{"event":"storageFull","message":null}"# + "\n")
      await service.server.close()
      #expect(await watching.value == Ending.unreachable.rawValue)
    }
  }

  @Test("delete deletes what is named, and a full store is told of")
  func delete() async throws {
    let messages = try stored("one", at: 1) + stored("two", at: 2)
    try await run(messages, isFull: true) { service, ids in
      let full = await service.modemctl("sms", "list")
      #expect(full.messages.contains("the modem's store is full"))
      let waiting = await service.modemctl("sms", "wait-for-code")
      #expect(waiting.status == .notReady && waiting.messages.contains("modemctl sms delete"))
      let run = await service.modemctl("sms", "delete", ids[0], ids[1])
      #expect(run.status == .done && run.output == "\(ids[0]) deleted\n\(ids[1]) deleted\n")
      #expect(await service.modemctl("sms", "delete", ids[0]).status == .failed)
    }
  }

  @Test("messages that cannot be read are told with the reason")
  func unavailable() async throws {
    try await MemoryService.run { service in
      await service.messages.apply(.snapshot([], MessageStoreState(unavailable: "no SIM")), from: Self.port)
      let run = await service.modemctl("sms", "list")
      #expect(run.status == .modemFailed && run.messages == "modemctl: the messages cannot be read: no SIM\n")
    }
  }
}
