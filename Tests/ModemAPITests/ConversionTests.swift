import FoundationEssentials
import ModemAPI
import ModemModel
import NetworkAddress
import PortAPI
import Testing
import Varlink

@Suite("The model on the wire and back")
struct ConversionTests {
  private static let bearer = InstalledBearer(
    settings: BearerSettings(
      ipv4: .init(prefix: IPPrefix(IPAddress("10.64.0.2")!, length: 30)!, gateway: IPAddress("10.64.0.1")!),
      ipv6: .init(prefix: IPPrefix(IPAddress("2001:db8::2")!, length: 64)!),
      dns: [IPAddress("10.64.0.53")!, IPAddress("2001:db8::53")!], mtu: 1430),
    interface: "wwan0", interfaceIndex: 7, table: 1007)

  private static func guarded(_ guardian: BearerGuard) -> InstalledBearer {
    var bearer = bearer
    bearer.guardian = guardian
    return bearer
  }

  static let states: [BearerState] = [
    .down(nil), .down(NetworkCause(code: 36, text: "regular deactivation")), .attaching, .connecting, .configuring,
    .up(bearer), .up(guarded(.vrf(nil))), .up(guarded(.vrf("without nftables"))), .up(guarded(.nftables)),
    .up(guarded(.none("switched off"))), .disconnecting, .failed(NetworkCause(code: nil, text: "no answer")),
  ]

  static func modem(_ state: BearerState = .down(nil)) -> ModemState {
    ModemState(
      id: "modem-0011aabb", device: "/dev/cdc-wdm0", kind: .qmi,
      identity: DeviceIdentity(manufacturer: "Maker", model: "X1", firmware: "1.2", imei: "490154203237518"),
      interface: "wwan0",
      sim: SIMStatus(
        state: .ready, retriesLeft: 3, slot: 1, iccid: ICCID("8949000000000000017"), imsi: IMSI("001010123456789"),
        numbers: [PhoneNumber("+447700900123", source: .efMsisdn), PhoneNumber("0770", source: .dms)],
        home: Network(PLMN(mcc: "001", mnc: "01")!, name: "Test")),
      registration: Registration(
        state: .roaming, serving: Network(PLMN(mcc: "310", mnc: "026")!), technology: .nrNonStandalone, rssi: -73,
        referenceSignal: ReferenceSignal(rsrp: -101, rsrq: -12, sinr: -3),
        cause: NetworkCause(code: 11, text: "PLMN not allowed")),
      bearer: BearerStatus(state: state, apn: "internet", since: Timestamp(milliseconds: 1_700_000_000_123)),
      fault: Fault(cause: "the port stopped", since: Timestamp(milliseconds: 1_700_000_000_456)))
  }

  @Test("A modem's state survives the way between the two processes", arguments: states)
  func roundTrip(state: BearerState) throws {
    let modem = Self.modem(state)
    let bytes = try JSONEncoder().encode(PortInterface.State(modem))
    #expect(try ModemState(JSONDecoder().decode(PortInterface.State.self, from: bytes)) == modem)
  }

  @Test("So does the word that the modem has yet to end the bearer, which is none of the states")
  func releasing() throws {
    var modem = Self.modem()
    modem.bearer.isReleasing = true
    let wire = PortInterface.State(modem)
    #expect(try ModemState(wire) == modem)
    #expect(BearerInterface.Bearer(of: modem).releasing == true)
    #expect(PortInterface.State(Self.modem()).bearer.releasing == nil)
    // A client that does not know the word reads the rest: it is no word of `state`.
    #expect(wire.bearer.state == .down)
  }

