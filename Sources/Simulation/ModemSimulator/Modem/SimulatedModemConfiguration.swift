import ModemModel
import NetworkAddress

/// The components of a simulated modem. The defaults give a modem with a ready SIM at home on LTE.
package struct SimulatedModemConfiguration: Sendable {
  /// The protocol that the modem's control port speaks.
  package enum ControlProtocol: String, Sendable, CaseIterable {
    case mbim, qmi
  }

  package var controlProtocol: ControlProtocol = .mbim
  /// DMS Get Manufacturer. MBIM has no such field.
  package var manufacturer = "Simulated"
  /// DMS Get Model. MBIM has no such field.
  package var model = "SM1"
  /// Firmware revision: at most 30 characters (MBIM 1.0, 10.5.1).
  package var firmware = "SM1_1.0.0"
  /// Hardware revision: at most 30 characters (MBIM 1.0, 10.5.1).
  package var hardware = "SM1-A"
  /// 15 digits (3GPP TS 23.003, 6.2.1). The default is from a test range.
  package var imei = "004999010640000"
  /// The SIM in the slot at power-on; nil for an empty slot.
  package var sim: SimulatedSIM? = SimulatedSIM()
  /// The SIMs in the slots after the first; nil for an empty one. Without these, the modem has no
  /// slots.
  package var otherSIMs: [SimulatedSIM?] = []
  /// The slot in use at power-on, from 1.
  package var activeSlot = 1
  /// The network that the modem hears.
  package var network = SimulatedNetwork()
  /// The addresses of the PDN connections that the network can grant, in the order of use.
  package var bearers: [SimulatedBearer] = [SimulatedBearer(), .second]
  /// How many sessions the modem carries at the same time: MaxSessions over MBIM, multiplexing over
  /// QMI if it is above 1. Nil for as many as there are bearers.
  package var sessions: Int?

  /// How many sessions there may be at a time.
  var sessionLimit: Int { sessions ?? max(bearers.count, 1) }
  /// Access points that the network knows, compared without case; nil accepts every one. An unknown
  /// one gives cause 27.
  package var accessPoints: Set<String>?
  /// The user and password that the access point requires; anything else gives cause 29.
  package var credentials: SimulatedCredentials?
  /// Whether the modem attaches to the packet service by itself once registered.
  package var attachesByItself = true
  /// Whether DMS Get MSISDN answers with the SIM's first number. Many modems say NotProvisioned.
  package var reportsNumberOverDMS = true
  /// Whether Subscriber Ready Status lists the SIM's numbers. Many modems and SIMs leave the list
  /// empty.
  package var reportsNumbersOverMBIM = true
  /// Whether the MBIM function has Microsoft's UICC low level access, which reads SIM files.
  package var hasUICCAccess = true
  /// How many times the modem, when first asked, reports that no SIM is inserted although there is
  /// one: some do while they start. It sends no indications then.
  package var falseAbsences = 0
  /// Whether the QMI firmware only knows its SIM through DMS, and not through UIM.
  package var hasOldSIMCommands = false
  /// QMI client ids that each service has, 1 to 254.
  package var clientIDsPerService = 16
  /// Link layer of the QMI data port that the modem starts with: true for raw IP, false for 802.3.
  package var usesRawIP = true
  /// Whether the modem keeps that link layer, whatever the host requests.
  package var keepsLinkLayer = false
  /// Whether the QMI modem multiplexes packets (QMAP), whatever the host requests.
  package var insistsOnMultiplexing = false
  /// Access points that the operator or manufacturer put into the modem: provisioned contexts of
  /// MBIM; the first is QMI's default profile.
  package var provisioned: [AccessPoint] = []
  /// Whether the network has an access point for requests without one; otherwise, they get cause
  /// 27.
  package var hasDefaultAccessPoint = true
  /// The highest version of Microsoft's extensions that an MBIM modem agrees on. A host that does
  /// not ask for it gets MBIM 1.0.
  package var mbimExtensions = ExtensionsVersion.none
  /// The short messages that are there at the start, as PDUs behind the service centre's address.
  package var messages: [[UInt8]] = []
  /// How many short messages the store takes.
  package var messageCapacity = 20
  /// Whether the modem passes every short message on to the host and stores none.
  package var passesMessagesOn = false
  /// How challenges are answered from the start.
  package var authentication = SimulatedAuthentication()
  /// The faults from the start.
  package var faults: [SimulatedFault] = []

  /// Makes the default modem.
  package init() {}
}

