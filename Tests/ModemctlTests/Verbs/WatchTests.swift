import ModemAPI
import ModemModel
import ModemService
import Testing

@testable import ModemctlCommands

@Suite("watch", .timeLimit(.minutes(1)))
struct WatchTests {
  @Test("What is there is shown first, then each change of modem or bearer, until the service ends")
  func changes() async throws {
    try await MemoryService.run { service in
      let recorder = RecordingConsole()
      var pieces = recorder.pieces().makeAsyncIterator()
      let watching = Task {
        await Modemctl.run(["watch"], on: recorder.console(variables: ["MODEMD_SOCKET": service.path]))
      }
      #expect(
        await pieces.next()
          == "12:00:00  modem-0011aabb  present: SIM ready, home, Test 001-01, LTE, -73 dBm\n")
      #expect(await pieces.next() == "12:00:00  modem-0011aabb  present: bearer down\n")
      let modem = MemoryModem(id: "modem-0011aabb", registry: service.registry)
      _ = try await modem.connect(BearerRequest())
      #expect(await pieces.next() == "12:00:00  modem-0011aabb  changed: bearer up, wwan0, 10.64.0.2/30\n")
      var state = try #require(service.registry.state(of: modem.name))
      state.registration.rssi = -81
      service.registry.update(state, from: modem)
      #expect(
        await pieces.next()
          == "12:00:00  modem-0011aabb  changed: SIM ready, home, Test 001-01, LTE, -81 dBm\n")
      service.registry.update(.sample("modem-2"), from: MemoryModem(id: "modem-2", registry: service.registry))
      #expect(await pieces.next()?.contains("modem-2  added: SIM ready") == true)
      #expect(await pieces.next() == "12:00:00  modem-2  present: bearer down\n")
      service.registry.remove("port-modem-2")
      #expect(await pieces.next()?.contains("modem-2  removed: ") == true)
      await service.server.close()
      #expect(await watching.value == Ending.unreachable.rawValue)
      #expect(recorder.messages.contains("closed the connection"))
    }
  }

  @Test("A modem that does not exist is an error")
  func unknownModem() async throws {
    try await MemoryService.run { service in
      #expect(await service.modemctl("watch", "--modem", "none").status == .noModem)
    }
  }

  @Test("A state that was shown already is not shown again; a modem that comes back is watched once")
  func log() {
    var log = WatchLog(reveals: false)
    let modem = ModemInterface.Modem(.sample())
    let bearer = BearerInterface.Bearer(of: .sample())
    #expect(log.newBearer(in: .ready) == nil && log.entry(for: .ready) == nil)
    #expect(log.newBearer(in: .modem(.present, modem)) == modem.id)
    #expect(log.newBearer(in: .modem(.changed, modem)) == nil)
    let first = log.entry(for: .modem(.present, modem))
    #expect(first?.change == .present && first?.modem == modem.masked())
    #expect(log.entry(for: .modem(.changed, modem)) == nil)
    #expect(log.entry(for: .bearer(bearer))?.change == .present)
    #expect(log.entry(for: .bearer(bearer)) == nil)
    #expect(log.newBearer(in: .modem(.removed, modem)) == nil)
    #expect(log.entry(for: .modem(.removed, modem))?.change == .removed)
    #expect(log.newBearer(in: .modem(.added, modem)) == nil)
    #expect(log.newBearer(in: .bearerUnwatched(modem: modem.id)) == nil)
    #expect(log.newBearer(in: .modem(.added, modem)) == modem.id)
    #expect(log.entry(for: .modem(.added, modem))?.change == .added)
  }
}