  @Test(
    "So does what becomes of a bearer that was kept",
    arguments: [.pending(nil), .pending("the SIM is pinRequired"), .resumed, .refused("another SIM is in the modem")]
      as [BearerStatus.Resumption])
  func resumption(_ resumption: BearerStatus.Resumption) throws {
    var modem = Self.modem()
    modem.bearer.resumption = resumption
    #expect(try ModemState(PortInterface.State(modem)) == modem)
    let wire = BearerInterface.Bearer(of: modem)
    #expect(wire.resumption.map { "\($0)" } == "\(resumption)".split(separator: "(").first.map(String.init))
    if case .refused(let text) = resumption { #expect(wire.resumptionText == text) }
  }

  @Test("So does one of which nothing is known")
  func roundTripEmpty() throws {
    let modem = ModemState(
      id: "modem-1", device: "/dev/x", kind: .mbim, bearer: BearerStatus(since: Timestamp(milliseconds: 0)))
    #expect(try ModemState(PortInterface.State(modem)) == modem)
  }

  typealias Change = @Sendable (inout PortInterface.State) -> Void

  private static func change(_ change: @escaping Change) -> Change { change }

  static let changes: [(String, Change)] = [
    ("sim.home", change { $0.sim.home?.mnc = "1" }),
    ("registration.serving", change { $0.registration.serving?.mcc = "31x" }),
    ("bearer.settings", change { $0.bearer.settings = nil }),
    ("bearer.settings.interfaceIndex", change { $0.bearer.settings?.interfaceIndex = 0 }),
    ("bearer.settings.interfaceIndex", change { $0.bearer.settings?.interfaceIndex = -1 }),
    ("bearer.settings.ipv4", change { $0.bearer.settings?.ipv4?.address = "10.64.0" }),
    ("bearer.settings.ipv4", change { $0.bearer.settings?.ipv4?.prefixLength = 33 }),
    ("bearer.settings.ipv6", change { $0.bearer.settings?.ipv6?.gateway = "fe80::x" }),
    ("bearer.settings.dns", change { $0.bearer.settings?.dns = ["dns.example"] }),
    ("bearer.since", change { $0.bearer.since = "yesterday" }), ("fault.since", change { $0.fault?.since = "" }),
  ]

  @Test("What the model cannot hold is refused by the field's name", arguments: changes)
  func refused(field: String, change: Change) {
    var wire = PortInterface.State(Self.modem(.up(Self.bearer)))
    change(&wire)
    let error = #expect(throws: ConversionError.self) { try ModemState(wire) }
    #expect(error?.field == field)
  }

  @Test("A word that the model lacks is what the model has for the unknown, and never an error")
  func wordsOfTomorrow() throws {
    var modem = Self.modem(.up(Self.guarded(.vrf(nil))))
    modem.sharing = Sharing(way: .share, reason: "x", managerState: .idle)
    modem.bearer.apnSource = .asked
    modem.bearer.traffic = .answered
    modem.bearer.resumption = .resumed
    var wire = PortInterface.State(modem)
    wire.protocol = .other("sahara")
    wire.sim.state = .other("melted")
    wire.sim.numbers[0].source = .other("letter")
    wire.registration.state = .other("elsewhere")
    wire.registration.technology = .other("6g")
    wire.sharing?.managerState = .other("asleep")
    wire.bearer.apnSource = .other("dream")
    wire.bearer.traffic = .other("loud")
    wire.bearer.guard = .other("dog")
    wire.bearer.resumption = .other("maybe")
    // As a port of a later version would say it.
    let bytes = try JSONEncoder().encode(wire)
    let read = try ModemState(JSONDecoder().decode(PortInterface.State.self, from: bytes))
    #expect(read.kind == nil && read.sim.state == .unknown && read.sim.numbers[0].source == .unknown)
    #expect(read.registration.state == .unknown && read.registration.technology == nil)
    #expect(read.sharing == Sharing(way: .share, reason: "x"))
    #expect(read.bearer.apnSource == nil && read.bearer.traffic == nil && read.bearer.resumption == nil)
    #expect(read.bearer.state.installed?.guardian == nil && read.bearer.state.installed != nil)
    let told = ModemInterface.Modem(read)
    #expect(told.protocol == .unknown && told.sim.numbers[0].source == .unknown)
    wire.sharing?.way = .other("lend")
    wire.bearer.state = .other("resting")
    let other = try ModemState(wire)
    #expect(other.sharing == nil)
    guard case .down(let cause?) = other.bearer.state else {
      Issue.record("\(other.bearer.state)")
      return
    }
    #expect(cause.text.contains("resting"))
    #expect(try MessageUpdate(.init(event: .other("moved"), messages: [])) == nil)
    #expect(SIMSlot(.init(slot: 1, active: true, card: .other("melted"))).card == .unknown)
  }

  @Test("No word that is made of the model is unknown to the interfaces", arguments: states)
  func ownWords(state: BearerState) {
    var modem = Self.modem(state)
    for resumption in [.pending(nil), .resumed, .refused("x")] as [BearerStatus.Resumption] {
      for traffic in [.untested, .answered, .silent("x")] as [BearerStatus.Traffic] {
        (modem.bearer.resumption, modem.bearer.traffic) = (resumption, traffic)
        let port = PortInterface.Bearer(modem.bearer)
        let bearer = BearerInterface.Bearer(of: modem)
        #expect(port.state.isKnown && bearer.state.isKnown)
        #expect(port.guard?.isKnown != false && bearer.guard?.isKnown != false)
        #expect(port.traffic?.isKnown == true && bearer.traffic?.isKnown == true)
        #expect(port.resumption?.isKnown == true && bearer.resumption?.isKnown == true)
      }
    }
  }

  @Test("A modem is shown with its identity")
  func identity() {
    let modem = Self.modem(.up(Self.bearer))
    let shown = ModemInterface.Modem(modem)
    #expect(shown.imei == "490154203237518" && shown.sim.imsi == "001010123456789")
    #expect(shown.sim.iccid == "8949000000000000017" && shown.sim.numbers.map(\.number) == ["+447700900123", "0770"])
    #expect(shown.sim.numbers.map(\.normalised) == [true, false])
  }

  @Test("A bearer is shown with its settings while it is up, and with its cause else", arguments: states)
  func bearers(state: BearerState) {
    let wire = BearerInterface.Bearer(of: Self.modem(state))
    #expect(wire.modem == "modem-0011aabb" && wire.apn == "internet" && wire.since == "2023-11-14T22:13:20.123Z")
    #expect((wire.settings != nil) == (wire.state == .up))
    if let settings = wire.settings {
      #expect(settings.ipv4 == .init(address: "10.64.0.2", prefixLength: 30, gateway: "10.64.0.1"))
      #expect(settings.ipv6 == .init(address: "2001:db8::2", prefixLength: 64))
      #expect(settings.dns == ["10.64.0.53", "2001:db8::53"] && settings.mtu == 1430 && settings.table == 1007)
    }
    if case .failed(let cause) = state { #expect(wire.cause == .init(code: cause.code, text: cause.text)) }
  }
}
