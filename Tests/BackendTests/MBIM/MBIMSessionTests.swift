import Glibc
import ModemModel
import ModemSimulator
import Testing

@testable import MBIMBackend

/// Sessions other than 0: beside another program's, through mbim-proxy.
@Suite(.timeLimit(.minutes(1)))
struct `A session of its own over MBIM` {
  @Test func `every message of the bearer carries its number, and indications of others pass by`() async throws {
    let modem = await ScriptedModem { request in
      switch request.cid {
      case CID.connect: [.reply(Information.connect(session: 77, request.isSet ? 1 : 3))]
      case CID.ipConfiguration:
        [
          .reply(Information.ipConfiguration(ipv4: .init(available: 1, addresses: [(30, [10, 64, 0, 2])])))
        ]
      default: [.reply(status: 9)]
      }
    }
    let backend = MBIMBackend(MBIMConfiguration(path: modem.path, session: 77))
    try await backend.open()
    _ = try await backend.connect(BearerRequest())
    var events = backend.events.makeAsyncIterator()
    // Session 0 is another program's.
    await modem.indicate(cid: CID.connect, Information.connect(session: 0, 3))
    await modem.indicate(cid: CID.signalState, Information.signal(rssi: 9))
    #expect(await events.next() == .signalChanged)
    await modem.indicate(cid: CID.connect, Information.connect(session: 77, 3))
    #expect(await events.next() == .bearerDropped(nil))
    await backend.close()
    await modem.stopListening()
    var numbers: [UInt32] = []
    for await request in modem.requests where request.cid == CID.connect || request.cid == CID.ipConfiguration {
      numbers.append(request.information.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) })
    }
    #expect(numbers.count >= 3 && numbers.allSatisfy { $0 == 77 }, "\(numbers)")
    await modem.hangUp()
  }

  /// The statuses that modems are known to give: no free context, invalid parameters, no device
  /// support, context not supported.
  @Test(arguments: [13, 21, 9, 38] as [UInt32])
  func `a modem that has no such session is told apart from a network that refuses`(status: UInt32) async throws {
    for (session, code) in [(UInt32(77), ModemError.Code.noSession), (0, nil)] as [(UInt32, ModemError.Code?)] {
      let modem = await ScriptedModem { request in
        switch request.cid {
        case CID.connect where request.isSet: [.reply(status: status)]
        case CID.connect: [.reply(Information.connect(session: session, 3))]
        default: [.reply(status: 9)]
        }
      }
      let backend = MBIMBackend(MBIMConfiguration(path: modem.path, session: session))
      try await backend.open()
      let error = await modemError { try await backend.connect(BearerRequest()) }
      #expect(error != nil && (error?.code == .noSession) == (code == .noSession), "\(error as Any)")
      if session > 0 {
        #expect(error?.message.contains("take `bearer.session` out of the configuration") == true)
      }
      await backend.close()
      await modem.hangUp()
    }
  }

  @Test(arguments: [1, 8], [ExtensionsVersion.none, .v3])
  func `a modem says how many sessions it carries, and keeps to it`(count: Int, version: ExtensionsVersion) async throws
  {
    var configuration = SimulatedModemConfiguration()
    configuration.sessions = count
    configuration.mbimExtensions = version
    let modem = SimulatedModem(configuration)
    let backend = MBIMBackend(
      MBIMConfiguration(path: try modem.plugIn(), session: 7, extensions: version == .none ? .none : .v3))
    try await backend.open()
    #expect(try await backend.sessionLimit() == count)
    let error = await modemError { try await backend.connect(BearerRequest()) }
    #expect(error?.code == (count == 1 ? .noSession : nil), "\(error as Any)")
    await backend.close()
    modem.unplug()
  }

  @Test(
    .enabled(
      if: PrivateNetwork.isPossible(with: "mbim-proxy"),
      "needs root, a network namespace and mbim-proxy, which serves root only"))
  func `two programs have a bearer each, and neither's end is the other's`() async throws {
    let modem = SimulatedModem()
    let path = try modem.plugIn()
    let first = MBIMBackend(MBIMConfiguration(path: path, usesProxy: true))
    let second = MBIMBackend(MBIMConfiguration(path: path, usesProxy: true, session: 77))
    try #require(await first.enterNetwork(of: nil))
    try #require(await second.enterNetwork(of: await first.thread()))
    do {
      try await first.open()
      try await second.open()
      let one = try await first.connect(BearerRequest())
      let two = try await second.connect(BearerRequest())
      #expect(one.ipv4?.prefix != two.ipv4?.prefix)
      #expect(modem.snapshot.bearers.count == 2)
      try await second.disconnect()
      #expect(modem.snapshot.bearers.count == 1)
      let still = try await first.settings()
      #expect(still == one)
      _ = try await second.connect(BearerRequest())
      await second.close()
      #expect(modem.snapshot.bearers.count == 1)
      try await first.disconnect()
      #expect(modem.snapshot.bearers.isEmpty)
    } catch {
      Issue.record(error)
    }
    let proxy = try #require(await first.listener())
    await first.close()
    await second.close()
    kill(proxy, SIGTERM)
    // Not our child: it is gone when it cannot be asked any more.
    while kill(proxy, 0) == 0 { await Task.yield() }
    modem.unplug()
  }

  @Test(
    .enabled(
      if: PrivateNetwork.isPossible(with: "mbim-proxy"),
      "needs root, a network namespace and mbim-proxy, which serves root only"))
  func `a session that a killed run left is taken over only where it is known to be one's own`() async throws {
    let modem = SimulatedModem()
    let path = try modem.plugIn()
    let left = MBIMBackend(MBIMConfiguration(path: path, usesProxy: true, session: 77))
    let cautious = MBIMBackend(MBIMConfiguration(path: path, usesProxy: true, session: 77))
    let owner = MBIMBackend(MBIMConfiguration(path: path, usesProxy: true, session: 77, ownsLeftSession: true))
    try #require(await left.enterNetwork(of: nil))
    for other in [cautious, owner] { try #require(await other.enterNetwork(of: await left.thread())) }
    do {
      for backend in [left, cautious, owner] { try await backend.open() }
      _ = try await left.connect(BearerRequest())
      #expect(await modemError { try await cautious.connect(BearerRequest()) }?.code == .busy)
      let settings = try await owner.connect(BearerRequest())
      #expect(settings.hasAddress && modem.snapshot.bearers.count == 1)
    } catch {
      Issue.record(error)
    }
    let proxy = try #require(await left.listener())
    for backend in [owner, cautious, left] { await backend.close() }
    kill(proxy, SIGTERM)
    while kill(proxy, 0) == 0 { await Task.yield() }
    modem.unplug()
  }
}

extension MBIMBackend {
  /// Moves the backend's thread into a network of its own, or into that of another thread.
  fileprivate func enterNetwork(of thread: pid_t?) -> Bool {
    thread.map { PrivateNetwork.enter(of: $0) } ?? PrivateNetwork.enter()
  }

  fileprivate func thread() -> pid_t { PrivateNetwork.thread() }

  fileprivate func listener() -> pid_t? { PrivateNetwork.listener(on: "mbim-proxy") }
}
