import Glibc
import ModemModel
import Testing

@testable import MBIMBackend

@Suite(
  .timeLimit(.minutes(1)),
  .enabled(
    if: PrivateNetwork.isPossible(with: "mbim-proxy"),
    "needs root, a network namespace and mbim-proxy, which serves root only"))
struct `An MBIM port shared through mbim-proxy` {
  /// Opens a scripted modem through an mbim-proxy in a network of their own, and ends that proxy afterwards.
  private func withProxy(
    script: @escaping @Sendable (ScriptedModem.Request) -> [ScriptedModem.Act],
    _ body: (MBIMBackend, ScriptedModem) async throws -> Void
  ) async throws {
    let modem = await ScriptedModem(script: script)
    let backend = MBIMBackend(MBIMConfiguration(path: modem.path, usesProxy: true))
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

extension MBIMBackend {
  /// Moves the backend's thread.
  fileprivate func enterPrivateNetwork() -> Bool { PrivateNetwork.enter() }

  fileprivate func proxy() -> pid_t? { PrivateNetwork.listener(on: "mbim-proxy") }
}