/// A SIM: what its files hold, its PIN, and what it shares with its operator.
package struct SimulatedSIM: Sendable {
  /// Serial number, 18 to 20 digits (ITU-T E.118).
  package var iccid = "8944100000000000015"
  /// At most 15 digits (3GPP TS 23.003, 2.2).
  package var imsi = "234150000000001"
  /// The SIM's own numbers; often none in the field.
  package var numbers = ["+447700900123"]
  /// The records of EF_MSISDN: `+` and digits for an international number, digits for one of
  /// unknown type, empty for an empty record. Nil has those of `numbers`.
  package var numberRecords: [String]?
  /// The length of the MNC in EF_AD, 2 or 3; 0 for a file too short to contain it. Nil uses that of
  /// `home`.
  package var mncLength: Int?
  /// Whether the card works, and with it the subscription.
  package var condition = Condition.working

  /// What is wrong with a SIM besides its locks.
  package enum Condition: String, Hashable, Sendable, CaseIterable {
    case working
    /// The operator has not activated the subscription. Over QMI the network refuses it.
    case notActivated
    /// The card makes errors.
    case broken
  }
  /// The subscriber's own network, with the two or three digits of its MNC.
  package var home = Network(PLMN(mcc: "234", mnc: "15")!, name: "Simulated Mobile")
  /// PIN1, 4 to 8 digits; nil for a SIM whose PIN is switched off.
  package var pin: String?
  /// 8 digits.
  package var puk = "12345678"
  /// Wrong PINs until the SIM asks for its PUK.
  package var pinAttempts = 3
  /// How many of them were already made: 0 to `pinAttempts`, at which the SIM asks for its PUK.
  package var wrongPINs = 0
  /// Wrong PUKs until the SIM is unusable.
  package var pukAttempts = 10

  /// K, which the SIM shares with its operator: 16 bytes.
  package var key = Self.testKey
  /// OPc: 16 bytes.
  package var opc = Self.testOPc
  /// The SQN up to which the SIM accepts none at power-on: 6 bytes.
  package var sequence: [UInt8] = [0, 0, 0, 0, 0, 0]
  /// How many bytes of RES it gives: 4 to 8.
  package var responseLength = 8
  /// EF_GID1; empty for a SIM without it.
  package var groupIdentifier: [UInt8] = []

  /// K of 3GPP TS 35.208, set 1.
  package static let testKey: [UInt8] = [
    0x46, 0x5b, 0x5c, 0xe8, 0xb1, 0x99, 0xb4, 0x9f, 0xaa, 0x5f, 0x0a, 0x2e, 0xe2, 0x38, 0xa6, 0xbc,
  ]
  /// OPc of 3GPP TS 35.208, set 1.
  package static let testOPc: [UInt8] = [
    0xcd, 0x63, 0xcb, 0x71, 0x95, 0x4a, 0x9f, 0x4e, 0x48, 0xa5, 0x99, 0x4e, 0x37, 0xa0, 0x2b, 0xaf,
  ]

  /// Makes a SIM without a PIN, with a number reserved for drama.
  package init() {}
}

