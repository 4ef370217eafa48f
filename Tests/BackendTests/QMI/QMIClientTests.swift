import Glibc
import ModemModel
import ModemSimulator
import Testing

@testable import QMIBackend

/// Client ids on every path: lost, doubled, exhausted, given back without an answer.
@Suite(.timeLimit(.minutes(1))) struct `A client id` {
  private func withModem(
    limit: Int = 16, stateFile: String? = nil, _ body: (QMIBackend, SimulatedModem) async throws -> Void
  ) async throws {
    libqmiIsQuiet
    var configuration = SimulatedModemConfiguration()
    configuration.controlProtocol = .qmi
    configuration.clientIDsPerService = limit
    let modem = SimulatedModem(configuration)
    let limits = QMIConfiguration.Limits(query: .seconds(2), close: .seconds(5))
    let backend = QMIBackend(QMIConfiguration(path: try modem.plugIn(), stateFile: stateFile, limits: limits))
    do {
      try await backend.open()
      try await body(backend, modem)
    } catch {
      Issue.record(error)
    }
    await backend.close()
    #expect(Self.clients(of: modem) == 0)
    modem.unplug()
  }

  private static func clients(of modem: SimulatedModem) -> Int {
    modem.snapshot.clientIDs.values.reduce(0) { $0 + $1.count }
  }

  private static func until(_ isSo: () -> Bool) async { while !isSo() { await Task.yield() } }

  @Test func `that was allocated without an answer is found and given back`() async throws {
    try await withModem { backend, modem in
      modem.setFaults([SimulatedFault(on: .clientIDs, .lose, times: 1)])
      let error = await modemError { try await backend.connect(BearerRequest(ipType: .ipv4)) }
      #expect(error?.code == .timeout)
      await Self.until { Self.clients(of: modem) == 3 }
      let settings = try await backend.connect(BearerRequest(ipType: .ipv4))
      #expect(settings.hasAddress)
      #expect(Self.clients(of: modem) == 4)
    }
  }

  @Test(arguments: [SimulatedFault.Action.lose, .swallow])
  func `that was given back without an answer is given back again`(action: SimulatedFault.Action) async throws {
    try await withModem { backend, modem in
      _ = try await backend.connect(BearerRequest(ipType: .ipv4))
      modem.setFaults([SimulatedFault(on: .clientIDs, action, times: 1)])
      try await backend.disconnect()
      await Self.until { Self.clients(of: modem) == 3 }
      _ = try await backend.connect(BearerRequest(ipType: .ipv4))
      #expect(Self.clients(of: modem) == 4)
    }
  }

  /// Programs that were killed have taken all: whoever has the port alone frees what nobody holds.
  @Test func `is freed of dead programs when the modem has none left`() async throws {
    try await withModem(limit: 2) { backend, modem in
      for _ in 0..<2 { _ = try await backend.allocate(.wds) }
      await backend.forgetClients(of: .wds)
      #expect(modem.snapshot.clientIDs[1]?.count == 2)
      let settings = try await backend.connect(BearerRequest(ipType: .ipv4))
      #expect(settings.hasAddress)
      #expect(modem.snapshot.clientIDs[1]?.count == 1)
    }
  }

  @Test func `is asked for while the port hangs up, and nothing is kept of it`() async throws {
    try await withModem { backend, modem in
      modem.setFaults([SimulatedFault(on: .clientIDs, .hangUpAfter, times: 1)])
      #expect(await modemError { try await backend.connect(BearerRequest()) }?.code == .removed)
      #expect(await backend.heldCount == 0)
    }
  }

  @Test func `that another program gave back leaves the others to be given back`() async throws {
    try await withModem { backend, modem in
      modem.setFaults([SimulatedFault(on: .registration, .answer(status: 7), times: 1)])
      _ = await modemError { try await backend.registration() }
      var events = backend.events.makeAsyncIterator()
      #expect(await events.next() == .reset)
      // The modem knows all three still; the one that it denied knowing is lost to us.
      modem.setFaults([])
      await backend.close()
      #expect(Self.clients(of: modem) == 1)
      modem.restart()
    }
  }

  @Test func `is noted before it is asked for`() throws {
    var template = Array("/tmp/qmi-ledger-XXXXXX".utf8CString)
    let directory = String(cString: try #require(mkdtemp(&template)))
    defer { rmdir(directory) }
    let ledger = ClientLedger(path: directory + "/clients", device: "/dev/null")
    #expect(ledger.left() == ClientLedger.Left())
    let held = [QMIClient(service: .dms, id: 3), QMIClient(service: .wds, id: 254)]
    ledger.write(held, doubtful: [.nas])
    let left = ledger.left()
    #expect(Set(left.clients) == Set(held))
    #expect(left.doubtful == [.nas])
    #expect(ClientLedger(path: directory + "/clients", device: "/dev/zero").left() == ClientLedger.Left())
    ledger.write([], doubtful: [])
    #expect(access(directory + "/clients", F_OK) != 0)
  }

  @Test func `has a place of its own among the commands on their way: eight in all`() async throws {
    let modem = await ScriptedQMIModem { request in
      // What opens the port works; then nothing is answered any more.
      request.service == 0 && request.earlier < 3 || request.message == 0x03 || request.message == 0x2e ? [.usual] : []
    }
    let backend = QMIBackend(QMIConfiguration(path: modem.path, limits: .init(query: .seconds(50))))
    try await backend.open()
    await withTaskGroup(of: ModemError.Code?.self) { group in
      for _ in 0..<30 { group.addTask { await modemError { try await backend.identity() }?.code } }
      var requests = modem.requests.makeAsyncIterator()
      var count = 0
      while count < 7 { if await requests.next()?.message == 0x21 { count += 1 } }
      group.addTask { await modemError { try await backend.connect(BearerRequest()) }?.code }
      while await modem.controlMessages.count < 4 { await Task.yield() }
      await modem.hangUp()
      for await code in group { #expect(code == .removed) }
      await modem.stopListening()
      #expect(await requests.next() == nil, "an eighth command beside the control service's")
    }
    await backend.close()
  }
}

extension QMIBackend {
  fileprivate func allocate(_ service: QMIService) async throws(ModemError) -> QMIClient {
    try await allocateClient(service, in: try openDevice(for: "allocate"))
  }

  fileprivate var heldCount: Int { clients.held.count }

  /// As if another program had allocated them.
  fileprivate func forgetClients(of service: QMIService) {
    for client in clients.held where client.service == service { clients.remove(client) }
  }
}
