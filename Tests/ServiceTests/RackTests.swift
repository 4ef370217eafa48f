import Glibc
import Logging
import ModemAPI
import ModemAPIClient
@testable import ModemAPIServer
import ModemModel
@testable import ModemService
import NIOPosix
import PortClient
import RackSupport
import Synchronization
import Testing
import Varlink

/// Many modems on one service. What a change costs is counted, not timed.
@Suite(.timeLimit(.minutes(2))) struct `A rack of modems` {
  /// A service that follows a rack's folder.
  private struct Machine: Sendable {
    let folder: String
    let registry = ModemRegistry()
    private let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    init() {
      var template = Array("/tmp/modemd-rack-XXXXXX".utf8CString)
      folder = String(cString: mkdtemp(&template)!)
      mkdir("\(folder)/ports", 0o700)
    }

    var ports: String { "\(folder)/ports" }

    func run(_ body: (ModemAPIClient) async throws -> Void) async throws {
      let bearers = BearerService(registry: registry)
      let checks = CheckService(
        registry: registry, bearers: bearers, now: { Timestamp(milliseconds: 0) }, logger: quiet
      ) { _, _, _ in .failed(.init(.cancelled, "no chain")) }
      let server = try await VarlinkServer.start(
        ModemAPIRouter.make(
          registry: registry, bearers: bearers, checks: checks,
          access: AccessPolicy(groupIDs: [], ownUserID: geteuid()), version: "test"),
        at: .path("\(folder)/modemd", mode: 0o600), on: MultiThreadedEventLoopGroup.singleton, logger: quiet)
      let directory = PortDirectory(
        path: ports, registry: registry, now: { Timestamp(milliseconds: 0) }, logger: quiet)
      let following = Task { try await directory.run() }
      let result = await Result {
        try await body(try await ModemAPIClient.connect(to: "\(folder)/modemd"))
      }
      following.cancel()
      _ = await following.result
      await server.close()
      rmdir(ports)
      rmdir(folder)
      try result.get()
    }

    /// Returns when the registry has so many modems.
    func until(_ count: Int) async {
      let changes = registry.watch()
      guard registry.count != count else { return }
      for await _ in changes where registry.count == count { return }
    }
  }

  @Test func `comes and goes, and each change is told once, with the same bytes however many there are`() async throws {
    let machine = Machine()
    try await machine.run { client in
      var rack = SimulatedRack(in: machine.ports)
      var sizes: [Int: Int] = [:]
      for count in [1, 40, 300] {
        try await rack.resize(to: count)
        await machine.until(count)
        let list = try await client.call(ModemInterface.List.self, .init()).modems
        #expect(list.map(\.id) == rack.modems.map(\.state.id).sorted())
        var changes = machine.registry.watch().makeAsyncIterator()
        let watch = EncodedModems { ModemInterface.Modem($0) }
        rack.modems[0].changeSignal()
        let change = try #require(await changes.next())
        #expect(change == .changed(rack.modems[0].state))
        sizes[count] = watch.change(change).text.utf8.count
      }
      #expect(Set(sizes.values).count == 1, "\(sizes)")
      // More at once than wait to be read: nobody reads until all have changed.
      let watch = machine.registry.watch()
      for modem in rack.modems { modem.changeSignal() }
      var told: Set<String> = []
      for await change in watch {
        told.insert(change.modem.id)
        if told.count == 300 { break }
      }
      try await rack.resize(to: 0)
      await machine.until(0)
      #expect(try await client.call(ModemInterface.List.self, .init()).modems.isEmpty)
    }
  }

  @Test func `has each modem encoded once for each of its changes`() {
    final class Link: ModemLink {
      let name: String
      let messages: (any MessageLink)? = nil
      init(_ name: String) { self.name = name }
      func connect(_ request: BearerRequest) async throws -> BearerStatus { throw ModemError(.failed, name) }
      func disconnect() async throws -> BearerStatus { throw ModemError(.failed, name) }
      func verifyBearer() async throws -> BearerStatus { throw ModemError(.failed, name) }
      func noteTraffic(isAnswered: Bool, interfaceIndex: Int) async throws -> BearerStatus {
        throw ModemError(.failed, name)
      }
      func unlock(with pin: PIN, mayBeLast: Bool) async throws -> ModemState { throw ModemError(.failed, name) }
    }
    func state(_ number: Int, rssi: Int) -> ModemState {
      var state = ModemState(
        id: "modem-\(1000 + number)", device: "/dev/cdc-wdm\(number)", kind: .mbim,
        bearer: BearerStatus(state: .down(nil), since: Timestamp(milliseconds: 0)))
      state.registration.rssi = rssi
      return state
    }
    let registry = ModemRegistry()
    let count = Mutex(0)
    let encoded = EncodedModems { state in
      count.withLock { $0 += 1 }
      return ModemInterface.Modem(state)
    }
    for number in 0..<200 { registry.update(state(number, rssi: -71), from: Link("port-\(number)")) }
    let first = encoded.list(of: registry)
    #expect(count.withLock(\.self) == 200)
    // The same as if all were encoded together.
    let whole = EncodedReply(ModemInterface.List.Reply(modems: registry.modems.map { ModemInterface.Modem($0) }))
    #expect(first.text == whole.text)
    registry.update(state(17, rssi: -81), from: Link("port-17"))
    #expect(encoded.list(of: registry).text != first.text)
    #expect(count.withLock(\.self) == 201)
    // An answer about another modem costs nothing, and the changed one is encoded already.
    for name in ["modem-1018", "/dev/cdc-wdm17", "port-17"] {
      let id = try? registry.find(name).state.id
      let answer = try? encoded.modem(name, of: registry).text
      #expect(id.map { answer?.contains($0) ?? false } == true)
    }
    #expect(count.withLock(\.self) == 201)
    // All watchers are told of it by one text.
    let change = ModemRegistry.Change.changed(state(17, rssi: -81))
    let texts = (0..<16).map { _ in encoded.change(change).text }
    #expect(Set(texts) == [EncodedReply(ModemInterface.Watch.Reply(change: .changed, modem: .init(change.modem))).text])
    #expect(count.withLock(\.self) == 202)
    // A sentence for people names a few of them.
    #expect { try registry.find(nil) } throws: { error in
      let error = error as? ServiceError
      guard case .moreThanOneModem(let names)? = error?.code else { return false }
      return names.count == 200 && (error?.message.utf8.count ?? 1000) < 300
    }
  }

  @Test func `is found by what changed in the folder, whatever its names`() async throws {
    let machine = Machine()
    try await machine.run { _ in
      let group = MultiThreadedEventLoopGroup.singleton
      let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      // Many short names first, so that the kernel's reports are small; then one that is nearly as
      // long as a socket's path allows.
      var rack = SimulatedRack(in: machine.ports)
      try await rack.resize(to: 20)
      await machine.until(20)
      let long = String(repeating: "x", count: 94 - machine.ports.utf8.count)
      let router = try #require(rack.modems.last?.router)
      try await rack.resize(to: 19)
      await machine.until(19)
      let server = try await VarlinkServer.start(
        router, at: .path("\(machine.ports)/\(long)", mode: 0o600), on: group, logger: quiet)
      await machine.until(20)
      #expect(machine.registry.entries.contains { $0.link.name == long })
      // No socket, or one that is still being made.
      for name in ["file", "made.now"] { close(creat("\(machine.ports)/\(name)", 0o600)) }
      await server.close()
      await machine.until(19)
      for name in ["file", "made.now"] { unlink("\(machine.ports)/\(name)") }
      try await rack.resize(to: 0)
      await machine.until(0)
    }
  }
}