/// The network as the modem hears it.
package struct SimulatedNetwork: Sendable {
  /// A modem's state here with a usable SIM: home, roaming, partner, searching or denied.
  package var state: Registration.State = .home
  /// The network in whose cell the modem is; nil for the SIM's home network.
  package var serving: Network?
  /// Of the serving cell.
  package var technology: Registration.Technology = .lte
  /// dBm, -113 to -51; nil where nothing is heard.
  package var rssi: Int? = -71
  /// What the modem measures of the serving cell of LTE or 5G; nil for what goes with `rssi`.
  package var referenceSignal: ReferenceSignal?
  /// Why registration is denied (3GPP TS 24.301, 9.9.3.9).
  package var denialCause = 11

  /// Makes the home network on LTE, well heard.
  package init() {}

  /// Of the serving cell.
  var servingSignal: ReferenceSignal {
    guard technology != .gsm, technology != .umts, let rssi else { return .none }
    // A carrier of 50 resource blocks has 600 subcarriers: an RSRP 28 dB below its RSSI, and an
    // RSRQ of 10 log 50 - 28 dB (3GPP TS 36.214, 5.1.1 and 5.1.3).
    return referenceSignal ?? ReferenceSignal(rsrp: Double(rssi - 28), rsrq: -11, sinr: 13)
  }

  /// Of the 5G cell beside the serving one of LTE: weaker, as those of higher bands are.
  var secondarySignal: ReferenceSignal {
    guard technology == .nrNonStandalone, servingSignal.rsrp != nil else { return .none }
    return ReferenceSignal(
      rsrp: servingSignal.rsrp.map { Double($0 - 9) }, rsrq: servingSignal.rsrq.map { Double($0 - 2) },
      sinr: servingSignal.sinr.map { Double($0 - 4) })
  }
}

/// The user name and password of an access point.
package struct SimulatedCredentials: Hashable, Sendable {
  package var user: String
  package var password: APNPassword

  package init(user: String, password: APNPassword) {
    self.user = user
    self.password = password
  }
}

/// One PDN connection's addresses. `SimulatedModem.bearers` only contains active ones.
package struct SimulatedBearer: Hashable, Sendable {
  /// Nil where the connection has no IPv4.
  package var ipv4: BearerSettings.Assignment?
  /// Nil where the connection has no IPv6.
  package var ipv6: BearerSettings.Assignment?
  /// Name servers in the network's order.
  package var dns: [IPAddress]
  /// Bytes; nil where the network does not say.
  package var mtu: Int?
  /// How the host gets an address.
  package enum Source: String, Sendable, CaseIterable {
    /// The modem tells it.
    case modem
    /// Over the link: by DHCP, or from router advertisements.
    case link
  }
  package var ipv4Source = Source.modem
  package var ipv6Source = Source.modem

  /// 10.64.0.2/30 and 2001:db8:64::2/64, each with its gateway and its name server at the gateway.
  package init() {
    self.init(subnet: 0)
  }

  /// Makes a connection of these addresses; the parameters are the properties.
  package init(ipv4: BearerSettings.Assignment?, ipv6: BearerSettings.Assignment?, dns: [IPAddress], mtu: Int?) {
    self.ipv4 = ipv4
    self.ipv6 = ipv6
    self.dns = dns
    self.mtu = mtu
  }

  static let second = SimulatedBearer(subnet: 1)

  private init(subnet: UInt32) {
    let v4 = IPv4Address(number: 0x0a40_0000 + subnet * 4)
    let v6High: UInt64 = 0x2001_0db8_0064_0000 + UInt64(subnet)
    let gateways: [IPAddress] = [.v4(IPv4Address(number: v4.number + 1)), .v6(IPv6Address(high: v6High, low: 1))]
    ipv4 = IPPrefix(.v4(IPv4Address(number: v4.number + 2)), length: 30).map { .init(prefix: $0, gateway: gateways[0]) }
    ipv6 = IPPrefix(.v6(IPv6Address(high: v6High, low: 2)), length: 64).map { .init(prefix: $0, gateway: gateways[1]) }
    dns = gateways
    mtu = 1500
  }
}
