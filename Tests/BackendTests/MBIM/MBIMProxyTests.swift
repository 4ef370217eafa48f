import CGLib
import Glibc
import ModemModel
import Testing

@testable import MBIMBackend

/// A network namespace of one thread. mbim-proxy's socket has one name per namespace: here it meets nobody else's.
private enum PrivateNetwork {
  /// Swift does not see unshare(2).
  private static let unshare = dlsym(nil, "unshare").map {
    unsafeBitCast($0, to: (@convention(c) (CInt) -> CInt).self)
  }
  private static let newNetwork: CInt = 0x4000_0000

  static var isPossible: Bool {
    geteuid() == 0 && access("/usr/libexec/mbim-proxy", X_OK) == 0 && access("/proc/self/ns/net", R_OK) == 0
  }

  /// Puts the calling thread, and the processes that it starts, into a network of their own.
  static func enter() -> Bool { unshare.map { $0(newNetwork) == 0 } ?? false }

  /// The process that listens on mbim-proxy's socket in this thread's network.
  static func proxy() -> pid_t? {
    let name = Array("\0mbim-proxy".utf8)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { Glibc.close(socket) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, length) }
    }
    var credentials = [pid_t](repeating: 0, count: 3)
    var size = socklen_t(12)
    guard connected == 0, getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return nil }
    return credentials[0]
  }
}

@Suite(
  .timeLimit(.minutes(1)),
  .enabled(if: PrivateNetwork.isPossible, "needs root, a network namespace and mbim-proxy, which serves root only"))
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

  fileprivate func proxy() -> pid_t? { PrivateNetwork.proxy() }
}
