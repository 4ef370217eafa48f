import ModemModel
import ModemService
import Testing

/// A modem that comes back under another name, while its old port is still there.
@Suite struct `A modem with two ports` {
  private struct Link: ModemLink {
    let name: String
    func connect(_ request: BearerRequest) async throws -> BearerStatus { throw ModemError(.failed, name) }
    func disconnect() async throws -> BearerStatus { throw ModemError(.failed, name) }
    func verifyBearer() async throws -> BearerStatus { throw ModemError(.failed, name) }
    func unlock(with pin: PIN, mayBeLast: Bool) async throws -> ModemState { throw ModemError(.failed, name) }
  }

  private static let time = Timestamp(milliseconds: 0)

  private func state(_ device: String, imei: String? = "490154203237518", fault: String? = nil) -> ModemState {
    ModemState(
      id: ModemNaming.forTests.name(imei: imei, device: device), device: device, kind: .mbim, interface: nil,
      bearer: BearerStatus(since: Self.time), fault: fault.map { Fault(cause: $0, since: Self.time) })
  }

  @Test func `is shown once, where it is`() throws {
    let registry = ModemRegistry()
    registry.update(state("/dev/cdc-wdm0"), from: Link(name: "cdc-wdm0"))
    registry.update(state("/dev/cdc-wdm0", fault: "went away"), from: Link(name: "cdc-wdm0"))
    registry.update(state("/dev/cdc-wdm1"), from: Link(name: "cdc-wdm1"))
    #expect(registry.modems.map(\.device) == ["/dev/cdc-wdm1"])
    let entry = try registry.find(nil)
    #expect(entry.link.name == "cdc-wdm1")
    #expect(try registry.find(entry.state.id).link.name == "cdc-wdm1")
    registry.remove("cdc-wdm0")
    #expect(registry.modems.map(\.device) == ["/dev/cdc-wdm1"])
    registry.remove("cdc-wdm1")
    #expect(registry.modems.isEmpty)
  }

  @Test func `is found where it came back last, whichever port says so first`() throws {
    let registry = ModemRegistry()
    registry.update(state("/dev/cdc-wdm1"), from: Link(name: "cdc-wdm1"))
    registry.update(state("/dev/cdc-wdm0"), from: Link(name: "cdc-wdm0"))
    #expect(try registry.find(nil).link.name == "cdc-wdm0")
    registry.update(state("/dev/cdc-wdm0", fault: "went away"), from: Link(name: "cdc-wdm0"))
    #expect(try registry.find(nil).link.name == "cdc-wdm1")
    registry.update(state("/dev/cdc-wdm0"), from: Link(name: "cdc-wdm0"))
    #expect(try registry.find(nil).link.name == "cdc-wdm0")
  }

  @Test func `is told of as changed when it moves, not as gone or new`() async {
    let registry = ModemRegistry()
    let changes = registry.watch()
    registry.update(state("/dev/cdc-wdm0"), from: Link(name: "cdc-wdm0"))
    registry.update(state("/dev/cdc-wdm1"), from: Link(name: "cdc-wdm1"))
    registry.remove("cdc-wdm0")
    registry.update(state("/dev/cdc-wdm7", imei: "356938035643809"), from: Link(name: "cdc-wdm7"))
    registry.remove("cdc-wdm1")
    var words: [String] = []
    for await change in changes {
      switch change {
      case .added(let modem): words.append("added \(modem.device)")
      case .changed(let modem): words.append("changed \(modem.device)")
      case .removed(let modem): words.append("removed \(modem.device)")
      }
      if words.count == 5 { break }
    }
    #expect(
      words == [
        "added /dev/cdc-wdm0", "changed /dev/cdc-wdm1", "changed /dev/cdc-wdm1", "added /dev/cdc-wdm7",
        "removed /dev/cdc-wdm1",
      ])
  }

  @Test func `is two modems when they say different things of themselves`() {
    let registry = ModemRegistry()
    registry.update(state("/dev/cdc-wdm0"), from: Link(name: "cdc-wdm0"))
    registry.update(state("/dev/cdc-wdm1", imei: "356938035643809"), from: Link(name: "cdc-wdm1"))
    #expect(registry.modems.count == 2)
    #expect(throws: ServiceError.self) { try registry.find(nil) }
  }
}
