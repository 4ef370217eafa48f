import MBIMBackend
import ModemModel
import ModemSimulator
import QMIBackend
import ShortMessage
import Testing

/// Both libraries against a modem that behaves.
@Suite("A modem as a whole has messages", .timeLimit(.minutes(1)))
struct MessageSimulatorTests {
  private func withModem(
    _ kind: ModemProtocol, _ change: (inout SimulatedModemConfiguration) -> Void = { _ in },
    _ body: (any MessageBackend, SimulatedModem) async throws -> Void
  ) async throws {
    libqmiIsQuiet
    var configuration = SimulatedModemConfiguration()
    configuration.controlProtocol = kind == .mbim ? .mbim : .qmi
    change(&configuration)
    let modem = SimulatedModem(configuration)
    let path = try modem.plugIn()
    let backend: any MessageBackend =
      switch kind {
      case .mbim: MBIMBackend(MBIMConfiguration(path: path, limits: .init(query: .seconds(20))))
      case .qmi: QMIBackend(QMIConfiguration(path: path, limits: .init(query: .seconds(20))))
      }
    do {
      try await backend.open()
      try await body(backend, modem)
    } catch {
      Issue.record(error)
    }
    await backend.close()
    #expect(modem.snapshot.clientIDs.values.joined().isEmpty)
    modem.unplug()
  }

  private func text(_ message: StoredMessage) -> String? {
    guard
      case .delivery(let delivery)? = try? ShortMessagePDU(
        message.pdu.octets, hasServiceCentre: message.hasServiceCentre)
    else { return nil }
    var assembly = MessageAssembly()
    assembly.add(MessagePart(delivery, octets: message.pdu.octets, reference: "", received: nil, isStored: true))
    return assembly.messages.first?.text?.revealed
  }

  @Test("that are there, that come, and that are deleted", arguments: ModemProtocol.allCases)
  func store(kind: ModemProtocol) async throws {
    let present = try SimulatedMessage(from: "+4915150000000", text: "was there").pdus()
    try await withModem(kind, { $0.messages = present }) { backend, modem in
      try await backend.startMessages()
      let first = try await backend.messages()
      #expect(first.map { text($0) } == ["was there"])
      #expect(try modem.receive(SimulatedMessage(from: "ExampleBank", text: "Привет")) == [.stored(2)])
      var events = backend.messageEvents.makeAsyncIterator()
      guard case .stored(let reference) = await events.next() else {
        Issue.record("a new message was expected")
        return
      }
      let message = try #require(try await backend.message(at: reference))
      #expect(text(message) == "Привет")
      try await backend.deleteMessage(at: first[0].reference)
      #expect(modem.snapshot.messages.count == 1)
      let again = await modemError { try await backend.deleteMessage(at: first[0].reference) }
      #expect(again?.code == .failed)
      #expect(try await backend.messages().map(\.reference) == [reference])
    }
  }

  @Test("that it passes on and does not store", arguments: ModemProtocol.allCases)
  func passedOn(kind: ModemProtocol) async throws {
    try await withModem(kind) { backend, modem in
      try await backend.startMessages()
      #expect(try modem.receive(SimulatedMessage(from: "12345", text: "flash", messageClass: 0)) == [.passedOn])
      var events = backend.messageEvents.makeAsyncIterator()
      guard case .passedOn(let message) = await events.next() else {
        Issue.record("a message was expected")
        return
      }
      #expect(text(message) == "flash")
      if kind == .qmi {
        while modem.snapshot.acknowledgedMessages.isEmpty { await Task.yield() }
        #expect(modem.snapshot.acknowledgedMessages == [1])
      }
      #expect(try await backend.messages().isEmpty)
    }
  }

  @Test("until its store is full", arguments: ModemProtocol.allCases)
  func full(kind: ModemProtocol) async throws {
    try await withModem(kind, { $0.messageCapacity = 1 }) { backend, modem in
      try await backend.startMessages()
      #expect(try await !backend.isMessageStoreFull())
      let message = SimulatedMessage(from: "12345", text: "one")
      #expect(try modem.receive(message) == [.stored(1)])
      #expect(try modem.receive(message) == [.full])
      #expect(try await backend.isMessageStoreFull())
      var events = backend.messageEvents.makeAsyncIterator()
      guard case .stored = await events.next() else {
        Issue.record("a new message was expected")
        return
      }
      while let event = await events.next(), event != .storeFull {}
    }
  }

  @Test(
    "that are another SIM's when that is put in; none without a SIM or behind its PIN",
    arguments: ModemProtocol.allCases)
  func otherSIM(kind: ModemProtocol) async throws {
    try await withModem(kind) { backend, modem in
      try modem.receive(SimulatedMessage(from: "12345", text: "mine"))
      try await backend.startMessages()
      #expect(try await backend.messages().count == 1)
      modem.removeSIM()
      #expect(await modemError { try await backend.messages() } != nil)
      var other = SimulatedSIM()
      other.iccid = "8944100000000000023"
      modem.insertSIM(other)
      #expect(try await backend.messages().isEmpty)
      modem.lockSIM(pin: PIN("1234")!)
      #expect(await modemError { try await backend.messages() } != nil)
    }
  }

  @Test(
    "What there is in a sender and a text comes back",
    arguments: [
      ("+4915112345678", "plain"), ("12345", "{€}"), ("ExampleBank", String(repeating: "0123456789", count: 40)),
      ("A", "家" + String(repeating: "😀", count: 80)), ("+491", ""), ("+49151123456789012345", "x"),
    ])
  func encoder(from: String, words: String) throws {
    var assembly = MessageAssembly()
    var whole: AssembledMessage?
    for pdu in try SimulatedMessage(from: from, text: words, zoneMinutes: -90).pdus().reversed() {
      guard case .delivery(let delivery) = try ShortMessagePDU(pdu) else { continue }
      whole =
        assembly.add(
          MessagePart(delivery, octets: pdu, reference: "\(pdu.hashValue)", received: nil, isStored: true)) ?? whole
    }
    #expect(whole?.text?.revealed == words)
    #expect(whole?.sender.revealed == from)
    #expect(whole?.sent?.time == Timestamp(milliseconds: 1_700_000_000_000))
    #expect(whole?.sent?.zoneMinutes == -90)
  }

  @Test("No message can have some senders, or be as long as you like")
  func badMessages() {
    for (from, words) in [
      ("", "x"), ("TwelveLetter", "x"), ("Їжак", "x"), ("+491511234567890123456", "x"),
      ("A", String(repeating: "x", count: 153 * 256)),
    ] {
      #expect(throws: SimulatorError.self) { try SimulatedMessage(from: from, text: words).pdus() }
    }
  }
}
