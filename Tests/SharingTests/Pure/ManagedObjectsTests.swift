import ModemModel
import NetworkAddress
import Testing

@testable import ModemManagerLink

/// ModemManager's objects as its messages tell of them: tables, no bus. The names and numbers are
/// those of ModemManager 1.20.
@Suite struct ManagedObjectsTests {
  static let path = "/org/freedesktop/ModemManager1/Modem/0"
  static let bearerPath = "/org/freedesktop/ModemManager1/Bearer/3"
  static let simPath = "/org/freedesktop/ModemManager1/SIM/0"

  static let modem: [String: DBusValue] = [
    "Device": .text("/sys/devices/pci0000:00/usb1/1-1"),
    "Ports": .list([.fields([.text("cdc-wdm0"), .number(7)]), .fields([.text("wwan0"), .number(2)])]),
    "Manufacturer": .text("Example"), "Model": .text("EX-500"), "Revision": .text("1.4.2"),
    "EquipmentIdentifier": .text("004999010640000"), "OwnNumbers": .list([.text("+4915112345678"), .text("")]),
    "State": .number(11), "StateFailedReason": .number(0), "UnlockRequired": .number(1),
    "UnlockRetries": .dictionary(["2": .number(3)]), "AccessTechnologies": .number(1 << 14),
    "SignalQuality": .fields([.number(67), .bool(true)]), "Sim": .text(simPath), "Bearers": .list([.text(bearerPath)]),
    "MaxActiveMultiplexedBearers": .number(256),
  ]
  static let modem3gpp: [String: DBusValue] = [
    "Imei": .text("004999010640000"), "RegistrationState": .number(1), "OperatorCode": .text("26201"),
    "OperatorName": .text("Example Mobile"),
  ]
  static let sim: [String: DBusValue] = [
    "SimIdentifier": .text("8949020000012345678"), "Imsi": .text("262011234567890"),
    "OperatorIdentifier": .text("26201"), "OperatorName": .text("Example Mobile"),
  ]
  static let bearer: [String: DBusValue] = [
    "Connected": .bool(true), "Multiplexed": .bool(false), "Interface": .text("wwan0"),
    "Properties": .dictionary(["apn": .text("internet")]),
    "Ip4Config": .dictionary([
      "method": .number(2), "address": .text("10.64.0.2"), "prefix": .number(24), "gateway": .text("10.64.0.1"),
      "dns1": .text("198.51.100.53"), "dns2": .text("0.0.0.0"), "mtu": .number(1420),
    ]),
    "Ip6Config": .dictionary(["method": .number(0)]),
  ]

  /// A whole tree, with some properties replaced.
  static func objects(
    modem more: [String: DBusValue] = [:], modem3gpp more3gpp: [String: DBusValue] = [:],
    bearer moreBearer: [String: DBusValue] = [:]
  ) -> ManagedObjects {
    var objects = ManagedObjects()
    objects.replace(
      .dictionary([
        path: .dictionary([
          ManagedObjects.Interface.modem: .dictionary(modem.merging(more) { $1 }),
          ManagedObjects.Interface.modem3gpp: .dictionary(modem3gpp.merging(more3gpp) { $1 }),
        ])
      ]))
    for missing in objects.missing {
      objects.load(
        missing, .dictionary(missing.path == simPath ? sim : bearer.merging(moreBearer) { $1 }))
    }
    return objects
  }

