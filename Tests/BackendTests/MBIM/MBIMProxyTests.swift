import Glibc
import ModemModel
import ReplyCheck
import Synchronization
import Testing

@testable import MBIMBackend

@Suite(
  .timeLimit(.minutes(1)),
  .enabled(
    if: PrivateNetwork.isPossible(with: "mbim-proxy"),
    "needs root, a network namespace and mbim-proxy, which serves root only"))
struct `An MBIM port shared through mbim-proxy` {
  /// Opens a scripted modem through an mbim-proxy in a network of their own, and ends that proxy
  /// afterwards.
  private func withProxy(
    patience: SilenceWatch.Patience = .init(),
    script: @escaping @Sendable (ScriptedModem.Request) -> [ScriptedModem.Act],
    _ body: (MBIMBackend, ScriptedModem) async throws -> Void
  ) async throws {
    let modem = await ScriptedModem(script: script)
    var configuration = MBIMConfiguration(path: modem.path, usesProxy: true)
    configuration.patience = patience
    let backend = MBIMBackend(configuration)
    try #require(await backend.enterPrivateNetwork())
    do {
      try await backend.open()
      try await body(backend, modem)
    } catch {
      Issue.record(error)
    }
    let proxy = try #require(await backend.proxy())
    await backend.close()
    kill(proxy, SIGTERM)
    // Not our child: it is gone when it cannot be asked any more.
    while kill(proxy, 0) == 0 { await Task.yield() }
    await modem.hangUp()
  }

  @Test func `answers, reports and sees the modem go`() async throws {
    let script: @Sendable (ScriptedModem.Request) -> [ScriptedModem.Act] = { request in
      request.cid == CID.deviceCaps ? [.reply(Information.deviceCaps(id: "356938035643809"))] : [.reply(status: 9)]
    }
    try await withProxy(script: script) { backend, modem in
      let imei = try await backend.identity().imei
      #expect(imei == "356938035643809")
      var events = backend.events.makeAsyncIterator()
      await modem.indicate(cid: CID.signalState, Information.signal(rssi: 9))
      #expect(await events.next() == .signalChanged)
      await modem.hangUp()
      #expect(await events.next() == .removed)
      #expect(await events.next() == nil)
    }
  }

  @Test func `leaves another program's session alone`() async throws {
    let script: @Sendable (ScriptedModem.Request) -> [ScriptedModem.Act] = { request in
      request.cid == CID.connect ? [.reply(Information.connect(1))] : [.reply(status: 9)]
    }
    try await withProxy(script: script) { backend, modem in
      #expect(await modemError { try await backend.connect(BearerRequest()) }?.code == .busy)
      await backend.close()
      await modem.stopListening()
      for await request in modem.requests where request.cid == CID.connect { #expect(!request.isSet) }
    }
  }
}

extension `An MBIM port shared through mbim-proxy` {
  private typealias Silence = `An MBIM modem that is not heard any more`

  /// The proxy's buffer is filled by the answers to questions: its port is never opened anew.
  @Test(arguments: [4, 700, 1500] as [UInt32])
  func `is heard again where something is missing of a message`(longer: UInt32) async throws {
    let script: @Sendable (ScriptedModem.Request) -> [ScriptedModem.Act] = { request in
      request.cid == CID.deviceCaps ? [.reply(Silence.caps)] : [.reply(status: 2)]
    }
    try await withProxy(patience: .init(command: .milliseconds(50), question: .seconds(1)), script: script) {
      backend, modem in
      _ = try await backend.identity()
      await modem.say(Silence.indication(longer: longer))
      // It waits, and may fail with what fills the hole.
      _ = await modemError { try await backend.simStatus() }
      #expect(await modemError { try await backend.simStatus() }?.code == .failed)
      let imei = try await backend.identity().imei
      #expect(imei == "356938035643809")
    }
  }

  /// Nothing that a program can ask of the proxy makes it forget.
  @Test func `is given up where a message never ends`() async throws {
    let script: @Sendable (ScriptedModem.Request) -> [ScriptedModem.Act] = { request in
      request.cid == CID.deviceCaps ? [.reply(Silence.caps)] : [.reply(status: 2)]
    }
    try await withProxy(patience: Silence.short, script: script) { backend, modem in
      await modem.say(Silence.indication(longer: 0x7fff_ff00))
      var events = backend.events.makeAsyncIterator()
      #expect(await events.next() == .unresponsive)
    }
  }

  /// One version for all: when another program agrees on 3.0, the messages change for this one too,
  /// and the proxy says so.
  @Test func `follows the version that another program agreed on`() async throws {
    let plain = Information.subscriberReady(1, imsi: "262011234567890", iccid: "8949", numbers: ["+491710000000"])
    let third = Information.buffer([
      .number(1), .number(0), .text("262011234567890"), .text("8949"), .number(0), .number(1),
      .text("+491710000000"),
    ])
    let agreed = Mutex(false)
    let script: @Sendable (ScriptedModem.Request) -> [ScriptedModem.Act] = { request in
      switch (request.service, request.cid) {
      case (MBIMServiceID.basicConnect.bytes, CID.subscriberReady):
        return [.reply(agreed.withLock { $0 } ? third : plain)]
      case (MBIMServiceID.basicConnect.bytes, 16):
        return [.reply([1, 0, 16, 32].bytes + MBIMServiceID.extensions.bytes + [0, 0, 1, 15].bytes)]
      case (MBIMServiceID.extensions.bytes, 15):
        agreed.withLock { $0 = true }
        return [.reply([0x0100, 0x0300].shortBytes)]
      default: return [.reply(status: 9)]
      }
    }
    try await withProxy(script: script) { backend, modem in
      // Asking would change it for the others.
      let first = try await backend.versionInForce()
      #expect(first == MBIMExtensions.none)
      let before = try await backend.simStatus()
      let other = MBIMBackend(MBIMConfiguration(path: modem.path, usesProxy: true, extensions: .v3))
      let thread = await backend.thread()
      try #require(await other.enterNetwork(of: thread))
      try await other.open()
      _ = try await other.agree()
      let otherVersion = try await other.versionInForce()
      #expect(otherVersion == .v3)
      let after = try await backend.simStatus()
      #expect(after == before)
      #expect(after.imsi?.revealed == "262011234567890")
      #expect(after.numbers.map(\.revealed) == ["+491710000000"])
      let version = try await backend.versionInForce()
      #expect(version == .v3)
      // One that comes later is told too.
      let late = MBIMBackend(MBIMConfiguration(path: modem.path, usesProxy: true))
      try #require(await late.enterNetwork(of: thread))
      try await late.open()
      let last = try await late.simStatus()
      #expect(last == before)
      await late.close()
      await other.close()
    }
  }
}

extension MBIMBackend {
  fileprivate func thread() -> pid_t { PrivateNetwork.thread() }
  fileprivate func enterNetwork(of thread: pid_t) -> Bool { PrivateNetwork.enter(of: thread) }
  fileprivate func agree() async throws -> ExtensionsAgreement {
    try await agreeOnExtensions(in: try openDevice(for: "test"))
  }

  /// Moves the backend's thread.
  fileprivate func enterPrivateNetwork() -> Bool { PrivateNetwork.enter() }

  fileprivate func proxy() -> pid_t? { PrivateNetwork.listener(on: "mbim-proxy") }
}
