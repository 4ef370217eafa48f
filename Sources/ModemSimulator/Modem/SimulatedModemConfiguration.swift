import ModemModel
import NetworkAddress

/// Everything a simulated modem is made of. The defaults give a modem with a ready SIM at home on LTE.
public struct SimulatedModemConfiguration: Sendable {
  /// The protocol that the modem's control port speaks.
  public enum ControlProtocol: String, Sendable, CaseIterable {
    case mbim, qmi
  }

  public var controlProtocol: ControlProtocol = .mbim
  public var manufacturer = "Simulated"
  public var model = "SM1"
  public var firmware = "SM1_1.0.0"
  public var hardware = "SM1-A"
  /// 15 digits (3GPP TS 23.003, 6.2.1). The default is from a test range.
  public var imei = "004999010640000"
  /// The SIM in the slot at power-on; nil for an empty slot.
  public var sim: SimulatedSIM? = SimulatedSIM()
  public var network = SimulatedNetwork()
  /// The addresses of the PDN connections that the network can hand out, in the order in which they are used. Their count
  /// is the modem's limit of sessions.
  public var bearers: [SimulatedBearer] = [SimulatedBearer(), .second]
  /// Access points that the network knows, compared without case; nil accepts every one. An unknown one gives cause 27.
  public var accessPoints: Set<String>?
  /// The user and password that the access point wants; anything else gives cause 29.
  public var credentials: SimulatedCredentials?
  /// Whether the modem attaches to the packet service by itself once registered.
  public var attachesByItself = true
  /// Whether DMS Get MSISDN answers with the SIM's first number. Many modems say NotProvisioned.
  public var reportsNumberOverDMS = true
  /// QMI client ids that each service has, 1 to 254.
  public var clientIDsPerService = 16
  /// Link layer of the QMI data port that the modem starts with: true for raw IP, false for 802.3.
  public var usesRawIP = true
  public var faults: [SimulatedFault] = []

  public init() {}
}

/// A SIM: what its files hold, and its PIN.
public struct SimulatedSIM: Sendable {
  public var iccid = "8944100000000000015"
  public var imsi = "234150000000001"
  /// The SIM's own numbers; often none in the field.
  public var numbers = ["+447700900123"]
  public var home = Network(PLMN(mcc: "234", mnc: "15")!, name: "Simulated Mobile")
  /// PIN1, 4 to 8 digits; nil for a SIM whose PIN is switched off.
  public var pin: String?
  public var puk = "12345678"
  public var pinAttempts = 3
  public var pukAttempts = 10

  public init() {}
}

/// The network as the modem hears it.
public struct SimulatedNetwork: Sendable {
  /// What a modem with a usable SIM gets here: home, roaming, partner, searching or denied.
  public var state: Registration.State = .home
  /// The network in whose cell the modem is; nil for the SIM's home network.
  public var serving: Network?
  public var technology: Registration.Technology = .lte
  /// dBm, -113 to -51; nil where nothing is heard.
  public var rssi: Int? = -71
  /// Why registration is denied (3GPP TS 24.301, 9.9.3.9).
  public var denialCause = 11

  public init() {}
}

/// The user name and password of an access point.
public struct SimulatedCredentials: Hashable, Sendable {
  public var user: String
  public var password: APNPassword

  public init(user: String, password: APNPassword) {
    self.user = user
    self.password = password
  }
}

/// One PDN connection's addresses. In `SimulatedModem.bearers` only what is active now is filled.
public struct SimulatedBearer: Hashable, Sendable {
  public var ipv4: BearerSettings.Assignment?
  public var ipv6: BearerSettings.Assignment?
  public var dns: [IPAddress]
  /// Bytes; nil where the network does not say.
  public var mtu: Int?

  /// 10.64.0.2/30 and 2001:db8:64::2/64, each with its gateway and its name server at the gateway.
  public init() {
    self.init(subnet: 0)
  }

  public init(ipv4: BearerSettings.Assignment?, ipv6: BearerSettings.Assignment?, dns: [IPAddress], mtu: Int?) {
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