  @Test func `a modem's properties are the model's identity, SIM, registration and bearer`() throws {
    let modem = try #require(Self.objects().modems.first)
    #expect(modem.uid == "/sys/devices/pci0000:00/usb1/1-1")
    #expect(modem.ports == ["cdc-wdm0", "wwan0"])
    #expect(modem.identity.imei == "004999010640000" && modem.identity.firmware == "1.4.2")
    #expect(modem.sim.state == .ready)
    #expect(modem.sim.numbers.map(\.revealed) == ["+4915112345678"])
    #expect(modem.sim.iccid?.revealed == "8949020000012345678" && modem.sim.imsi?.revealed == "262011234567890")
    #expect(modem.sim.home?.plmn.description == "26201")
    #expect(
      modem.registration
        == Registration(
          state: .home, serving: Network(PLMN("26201")!, name: "Example Mobile"), technology: .lte, rssi: -71))
    #expect(!modem.isConnecting)
    let bearer = try #require(modem.connectedBearer)
    #expect(bearer.interface == "wwan0" && bearer.apn == "internet")
    #expect(bearer.settings.ipv4?.prefix.description == "10.64.0.2/24")
    #expect(bearer.settings.ipv4?.gateway == IPAddress("10.64.0.1"))
    #expect(bearer.settings.dns == [IPAddress("198.51.100.53")])
    #expect(bearer.settings.mtu == 1420 && bearer.settings.ipv6 == nil && bearer.ipv6 == .none)
  }

  /// MMModemState, MMModemStateFailedReason, MMModemLock.
  typealias SIMRow = (state: Int64, failure: Int64, lock: Int64, expected: SIMStatus.State)
  static let simRows: [SIMRow] = [
    (-1, 2, 0, .absent), (-1, 3, 0, .failed), (0, 0, 0, .unknown), (1, 0, 0, .initialising), (2, 0, 2, .pinRequired),
    (2, 0, 4, .pukRequired), (3, 0, 1, .ready), (8, 0, 1, .ready), (8, 0, 3, .ready),
  ]

  @Test(arguments: simRows.indices)
  func `the SIM's state follows from the modem's state and lock`(row: Int) {
    let (state, failure, lock, expected) = Self.simRows[row]
    let objects = Self.objects(modem: [
      "State": .number(state), "StateFailedReason": .number(failure), "UnlockRequired": .number(lock),
    ])
    #expect(objects.modems.first?.sim.state == expected)
    #expect(objects.modems.first?.sim.retriesLeft == (lock == 2 ? 3 : nil))
  }

  @Test func `registration states are mapped`() {
    // MMModem3gppRegistrationState, from 0.
    let expected: [Registration.State] = [
      .deregistered, .home, .searching, .denied, .unknown, .roaming, .home, .roaming, .unknown, .home, .roaming,
    ]
    for (number, state) in expected.enumerated() {
      let objects = Self.objects(modem3gpp: ["RegistrationState": .number(Int64(number))])
      #expect(objects.modems.first?.registration.state == state, "\(number)")
    }
  }

  /// MMModemAccessTechnology's bits.
  static let technologies: [(bits: Int64, technology: Registration.Technology?)] = [
    (0, nil), (0x2, .gsm), (0x10, .gsm), (0x20, .umts), (0x200, .umts), (0x4000, .lte), (0x8000, .nr),
    (0xc000, .nrNonStandalone),
  ]

  @Test(arguments: technologies.indices)
  func `the newest technology counts`(row: Int) {
    let (bits, expected) = Self.technologies[row]
    #expect(
      Self.objects(modem: ["AccessTechnologies": .number(bits)]).modems.first?.registration.technology == expected)
  }

  /// Modem.Signal's Lte and Nr5g once somebody has told ModemManager to measure.
  @Test func `measurements are those of the serving cell, where ModemManager shows any`() {
    let cell = { (rsrp: Double, rsrq: Double, snr: Double) -> DBusValue in
      .dictionary(["rsrp": .real(rsrp), "rsrq": .real(rsrq), "snr": .real(snr), "rssi": .real(-71)])
    }
    let rows: [(bits: Int64, signal: ReferenceSignal)] = [
      (0x4000, ReferenceSignal(rsrp: -99, rsrq: -11, sinr: 13)),
      (0xc000, ReferenceSignal(rsrp: -99, rsrq: -11, sinr: 13)),
      (0x8000, ReferenceSignal(rsrp: -90, rsrq: -13, sinr: 9)), (0x20, .none),
      (0, ReferenceSignal(rsrp: -99, rsrq: -11, sinr: 13)),
    ]
    for (bits, signal) in rows {
      var objects = Self.objects(modem: ["AccessTechnologies": .number(bits)])
      #expect(objects.modems.first?.registration.referenceSignal == ReferenceSignal.none)
      objects.add(Self.path, .dictionary([ManagedObjects.Interface.signal: .dictionary(["Rate": .number(0)])]))
      objects.change(
        Self.path, ManagedObjects.Interface.signal,
        .dictionary(["Lte": cell(-99.2, -11, 13.4), "Nr5g": cell(-90, -13, 9)]), .list([]))
      #expect(objects.modems.first?.registration.referenceSignal == signal)
      // ModemManager passes on what a modem says without a cell, and empties what it no longer
      // measures.
      objects.change(
        Self.path, ManagedObjects.Interface.signal,
        .dictionary(["Lte": cell(-32768, 0, .nan), "Nr5g": .dictionary([:])]), .list([]))
      #expect(objects.modems.first?.registration.referenceSignal.rsrp == nil)
    }
  }

  @Test func `objects that are pointed to are missing until they are loaded, and go with the pointer`() {
    var objects = ManagedObjects()
    objects.replace(
      .dictionary([Self.path: .dictionary([ManagedObjects.Interface.modem: .dictionary(Self.modem)])]))
    #expect(objects.missing.map(\.path).sorted() == [Self.bearerPath, Self.simPath])
    #expect(objects.modems.first?.connectedBearer == nil)
    for missing in objects.missing { objects.load(missing, .dictionary(Self.bearer)) }
    #expect(objects.missing.isEmpty && objects.modems.first?.connectedBearer != nil)
    objects.change(
      Self.path, ManagedObjects.Interface.modem, .dictionary(["Bearers": .list([])]), .list([]))
    #expect(objects.objects[Self.bearerPath] == nil && objects.missing.isEmpty)
    // An answer that comes after the pointer has gone.
    objects.load(.init(path: Self.bearerPath, interface: ManagedObjects.Interface.bearer), .dictionary(Self.bearer))
    #expect(objects.objects[Self.bearerPath] == nil)
  }

  @Test func `changes are taken, invalidated properties dropped, and removed interfaces forgotten`() {
    var objects = Self.objects()
    objects.change(
      Self.bearerPath, ManagedObjects.Interface.bearer, .dictionary(["Connected": .bool(false)]),
      .list([.text("Interface")]))
    #expect(objects.modems.first?.bearers.first?.isConnected == false)
    #expect(objects.modems.first?.bearers.first?.interface == nil)
    // Not known: nothing to change.
    objects.change("/nowhere", ManagedObjects.Interface.bearer, .dictionary(["Connected": .bool(true)]), .list([]))
    #expect(objects.objects["/nowhere"] == nil)
    objects.remove(
      Self.path, .list([.text(ManagedObjects.Interface.modem), .text(ManagedObjects.Interface.modem3gpp)]))
    #expect(objects.modems.isEmpty && objects.objects.isEmpty)
  }

  @Test(arguments: [
    ["method": DBusValue.number(2), "address": .text("10.64.0.300"), "prefix": .number(24)],
    ["method": .number(2), "address": .text("10.64.0.3"), "prefix": .number(33)],
    ["method": .number(2), "address": .number(7)], ["method": .text("static")], [:],
  ])
  func `an address that is none is no address`(config: [String: DBusValue]) {
    let bearer = Self.objects(bearer: ["Ip4Config": .dictionary(config)]).modems.first?.bearers.first
    #expect(bearer?.settings.ipv4 == nil)
  }

  @Test func `the properties do not print subscriber identity`() {
    let text =
      String(describing: Self.objects()) + String(reflecting: ManagerView(isRunning: true, objects: Self.objects()))
    var dumped = ""
    dump(Self.objects(), to: &dumped)
    for secret in ["15112345678", "262011234567890", "8949020000012345678"] {
      #expect(!text.contains(secret) && !dumped.contains(secret))
    }
  }
}
