import Glibc
import ModemModel
import ModemSimulator
import Testing

@testable import QMIBackend

/// Multiplexing ids: a bearer beside another program's on the same data port.
@Suite(.timeLimit(.minutes(1)))
struct `A multiplexing id of its own over QMI` {
  /// WDA Data Format: link layer, and aggregation from and to the host.
  private static func format(link: UInt8, up: UInt8, down: UInt8) -> ScriptedQMIModem.Fields {
    [0x11: [link, 0, 0, 0], 0x12: [up, 0, 0, 0], 0x13: [down, 0, 0, 0]]
  }

  private func open(
    changes: Bool = true, _ script: @escaping @Sendable (ScriptedQMIModem.Request) -> [ScriptedQMIModem.Act]
  ) async throws -> (QMIBackend, ScriptedQMIModem) {
    let modem = await ScriptedQMIModem(script: script)
    let backend = QMIBackend(QMIConfiguration(path: modem.path, muxID: 77, mayChangeFormat: changes))
    try await backend.open()
    return (backend, modem)
  }

  @Test func `the data port is set to QMAP, and the client bound before it starts a call`() async throws {
    let (backend, modem) = try await open { request in
      switch (request.service, request.message) {
      case (0x1a, 0x21): [.reply(Self.format(link: 2, up: 0, down: 0))]
      case (0x1a, 0x20): [.reply(Self.format(link: 2, up: 5, down: 5))]
      case (1, 0xa2): [.reply()]
      case (1, 0x20): [.refuse(14)]
      default: [.usual]
      }
    }
    let format = try await backend.negotiateLinkFormat()
    #expect(format == .multiplexed(Multiplexing(id: 77, largestAggregate: 16384)))
    _ = await modemError { try await backend.connect(BearerRequest(ipType: .ipv4)) }
    await backend.close()
    await modem.stopListening()
    var asked: [ScriptedQMIModem.Request] = []
    for await request in modem.requests where request.service == 0x1a || request.service == 1 { asked.append(request) }
    #expect(asked.map(\.message).prefix(5) == [0x21, 0x20, 0xa2, 0x4d, 0x20], "\(asked.map(\.message))")
    let set = try #require(asked.dropFirst().first)
    #expect(set.fields[0x11] == [2, 0, 0, 0])
    #expect(set.fields[0x12] == [5, 0, 0, 0] && set.fields[0x13] == [5, 0, 0, 0])
    #expect(set.fields[0x15] == [32, 0, 0, 0] && set.fields[0x16] == [0, 0x40, 0, 0])
    let bind = try #require(asked.dropFirst(2).first)
    // Without a USB interface: the data port of the chip itself, embedded, number 1.
    #expect(bind.fields == [0x10: [4, 0, 0, 0, 1, 0, 0, 0], 0x11: [77]])
    await modem.hangUp()
  }

  @Test(
    arguments: [
      (nil, [4, 0, 0, 0, 1, 0, 0, 0]), (DataEndpoint.usb(8), [2, 0, 0, 0, 8, 0, 0, 0]),
      (.pcie, [3, 0, 0, 0, 4, 0, 0, 0]), (.embedded, [4, 0, 0, 0, 1, 0, 0, 0]), (.bamDMUX, [5, 0, 0, 0, 0, 0, 0, 0]),
    ])
  func `the endpoint is named by what carries the packets`(known: DataEndpoint?, endpoint: [UInt8]) {
    let fields = QMIBackend.bind(3, to: known).fields
    #expect(fields.map(\.type) == [0x10, 0x11])
    #expect(fields.map(\.value) == [endpoint, [3]])
  }

