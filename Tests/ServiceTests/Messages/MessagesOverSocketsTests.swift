import Glibc
import Logging
import ModemAPI
import ModemAPIClient
import ModemAPIServer
import ModemModel
import ModemService
import NIOPosix
import PortClient
import PortServer
import RedirectChain
import Testing
import Varlink

/// Both daemons' insides in one process, over real sockets, around a scripted modem.
@Suite("Messages over the sockets", .timeLimit(.minutes(1)))
struct MessagesOverSocketsTests {
  private let fixture = PortFixture()

  private func run(
    access: AccessPolicy = AccessPolicy(groupIDs: [], ownUserID: geteuid()),
    _ body: @Sendable (ModemAPIClient, String) async throws -> Void
  ) async throws {
    var template = Array("/tmp/modemd-test-XXXXXX".utf8CString)
    let folder = String(cString: mkdtemp(&template)!)
    mkdir("\(folder)/ports", 0o700)
    let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let group = MultiThreadedEventLoopGroup.singleton
    let port = try await VarlinkServer.start(
      PortRouter.make(for: fixture.port, version: "test") { _, _ in true },
      at: .path("\(folder)/ports/scripted", mode: 0o600), on: group, logger: quiet)
    let registry = ModemRegistry()
    let bearers = BearerService(registry: registry)
    let messages = MessageService(registry: registry, now: { Timestamp(milliseconds: 60_000) })
    let checks = CheckService(registry: registry, bearers: bearers, now: { Timestamp(milliseconds: 0) }) { _, _, _ in
      .failed(ChainFailure(.cancelled, ""))
    }
    let server = try await VarlinkServer.start(
      ModemAPIRouter.make(
        registry: registry, bearers: bearers, checks: checks, messages: messages, access: access, version: "test"),
      at: .path("\(folder)/socket", mode: 0o600), on: group, logger: quiet)
    let directory = Task {
      try await PortDirectory(
        path: "\(folder)/ports", registry: registry, messages: messages, now: { Timestamp(milliseconds: 0) },
        logger: quiet
      ).run()
    }
    try await fixture.run { _ in
      let changes = registry.watch()
      if registry.modems.first?.identity.imei == nil {
        for await change in changes where change.modem.identity.imei != nil { break }
      }
      try await body(try await ModemAPIClient.connect(to: "\(folder)/socket"), "\(folder)/socket")
    }
    directory.cancel()
    await server.close()
    await port.close()
    rmdir("\(folder)/ports")
    rmdir(folder)
  }

  /// Waits until the messages have come through.
  private static func list(_ client: ModemAPIClient, _ count: Int) async throws -> MessagesInterface.List.Reply {
    while true {
      if let reply = try? await client.call(MessagesInterface.List.self, .init()), reply.messages.count == count {
        return reply
      }
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  @Test("they are listed, watched, waited for and deleted")
  func wholeLife() async throws {
    let store = fixture.backend.messageStore
    store.store(.sample("Your code is 111111", at: "uim/1"), isTold: false)
    try await run { client, socket in
      let first = try await Self.list(client, 1)
      let old = try #require(first.messages.first)
      #expect(old.text == "Your code is 111111" && old.sender == "ExampleBank" && old.senderKind == .alphanumeric)
      #expect(old.sent == "2023-11-14T22:13:20.000Z" && old.received == nil && old.stored && old.parts == 1)
      #expect(old.serviceCentre == "+491710760000" && !first.storageFull)

      let watcher = try await ModemAPIClient.connect(to: socket)
      var events = watcher.stream(MessagesInterface.Watch.self, .init()).makeAsyncIterator()
      #expect(try await events.next()?.event == .ready)
      let waiter = try await ModemAPIClient.connect(to: socket)
      async let code = waiter.call(
        MessagesInterface.WaitForCode.self, .init(sender: "examplebank", pattern: "is {digits:6}", timeoutSeconds: 30))
      // A second one that is late by a moment finds it by looking back.
      store.store(.sample("Your code is 482913", at: "uim/2"))
      let arrived = try await events.next()
      #expect(arrived?.event == .arrived && arrived?.message?.text == "Your code is 482913")
      let late = try await client.call(MessagesInterface.WaitForCode.self, .init(lookBackSeconds: 600))
      #expect(late.code == "482913")
      // The first may have begun to wait after it came; the next one is for it.
      store.store(.sample("It is 482914", at: "uim/3"))
      let found = try await code
      #expect(["482913", "482914"].contains(found.code) && found.message.modem == old.modem)

      let all = try await Self.list(client, 3)
      for message in all.messages {
        _ = try await client.call(MessagesInterface.Delete.self, .init(id: message.id))
      }
      #expect(try await client.call(MessagesInterface.List.self, .init()).messages.isEmpty)
      #expect(store.contents.withLock { $0.messages.isEmpty })
      let error = await #expect(throws: VarlinkError.self) {
        try await client.call(MessagesInterface.Get.self, .init(id: old.id))
      }
      #expect(error?.parameters(as: MessagesInterface.NoSuchMessage.self)?.id == old.id)
      await #expect(throws: VarlinkError.self) {
        try await client.call(MessagesInterface.WaitForCode.self, .init(timeoutSeconds: 601))
      }
    }
  }

  @Test("no code in time is an error with what to look at; a full store is one at once")
  func endsWithoutCode() async throws {
    let store = fixture.backend.messageStore
    try await run { client, _ in
      _ = try await Self.list(client, 0)
      let none = await #expect(throws: VarlinkError.self) {
        try await client.call(MessagesInterface.WaitForCode.self, .init(timeoutSeconds: 1))
      }
      let words = none?.parameters(as: MessagesInterface.NoCode.self)
      #expect(words?.messagesSeen == 0 && words?.text.contains("IMS") == true)
      store.say(.storeFull)
      while try await !client.call(MessagesInterface.List.self, .init()).storageFull { await Task.yield() }
      let full = await #expect(throws: VarlinkError.self) {
        try await client.call(MessagesInterface.WaitForCode.self, .init(timeoutSeconds: 1))
      }
      #expect(full?.parameters(as: MessagesInterface.StorageFull.self)?.text.contains("modemctl sms delete") == true)
    }
  }

  @Test(
    "they are for root, the own user and their own groups; the groups of the rest are not enough",
    arguments: [
      (Peer(processID: 1, userID: 0, groupIDs: [0]), true, true),
      (Peer(processID: 1, userID: 990, groupIDs: [990]), true, true),
      (Peer(processID: 1, userID: 1000, groupIDs: [1000, 985]), true, false),
      (Peer(processID: 1, userID: 1000, groupIDs: [1000, 986]), false, true),
      (Peer(processID: 1, userID: 1000, groupIDs: [1000]), false, false),
    ])
  func access(peer: Peer, others: Bool, messages: Bool) {
    let policy = AccessPolicy(groupIDs: [985], messageGroupIDs: [986], ownUserID: 990)
    #expect(policy.allows(peer, "org.modemd.Modem.List") == others)
    #expect(policy.allows(peer, "org.modemd.Messages.List") == messages)
    let stranger = Peer(processID: 1, userID: 7, groupIDs: [985])
    #expect(!AccessPolicy(groupIDs: [985], ownUserID: 990).allows(stranger, "org.modemd.Messages.List"))
  }
}