  @Test func `a data port that is multiplexed already is left as it is`() async throws {
    let (backend, modem) = try await open(changes: false) { request in
      request.service == 0x1a ? [.reply(Self.format(link: 2, up: 5, down: 8))] : [.usual]
    }
    let format = try await backend.negotiateLinkFormat()
    #expect(format == .multiplexed(Multiplexing(id: 77, up: .v1, down: .v4, largestAggregate: 16384)))
    await backend.close()
    await modem.stopListening()
    for await request in modem.requests where request.service == 0x1a { #expect(request.message == 0x21) }
    await modem.hangUp()
  }

  @Test func `another program's format is not changed under it, and a modem without QMAP is told apart`() async throws {
    let (careful, first) = try await open(changes: false) { request in
      request.service == 0x1a ? [.reply(Self.format(link: 2, up: 0, down: 0))] : [.usual]
    }
    #expect(await modemError { try await careful.negotiateLinkFormat() }?.code == .busy)
    await careful.close()
    await first.hangUp()
    let (plain, second) = try await open { request in
      request.service == 0x1a ? [.reply(Self.format(link: 2, up: 0, down: 0))] : [.usual]
    }
    let refusal = await modemError { try await plain.negotiateLinkFormat() }
    #expect(refusal?.code == .noSession)
    // The advice is one that the settings take.
    #expect(refusal?.message.contains("take `bearer.session` out of the configuration") == true, "\(refusal as Any)")
    await plain.close()
    await second.hangUp()
  }

  @Test func `a format that was set for multiplexing is set back when the port is closed`() async throws {
    let (backend, modem) = try await open { request in
      switch (request.service, request.message) {
      case (0x1a, 0x21): [.reply(Self.format(link: 2, up: 0, down: 0))]
      case (0x1a, 0x20): [.reply(Self.format(link: 2, up: 5, down: 5))]
      default: [.usual]
      }
    }
    _ = try await backend.negotiateLinkFormat()
    await backend.close()
    await modem.stopListening()
    var formats: [[UInt8]?] = []
    for await request in modem.requests where request.service == 0x1a && request.message == 0x20 {
      formats.append(request.fields[0x12])
    }
    #expect(formats == [[5, 0, 0, 0], [0, 0, 0, 0]])
    await modem.hangUp()
  }

  @Test(arguments: [(1, 1), (2, 254)])
  func `a modem says whether it multiplexes by taking a client's binding`(sessions: Int, limit: Int) async throws {
    libqmiIsQuiet
    var configuration = SimulatedModemConfiguration()
    configuration.controlProtocol = .qmi
    configuration.sessions = sessions
    let modem = SimulatedModem(configuration)
    let backend = QMIBackend(QMIConfiguration(path: try modem.plugIn(), muxID: 77))
    try await backend.open()
    #expect(try await backend.sessionLimit() == limit)
    let refusal = await modemError {
      _ = try await backend.negotiateLinkFormat()
      _ = try await backend.connect(BearerRequest())
    }
    #expect(refusal?.code == (sessions == 1 ? .noSession : nil), "\(refusal as Any)")
    await backend.close()
    #expect(modem.snapshot.clientIDs.values.flatMap(\.self).isEmpty)
    modem.unplug()
  }

  @Test(
    .enabled(
      if: PrivateNetwork.isPossible(with: "qmi-proxy"),
      "needs root, a network namespace and qmi-proxy, which serves root only"))
  func `two programs have a bearer each, and give back their own client ids only`() async throws {
    libqmiIsQuiet
    var configuration = SimulatedModemConfiguration()
    configuration.controlProtocol = .qmi
    let modem = SimulatedModem(configuration)
    let path = try modem.plugIn()
    let first = QMIBackend(QMIConfiguration(path: path, usesProxy: true, muxID: 1))
    let second = QMIBackend(QMIConfiguration(path: path, usesProxy: true, muxID: 77, mayChangeFormat: false))
    try #require(await first.enterNetwork(of: nil))
    try #require(await second.enterNetwork(of: await first.thread()))
    do {
      try await first.open()
      try await second.open()
      _ = try await first.negotiateLinkFormat()
      let one = try await first.connect(BearerRequest())
      _ = try await second.negotiateLinkFormat()
      let two = try await second.connect(BearerRequest())
      #expect(one.ipv4?.prefix != two.ipv4?.prefix)
      #expect(modem.snapshot.bearers.count == 2)
      await second.close()
      #expect(modem.snapshot.bearers.count == 1)
      let still = try await first.settings()
      #expect(still == one)
    } catch {
      Issue.record(error)
    }
    let proxy = try #require(await first.listener())
    await first.close()
    await second.close()
    let held = modem.snapshot.clientIDs.values.flatMap(\.self)
    #expect(held.isEmpty)
    kill(proxy, SIGTERM)
    // Not our child: it is gone when it cannot be asked any more.
    while kill(proxy, 0) == 0 { await Task.yield() }
    modem.unplug()
  }
}

extension QMIBackend {
  /// Moves the backend's thread into a network of its own, or into that of another thread.
  fileprivate func enterNetwork(of thread: pid_t?) -> Bool {
    thread.map { PrivateNetwork.enter(of: $0) } ?? PrivateNetwork.enter()
  }

  fileprivate func thread() -> pid_t { PrivateNetwork.thread() }

  fileprivate func listener() -> pid_t? { PrivateNetwork.listener(on: "qmi-proxy") }
}
